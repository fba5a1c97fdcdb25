import { Path } from "../../../structure/Path.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, VALUE } from "../../plan/Batch.ts"
import type { By, ByColumn } from "./By.ts"

/**
 * Puts each object of each path through the modulator whose turn it is; a path with an object for which its modulator
 * gives nothing is dropped, or with `partial` loses that object. The objects of one place, over all paths, make one batch:
 * a path that is dropped is not asked further, because the modulators may fail for its other objects.
 */
export const modulatePaths = (
  bys: readonly By[],
  paths: ReadonlyArray<Path>,
  activation: Activation,
  done: (rows: ReadonlyArray<number>, paths: ReadonlyArray<Path>) => void,
  partial = false
): void => {
  const modulated = paths.map(() => new Modulated())
  let rows = Array.from(paths.keys())
  let place = 0
  const take = (here: ReadonlyArray<number>, { found, values }: ByColumn): void => {
    here.forEach((row, i) => {
      const isThere = found === null || found[i] === 1
      if (isThere) modulated[row]!.add(values[i], paths[row]!.labels[place]!)
      else if (!partial) modulated[row]!.isDropped = true
    })
    if (found !== null && !partial) rows = rows.filter((row) => !modulated[row]!.isDropped)
    place++
  }
  // A loop for modulators that answer at once: a path may have more places than calls can be inside each other.
  const next = (): void => {
    for (;;) {
      const here = rows.filter((row) => place < paths[row]!.objects.length)
      if (here.length === 0) {
        done(
          rows,
          rows.map((row) => modulated[row]!.path())
        )
        return
      }
      const objects = here.map((row) => paths[row]!.objects[place])
      let [isAtOnce, isDone] = [true, false]
      bys[place % bys.length]!.evaluateObjects(new Batch(VALUE, objects, objects.length), activation, (column) => {
        take(here, column)
        isDone = true
        if (!isAtOnce) next()
      })
      isAtOnce = false
      if (!isDone) return
    }
  }
  next()
}

/** A path that grows by what the modulators give. */
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
