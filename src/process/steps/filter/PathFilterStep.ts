import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { equivalent, keyOf } from "../../../structure/collections/Equivalence.ts"
import { BigSet } from "../../../structure/containers/BigMap.ts"
import { objectOf } from "../../machine/Paths.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, type PathNode, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { filtering } from "../../plan/StepTraits.ts"
import { modulatedPaths } from "../shared/ModulatedPaths.ts"
import { PathPartStep } from "../shared/PathPartStep.ts"

const traits = filtering({ filter: "no", rank: 0, labels: "none", children: "asked" })

/**
 * simplePath() and cyclicPath(): keeps traversers whose path has no repeated object, or at least one. With from() and
 * to(), only the part of the path between two labels counts.
 */
class PathFilterStep extends PathPartStep {
  readonly operator: "simplePath" | "cyclicPath"
  readonly name = "PathFilterStep"
  readonly traits = traits

  constructor(operator: "simplePath" | "cyclicPath") {
    super()
    this.operator = operator
  }

  override run(batch: Batch, activation: Activation): boolean {
    const isWhole = this.modulators.length === 0 && this.from === null && this.to === null
    // The paths of a batch have about the same length.
    if (!isWhole || (batch.path?.[0]?.length ?? 0) > CHUNK_ITEMS) {
      return runTask(this, batch, activation, () => this.#filtered(batch, isWhole, activation))
    }
    const simple = this.operator === "simplePath"
    const nodes = batch.path
    this.#emit(batch, (row) => (nodes === null || isSimple(nodes[row]!, activation)) === simple, activation)
    return true
  }

  *#filtered(batch: Batch, isWhole: boolean, activation: Activation): Task {
    const simple = this.operator === "simplePath"
    const kept = new Uint8Array(batch.length)
    if (isWhole) {
      for (let row = 0; row < batch.length; row++) {
        const objects = objectsOf(batch.path![row]!, activation)
        if ((yield* areDistinct(objects, activation)) === simple) kept[row] = 1
      }
    } else {
      const parts = yield* this.parts(batch, activation)
      const every = { paths: parts, rows: Array.from(parts.keys()) }
      const isPlain = this.modulators.length === 0
      const { paths, rows } = isPlain ? every : yield* modulatedPaths(this.modulators, parts, activation)
      for (let i = 0; i < rows.length; i++) {
        if ((yield* areDistinct(paths[i]!.objects, activation)) === simple) kept[rows[i]!] = 1
      }
    }
    this.#emit(batch, (row) => kept[row] === 1, activation)
  }

  #emit(batch: Batch, test: (row: number) => boolean, activation: Activation): void {
    const rows = activation.run.scratch.rows(batch.length)
    let kept = 0
    for (let row = 0; row < batch.length; row++) if (test(row)) rows[kept++] = row
    activation.emitRows(this, batch, rows, kept)
  }

  override describe(): string {
    return [this.operator === "simplePath" ? "simple" : "cyclic", this.from ?? "", this.to ?? ""]
      .filter((word) => word !== "")
      .join(",")
  }
}

/** The objects of a path, from the last to the first. */
function* objectsOf(last: PathNode | null, { transaction }: Activation): Iterable<unknown> {
  for (let node = last; node !== null; node = node.previous) yield objectOf(node, transaction)
}

function* areDistinct(objects: Iterable<unknown>, { slice }: Activation): Task<boolean> {
  const keys = new BigSet<unknown>()
  let seen = 0
  for (const object of objects) {
    keys.add(keyOf(object))
    if (keys.size < ++seen) return false
    if (slice.isOverAfter(seen, object)) yield
  }
  return true
}

/** Above this path length, a set is faster than comparing all pairs. */
const PAIRWISE_MAX_PLACES = 24

const isSimple = (last: PathNode | null, activation: Activation): boolean => {
  let length = 0
  for (let node = last; node !== null; node = node.previous) length++
  if (length > PAIRWISE_MAX_PLACES) return isLongSimple(last, length, activation)
  for (let a = last; a !== null; a = a.previous) {
    for (let b = a.previous; b !== null; b = b.previous) if (isSame(a, b, activation)) return false
  }
  return true
}

/** Refs of one kind are compared directly. If one place holds an object, the keys of both are compared. */
const isSame = (a: PathNode, b: PathNode, activation: Activation): boolean => {
  if (a.kind === b.kind && a.kind !== VALUE) return a.object === b.object
  if (a.kind !== VALUE && b.kind !== VALUE) return false
  const x = a.kind === VALUE ? a.object : b.object
  const y = a.kind === VALUE ? b : a
  if (typeof x !== "object" || x === null) return y.kind === VALUE && equivalent(y.object, x)
  return equivalent(x, objectOf(y, activation.transaction))
}

const isLongSimple = (last: PathNode | null, length: number, activation: Activation): boolean => {
  const keys = new Set<unknown>()
  for (let node = last; node !== null; node = node.previous) keys.add(keyOf(objectOf(node, activation.transaction)))
  return keys.size === length
}

/** The operators simplePath() and cyclicPath(). */
export const pathFilterSteps: Operators = {
  simplePath: stepOperator(noParameters, () => new PathFilterStep("simplePath")),
  cyclicPath: stepOperator(noParameters, () => new PathFilterStep("cyclicPath"))
}
