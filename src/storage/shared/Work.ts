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

/** All of it, with a yield wherever others may have their turn: after so many units. */
export function* inPieces(works: Iterable<Work>, stride = STRIDE): Generator<void, void> {
  for (const work of works) {
    while (work(stride)) yield
    yield
  }
}

/** Items that are sorted at once. */
const RUN = 1024

/** The items in order, with a yield wherever others may have their turn. Items that are equal keep their order. */
export function* sorted<A>(items: ReadonlyArray<A>, compare: (a: A, b: A) => number): Generator<void, Array<A>> {
  if (items.length <= RUN) return [...items].sort(compare)
  let from: Array<A> = []
  for (let start = 0; start < items.length; start += RUN) {
    for (const item of items.slice(start, start + RUN).sort(compare)) from.push(item)
    yield
  }
  for (let width = RUN; width < items.length; width *= 2) {
    const to: Array<A> = []
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length)
      const end = Math.min(middle + width, from.length)
      let [left, right] = [start, middle]
      while (left < middle || right < end) {
        const isLeft = right === end || (left < middle && compare(from[left]!, from[right]!) <= 0)
        to.push(isLeft ? from[left++]! : from[right++]!)
        if (to.length % RUN === 0) yield
      }
    }
    from = to
  }
  return from
}

/** Runs pieces in slices of 2 ms, the first one at once, and tells what they returned or threw. */
export const inSlices = <A>(
  pieces: Iterator<unknown, A>,
  onEnd: (error: Error | undefined, returned?: A) => void
): void => {
  const slice = (): void => {
    const until = performance.now() + SLICE_MS
    let next: IteratorResult<unknown, A>
    try {
      do next = pieces.next()
      while (!next.done && performance.now() < until)
    } catch (error) {
      onEnd(error instanceof Error ? error : new Error(String(error)))
      return
    }
    if (next.done) onEnd(undefined, next.value)
    else setImmediate(slice)
  }
  slice()
}
