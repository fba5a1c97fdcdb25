import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import type { Path } from "../../../structure/elements/Path.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { stringArgument } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import { nodesOf, objectOf, pathOf, pathTask } from "../../machine/Paths.ts"
import { flushTask, passTask, runTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup, Needs } from "../../plan/Activation.ts"
import type { Batch, PathNode } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { insideLocal, type PlanBuilder } from "../../plan/Step.ts"
import { accumulating, reducing, type StepTraits } from "../../plan/StepTraits.ts"
import { modulatedPaths, pathReads } from "../shared/ModulatedPaths.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { emitPart } from "./CountStep.ts"
import { described } from "./MapJoin.ts"

const traits = reducing({ work: "collects", answersEmpty: true, children: "asked" })
const sideEffect = accumulating("asked")

/** tree(): the paths of all traversers as one tree; tree('key') builds the tree in a side effect. */
class TreeStep extends ModulatedStep {
  readonly operator = "tree"
  readonly name: string
  readonly traits: StepTraits
  /** The side effect's key; null for the reducing form. */
  readonly key: string | null

  constructor(key: string | null, compiler: PlanBuilder) {
    super()
    this.key = key
    this.name = key === null ? "TreeStep" : "TreeSideEffectStep"
    this.traits = key === null ? traits : sideEffect
    if (key !== null) compiler.sideEffect(key, () => new Tree(new GremlinMap()))
  }

  override require(needs: Needs): void {
    needs.path = 2
    if (this.key !== null && insideLocal(this)) needs.sequential = true
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    if (this.modulators.length === 0) return []
    return pathReads(
      this.modulators,
      (batch.path ?? []).map((node) => pathOf(node, activation.transaction))
    )
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#grown(batch, activation))
  }

  *#grown(batch: Batch, activation: Activation): Task {
    const { cells } = activation.group(this, batch.loops)
    if (this.modulators.length === 0) yield* this.#addNodes(batch, activation, cells)
    else yield* this.#addShaped(batch, activation, cells)
    activation.run.hold(batch.length * 64)
    if (this.key !== null) cells.push(batch)
  }

  /** Consecutive paths often share a prefix: the nodes found for the previous path are reused. */
  *#addNodes(batch: Batch, activation: Activation, cells: Array<unknown>): Task {
    let before: ReadonlyArray<PathNode> = []
    let trees: Array<Tree> = []
    let steps = 0
    rows: for (let row = 0; row < batch.length; row++) {
      const nodes = nodesOf(batch.path?.[row] ?? null)
      const root = yield* this.#treeOf(row, batch, activation, cells)
      let shared = 0
      if (trees[0] === root) while (shared < before.length && before[shared] === nodes[shared]) shared++
      trees = shared === 0 ? [root] : trees.slice(0, shared + 1)
      for (let place = shared; place < nodes.length; place++) {
        const object = objectOf(nodes[place]!, activation.transaction)
        activation.run.sideEffects.takes(object)
        if (this.#isOwned(root, activation)) trees.push(branchOf(trees[place]!, object))
        if (activation.slice.isOverAfter(++steps, object)) yield
        if (this.#isOwned(root, activation)) continue
        row--
        continue rows
      }
      before = nodes
    }
  }

  *#addShaped(batch: Batch, activation: Activation, cells: Array<unknown>): Task {
    const { slice, transaction } = activation
    const whole: Array<Path> = []
    for (let row = 0; row < batch.length; row++) {
      const node = batch.path?.[row] ?? null
      const isLong = node !== null && node.length > CHUNK_ITEMS
      whole.push(isLong ? yield* pathTask(node, transaction, slice) : pathOf(node, transaction))
    }
    const { paths, rows } = yield* modulatedPaths(this.modulators, whole, activation, true)
    let steps = 0
    ways: for (let i = 0; i < paths.length; i++) {
      const root = yield* this.#treeOf(rows[i]!, batch, activation, cells)
      let at = root
      for (const object of paths[i]!.objects) {
        activation.run.sideEffects.takes(object)
        if (this.#isOwned(root, activation)) at = branchOf(at, object)
        if (activation.slice.isOverAfter(++steps, object)) yield
        if (this.#isOwned(root, activation)) continue
        i--
        continue ways
      }
    }
  }

  /** The tree to which a row's path is added. */
  *#treeOf(row: number, batch: Batch, activation: Activation, cells: Array<unknown>): Task<Tree> {
    if (this.key === null) {
      const origin = batch.originOf(row)
      cells[origin] ??= new Tree(new GremlinMap())
      return cells[origin] as Tree
    }
    const collected = activation.run.sideEffects.at(this.key)
    if (!(collected.current instanceof Tree)) {
      throw new TraversalError(
        `tree() adds to a tree, but its side effect holds ${described(collected.current)}. Use another side-effect key.`
      )
    }
    if (!collected.isOwned) yield* collected.own(activation.slice)
    return collected.current as Tree
  }

  /**
   * False if the side effect's tree was read between two time slices. The path is then added to a copy, starting at the
   * root.
   */
  #isOwned(root: Tree, { run }: Activation): boolean {
    if (this.key === null) return true
    const collected = run.sideEffects.at(this.key)
    return collected.isOwned && collected.current === root
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    if (this.key === null) {
      return emitPart(this, group, activation, (i) => group.cells[i] ?? new Tree(new GremlinMap()))
    }
    return flushTask(this, group, () => passTask(this, group.cells as ReadonlyArray<Batch>, activation))
  }
}

/** The subtree of a key; created if missing. */
const branchOf = ({ children }: Tree, key: unknown): Tree => {
  const known = children.get(key) as Tree | undefined
  if (known !== undefined) return known
  const made = new Tree(new GremlinMap())
  children.set(key, made)
  return made
}

/** The operator tree(). */
export const treeSteps: Operators = {
  tree: stepOperator(
    noParameters,
    (args, compiler) =>
      new TreeStep(args.length === 0 ? null : stringArgument("tree", args[0], "side-effect key"), compiler)
  )
}
