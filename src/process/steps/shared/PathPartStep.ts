import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { Path } from "../../../structure/elements/Path.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { isEnum, stringArgument } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import { pathOf, pathTask } from "../../machine/Paths.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import type { Batch, PathNode } from "../../plan/Batch.ts"
import type { PlanBuilder } from "../../plan/Step.ts"
import { pathReads } from "./ModulatedPaths.ts"
import { ModulatedStep } from "./ModulatedStep.ts"

/** Base of steps over the path of a traverser, or over the part of it between the labels of from() and to(). */
export abstract class PathPartStep extends ModulatedStep {
  protected from: string | null = null
  protected to: string | null = null

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator === "from") this.from = stringArgument("from", args[0], "label")
    else if (operator === "to" && !isEnum(args[0], "Direction")) this.to = stringArgument("to", args[0], "label")
    else super.modulate(operator, args, compiler)
  }

  override require(needs: Needs): void {
    needs.path = 2
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    if (this.modulators.length === 0) return []
    return pathReads(
      this.modulators,
      (batch.path ?? []).map((node) => this.part(node, activation))
    )
  }

  /** The part of a path between from() and to(), both included. Throws TraversalError if a label is not on the path. */
  protected part(node: PathNode | null, activation: Activation): Path {
    return this.#partOf(pathOf(node, activation.transaction))
  }

  /** The part of the path of each row, with yields. */
  protected *parts(batch: Batch, activation: Activation): Task<Array<Path>> {
    const parts: Array<Path> = []
    for (let row = 0; row < batch.length; row++) {
      const node = batch.path?.[row] ?? null
      if (node === null || node.length <= CHUNK_ITEMS) parts.push(this.part(node, activation))
      else parts.push(this.#partOf(yield* pathTask(node, activation.transaction, activation.slice)))
      if (activation.slice.isOverAfter(parts.length)) yield
    }
    return parts
  }

  #partOf(path: Path): Path {
    if (this.from === null && this.to === null) return path
    const start = this.from === null ? 0 : positionOf(path, this.from, "from")
    const end = this.to === null ? path.objects.length : positionOf(path, this.to, "to") + 1
    if (start >= end) {
      throw new TraversalError(
        `Could not isolate path because from comes after to: ${this.from}->${this.to}. Exchange the labels of from() and to()`
      )
    }
    return new Path(path.objects.slice(start, end), path.labels.slice(start, end))
  }
}

const positionOf = (path: Path, label: string, which: string): number => {
  const at = path.labels.findLastIndex((labels) => labels.has(label))
  if (at >= 0) return at
  throw new TraversalError(`Could not locate path ${which}-label: ${label}. Label a step before it with as("${label}")`)
}
