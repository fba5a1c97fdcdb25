/** Milliseconds that long work goes on at a time; between, the event loop serves others. */
const SLICE_MS = 2
/** Units of work between two looks at the clock: each takes a few microseconds at most. */
const STRIDE = 128

/** A part of a long piece of work: does at most so many units of it, and tells whether any are left. */
export type Work = (most: number) => boolean

/** Does something with each place up to a count. */
export const each = (count: number, one: (at: number) => void): Work => {
  let at = 0
  return (most) => {
    const end = Math.min(count, at + most)
    while (at < end) one(at++)
    return at < count
  }
}

/** Does something with each item. */
export const eachOf = <A>(items: Iterable<A>, one: (item: A) => void): Work => {
  const iterator = items[Symbol.iterator]()
  return (most) => {
    for (let count = 0; count < most; count++) {
      const next = iterator.next()
      if (next.done) return false
      one(next.value)
    }
    return true
  }
}

/** All of it, at once. */
export const atOnce = (works: ReadonlyArray<Work>): void => {
  for (const work of works) work(Number.POSITIVE_INFINITY)
}

/** All of it, with a yield wherever others may have their turn. */
export function* inPieces(works: Iterable<Work>): Generator<void, void> {
  for (const work of works) {
    while (work(STRIDE)) yield
    yield
  }
}

/** Runs pieces in slices of 2 ms, the first one at once, and tells when they are done or have thrown. */
export const inSlices = (pieces: Iterator<unknown>, onEnd: (error: Error | undefined) => void): void => {
  const slice = (): void => {
    const until = performance.now() + SLICE_MS
    try {
      do {
        if (pieces.next().done) {
          onEnd(undefined)
          return
        }
      } while (performance.now() < until)
    } catch (error) {
      onEnd(error instanceof Error ? error : new Error(String(error)))
      return
    }
    setImmediate(slice)
  }
  slice()
}
