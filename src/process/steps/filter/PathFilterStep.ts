import { equivalent, keyOf } from "../../../structure/collections/Equivalence.ts"
import type { Path } from "../../../structure/elements/Path.ts"
import { objectOf } from "../../machine/Paths.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, type PathNode, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { filtering } from "../../plan/StepTraits.ts"
import { modulatePaths } from "../shared/ModulatedPaths.ts"
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

  override run(batch: Batch, activation: Activation): undefined {
    const simple = this.operator === "simplePath"
    if (this.modulators.length === 0 && this.from === null && this.to === null) {
      const nodes = batch.path
      this.#emit(batch, (row) => (nodes === null || isSimple(nodes[row]!, activation)) === simple, activation)
      return
    }
    const paths = Array.from({ length: batch.length }, (_, row) => this.part(batch.path?.[row] ?? null, activation))
    if (this.modulators.length === 0) {
      this.#emit(batch, (row) => isDistinct(paths[row]!) === simple, activation)
      return
    }
    modulatePaths(this.modulators, paths, activation, (rows, modulated) => {
      const kept = new Uint8Array(batch.length)
      rows.forEach((row, i) => {
        if (isDistinct(modulated[i]!) === simple) kept[row] = 1
      })
      this.#emit(batch, (row) => kept[row] === 1, activation)
    })
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

const isDistinct = (path: Path): boolean => new Set(path.objects.map(keyOf)).size === path.objects.length

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
