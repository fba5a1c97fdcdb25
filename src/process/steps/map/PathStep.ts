import type { Reads } from "../../../structure/GraphReads.ts"
import { Path } from "../../../structure/Path.ts"
import { isEnum, stringArgument } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { pathOf } from "../../machine/Paths.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, type PathNode, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import type { PlanBuilder } from "../../plan/Step.ts"
import { mapping } from "../../plan/StepTraits.ts"
import { modulatePaths, pathReads } from "../shared/ModulatedPaths.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"

const traits = mapping({ limits: "pass", labels: "none", children: "asked" })

/** path(): the path of the traverser. The by() modulators apply to its objects in turn. */
class PathStep extends ModulatedStep {
  readonly operator = "path"
  readonly name = "PathStep"
  readonly traits = traits
  #from: string | null = null
  #to: string | null = null

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator === "from") this.#from = stringArgument("from", args[0], "label")
    else if (operator === "to" && !isEnum(args[0], "Direction")) this.#to = stringArgument("to", args[0], "label")
    else super.modulate(operator, args, compiler)
  }

  override require(needs: Needs): void {
    needs.path = 2
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    if (this.modulators.length === 0) return []
    return pathReads(
      this.modulators,
      (batch.path ?? []).map((node) => this.#path(node, activation))
    )
  }

  override run(batch: Batch, activation: Activation): undefined {
    const paths = new Array<Path>(batch.length)
    for (let row = 0; row < paths.length; row++) paths[row] = this.#path(batch.path?.[row] ?? null, activation)
    if (this.modulators.length === 0) {
      activation.emitData(this, batch, null, VALUE, paths, paths.length)
      return
    }
    modulatePaths(this.modulators, paths, activation, (rows, values) => {
      activation.emitData(this, batch, rows, VALUE, values, values.length)
    })
  }

  #path(node: PathNode | null, activation: Activation): Path {
    const path = pathOf(node, activation.transaction)
    return subPath(path, this.#from, this.#to)
  }
}

const placeOf = (path: Path, label: string, which: string): number => {
  const at = path.labels.findLastIndex((labels) => labels.has(label))
  if (at >= 0) return at
  throw new TraversalError(`Could not locate path ${which}-label: ${label}. Label a step before it with as("${label}")`)
}

/** The part of a path between two labels, both included. Throws TraversalError if a label is not on the path. */
export const subPath = (path: Path, from: string | null, to: string | null): Path => {
  if (from === null && to === null) return path
  const start = from === null ? 0 : placeOf(path, from, "from")
  const end = to === null ? path.objects.length : placeOf(path, to, "to") + 1
  return new Path(path.objects.slice(start, end), path.labels.slice(start, end))
}

/** The operator path(). */
export const pathSteps: Operators = {
  path: stepOperator(noParameters, (args) => {
    if (args.length > 0) throw new TraversalInvalid("path() takes no arguments; use by() to shape its objects")
    return new PathStep()
  })
}
