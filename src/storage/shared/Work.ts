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

/** All of it, with a yield wherever others may have their turn: after so many units. */
export function* inPieces(works: Iterable<Work>, stride = STRIDE): Generator<void, void> {
  for (const work of works) {
    while (work(stride)) yield
    yield
  }
}
