import type { Reads } from "../../../structure/GraphStore.ts"
import { Path } from "../../../structure/Path.ts"
import type { Compiler, StepBuilder } from "../../compiler/Compiler.ts"
import { isEnum, stringArgument } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import type { Activation } from "../../machine/Activation.ts"
import { Batch, type PathNode, VALUE } from "../../machine/Batch.ts"
import { pathOf } from "../../machine/Paths.ts"
import { valueReads } from "../../machine/Reads.ts"
import type { Needs } from "../../plan/Step.ts"
import type { By, ByColumn } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"

/** path(): the way of the traverser, each object through the by() whose turn it is. */
class PathStep extends ModulatedStep {
  readonly operator = "path"
  readonly name = "PathStep"
  #from: string | null = null
  #to: string | null = null

  override modulate(operator: string, args: readonly unknown[], compiler: Compiler): void {
    if (operator === "from") this.#from = stringArgument("from", args[0], "label")
    else if (operator === "to" && !isEnum(args[0], "Direction")) this.#to = stringArgument("to", args[0], "label")
    else super.modulate(operator, args, compiler)
  }

  override require(needs: Needs): void {
    needs.path = 2
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    if (this.modulators.length === 0) return []
    const objects = (batch.path ?? []).flatMap((node) => pathOf(node, activation.transaction).objects)
    return valueReads(objects, activation.transaction)
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

/** The part of a path between two labels, both included. Throws TraversalError where a label is not on it. */
export const subPath = (path: Path, from: string | null, to: string | null): Path => {
  if (from === null && to === null) return path
  const start = from === null ? 0 : placeOf(path, from, "from")
  const end = to === null ? path.objects.length : placeOf(path, to, "to") + 1
  return new Path(path.objects.slice(start, end), path.labels.slice(start, end))
}

/**
 * Puts each object of each path through the modulator whose turn it is; a path with an object for which its modulator
 * gives nothing is dropped, or with `partial` loses that object. The objects of one modulator, over all paths, make one batch.
 */
export const modulatePaths = (
  bys: readonly By[],
  paths: ReadonlyArray<Path>,
  activation: Activation,
  done: (rows: ReadonlyArray<number>, paths: ReadonlyArray<Path>) => void,
  partial = false
): void => {
  const results: Array<ByColumn> = []
  const next = (): void => {
    const k = results.length
    if (k === bys.length) {
      finish(bys.length, paths, results, partial, done)
      return
    }
    const objects: Array<unknown> = []
    for (const path of paths) for (let i = k; i < path.objects.length; i += bys.length) objects.push(path.objects[i])
    if (objects.length === 0) {
      results.push({ values: [], found: null })
      next()
      return
    }
    bys[k]!.evaluateObjects(new Batch(VALUE, objects, objects.length), activation, (column) => {
      results.push(column)
      next()
    })
  }
  next()
}

const finish = (
  count: number,
  paths: ReadonlyArray<Path>,
  columns: ReadonlyArray<ByColumn>,
  partial: boolean,
  done: (rows: ReadonlyArray<number>, paths: ReadonlyArray<Path>) => void
): void => {
  const at = new Array<number>(count).fill(0)
  const rows: Array<number> = []
  const out: Array<Path> = []
  paths.forEach((path, row) => {
    const objects: Array<unknown> = []
    const labels: Array<ReadonlySet<string>> = []
    path.objects.forEach((_, i) => {
      const column = columns[i % count]!
      const place = at[i % count]!++
      if (column.found !== null && column.found[place] === 0) return
      objects.push(column.values[place])
      labels.push(path.labels[i]!)
    })
    if (objects.length < path.objects.length && !partial) return
    rows.push(row)
    out.push(new Path(objects, labels))
  })
  done(rows, out)
}

export const pathSteps: Readonly<Record<string, StepBuilder>> = {
  path: (args) => {
    if (args.length > 0) throw new TraversalInvalid("path() takes no arguments; use by() to shape its objects")
    return new PathStep()
  }
}
