import type { Bounds, Line, Position } from "./Shape.ts"

// Straight pieces of lines and rings on the map, and where they meet.

/** A straight piece from one place to another one. */
export interface Segment {
  readonly from: Position
  readonly to: Position
}

/** Places that are nearer to each other than this are the same: 10 micrometres, more than the rounding errors. */
const TOLERANCE_DEGREES = 1e-10

/** The maximum number of pairs of segments that one comparison of two shapes looks at: about 20 ms. */
const MAX_PAIRS = 1_000_000

/** Counts the pairs of segments that several sweeps look at together. */
export class PairCount {
  readonly #most: number
  #pairs = 0

  constructor(most = MAX_PAIRS) {
    this.#most = most
  }

  /** Throws RangeError when there are too many pairs in total. */
  add(pairs: number): void {
    this.#pairs += pairs
    if (this.#pairs <= this.#most) return
    throw new RangeError(`shapes with more than ${this.#most} pairs of edges near each other are not compared`)
  }
}

/** The segments of lines and rings. */
export const segmentsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Segment> => {
  const segments: Array<Segment> = []
  for (const line of lines) for (let i = 1; i < line.length; i++) segments.push({ from: line[i - 1]!, to: line[i]! })
  return segments
}

/** The segments that may have a place in a box, which does not cross the 180th meridian. */
export const segmentsNear = (segments: ReadonlyArray<Segment>, box: Bounds): ReadonlyArray<Segment> =>
  segments.filter(({ from, to }) => {
    const margin = TOLERANCE_DEGREES
    return (
      Math.max(from[0], to[0]) >= box.west - margin &&
      Math.min(from[0], to[0]) <= box.east + margin &&
      Math.max(from[1], to[1]) >= box.south - margin &&
      Math.min(from[1], to[1]) <= box.north + margin
    )
  })

const westOf = ({ from, to }: Segment): number => Math.min(from[0], to[0])
const eastOf = ({ from, to }: Segment): number => Math.max(from[0], to[0])

/** The ends of segments in the west and the east, and the positions of the segments from west to east. */
const sweepOf = (segments: ReadonlyArray<Segment>) => {
  const wests = Float64Array.from(segments, westOf)
  const easts = Float64Array.from(segments, eastOf)
  return { wests, easts, order: Uint32Array.from(segments.keys()).sort((a, b) => wests[a]! - wests[b]!) }
}

/** Removes the segments that end in the west of a longitude, in place: a new list for each step would take seconds in large shapes. */
const leave = (open: Array<number>, easts: Float64Array, longitude: number): void => {
  let kept = 0
  for (const at of open) if (easts[at]! >= longitude) open[kept++] = at
  open.length = kept
}

/**
 * Visits the pairs of segments that overlap in their longitudes, by their positions in the lists, until a visit returns true. A
 * sweep from west to east finds them. Throws RangeError above the limit of `count`.
 */
export const somePair = (
  first: ReadonlyArray<Segment>,
  second: ReadonlyArray<Segment>,
  visit: (first: number, second: number) => boolean,
  count = new PairCount()
): boolean => {
  const left = sweepOf(first)
  const right = second === first ? left : sweepOf(second)
  const openLeft: Array<number> = []
  const openRight: Array<number> = []
  let [a, b] = [0, 0]
  while (a < left.order.length || b < right.order.length) {
    const nextA = a < left.order.length ? left.wests[left.order[a]!]! : Number.POSITIVE_INFINITY
    const nextB = b < right.order.length ? right.wests[right.order[b]!]! : Number.POSITIVE_INFINITY
    const isLeft = nextA <= nextB
    const added = isLeft ? left.order[a++]! : right.order[b++]!
    const others = isLeft ? openRight : openLeft
    leave(others, (isLeft ? right : left).easts, Math.min(nextA, nextB) - TOLERANCE_DEGREES)
    count.add(others.length)
    for (const at of others) if (isLeft ? visit(added, at) : visit(at, added)) return true
    const own = isLeft ? openLeft : openRight
    own.push(added)
  }
  return false
}

/** Twice the area of a triangle: positive when the third place is to the left of the first two. */
const turn = (a: Position, b: Position, c: Position): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

/** True when a place is on a segment. */
export const isOn = (place: Position, { from, to }: Segment): boolean => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const square = dx * dx + dy * dy
  const at = square === 0 ? 0 : ((place[0] - from[0]) * dx + (place[1] - from[1]) * dy) / square
  const along = Math.min(1, Math.max(0, at))
  return (
    Math.abs(place[0] - from[0] - along * dx) <= TOLERANCE_DEGREES &&
    Math.abs(place[1] - from[1] - along * dy) <= TOLERANCE_DEGREES
  )
}

/** True when two segments have a place in common. */
export const segmentsMeet = (a: Segment, b: Segment): boolean => {
  if (Math.max(a.from[1], a.to[1]) < Math.min(b.from[1], b.to[1]) - TOLERANCE_DEGREES) return false
  if (Math.max(b.from[1], b.to[1]) < Math.min(a.from[1], a.to[1]) - TOLERANCE_DEGREES) return false
  const isCrossed =
    turn(a.from, a.to, b.from) > 0 !== turn(a.from, a.to, b.to) > 0 &&
    turn(b.from, b.to, a.from) > 0 !== turn(b.from, b.to, a.to) > 0
  return isCrossed || isOn(a.from, b) || isOn(a.to, b) || isOn(b.from, a) || isOn(b.to, a)
}

/** True when two segments cross each other between their ends. */
export const segmentsCross = (a: Segment, b: Segment): boolean =>
  turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) < 0 && turn(b.from, b.to, a.from) * turn(b.from, b.to, a.to) < 0

/** The positions along `segment`, from 0 to 1, at which another one begins, ends or crosses it. */
export const cutsOf = (segment: Segment, other: Segment): ReadonlyArray<number> => {
  const { from, to } = segment
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const square = dx * dx + dy * dy
  if (square === 0) return []
  const cuts: Array<number> = []
  for (const end of [other.from, other.to]) {
    if (isOn(end, segment)) cuts.push(((end[0] - from[0]) * dx + (end[1] - from[1]) * dy) / square)
  }
  const left = turn(other.from, other.to, from)
  const right = turn(other.from, other.to, to)
  if (left > 0 !== right > 0 && left !== right) cuts.push(left / (left - right))
  return cuts.filter((cut) => cut > 0 && cut < 1)
}

/** The place at a position from 0 to 1 along a segment. */
export const placeAt = ({ from, to }: Segment, along: number): Position => [
  from[0] + along * (to[0] - from[0]),
  from[1] + along * (to[1] - from[1])
]
