import type { Task } from "../../../scheduling/Task.ts"
import { Path } from "../../../structure/elements/Path.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { answered } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, VALUE } from "../../plan/Batch.ts"
import type { By, ByColumn } from "./By.ts"

/** What {@link modulatedPaths} reads of the objects of the paths: each modulator, of the objects at its places. */
export const pathReads = (bys: readonly By[], paths: ReadonlyArray<Path>): readonly Reads[] =>
  bys.flatMap((by, k) => {
    const objects = paths.flatMap(({ objects }) => objects.filter((_, place) => place % bys.length === k))
    return by.reads(new Batch(VALUE, objects, objects.length))
  })

/** Paths of modulated objects, and the rows to which they belong. */
interface PathsOfRows {
  readonly rows: ReadonlyArray<number>
  readonly paths: ReadonlyArray<Path>
}

/**
 * Applies the modulators in turn to the objects of each path. If a modulator returns no value for an object, the path
 * is dropped; with `partial`, only the object is dropped. The objects at one position of all paths form one batch. A
 * dropped path is skipped from then on, because the modulators could fail for its other objects.
 */
export function* modulatedPaths(
  bys: readonly By[],
  paths: ReadonlyArray<Path>,
  activation: Activation,
  partial = false
): Task<PathsOfRows> {
  const modulated = paths.map(() => new Modulated())
  let rows = Array.from(paths.keys())
  for (let place = 0; ; place++) {
    const here = rows.filter((row) => place < paths[row]!.objects.length)
    if (here.length === 0) return { rows, paths: rows.map((row) => modulated[row]!.path()) }
    const objects = here.map((row) => paths[row]!.objects[place])
    const { found, values } = yield* answered<ByColumn>((done) =>
      bys[place % bys.length]!.evaluateObjects(new Batch(VALUE, objects, objects.length), activation, done)
    )
    here.forEach((row, i) => {
      const isThere = found === null || found[i] === 1
      if (isThere) modulated[row]!.add(values[i], paths[row]!.labels[place]!)
      else if (!partial) modulated[row]!.isDropped = true
    })
    if (found !== null && !partial) rows = rows.filter((row) => !modulated[row]!.isDropped)
    if (activation.slice.isOverAfter(place + 1)) yield
  }
}

/** A path built from the results of the modulators. */
class Modulated {
  readonly #objects: Array<unknown> = []
  readonly #labels: Array<ReadonlySet<string>> = []
  isDropped = false

  add(object: unknown, labels: ReadonlySet<string>): void {
    this.#objects.push(object)
    this.#labels.push(labels)
  }

  path(): Path {
    return new Path(this.#objects, this.#labels)
  }
}
