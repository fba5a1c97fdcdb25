import { type Bounds, boundsOf, type Shape } from "../../../structure/Geoshape.ts"
import { successor } from "../cells/Cells.ts"
import type { ColumnRange } from "./Ranges.ts"

/**
 * The earth as a square of cells, each cut into four smaller ones thirty times, numbered along a Z-curve: the cells
 * inside a larger one have numbers next to each other. A point is kept under the smallest cell that it is in, another
 * shape under the few cells that cover it, so that a search for a box reads a few ranges of numbers at each size of
 * cells.
 */

/** Cells of points: about 4 cm at the equator. */
const SMALLEST = 30
/** Sizes of the cells of other shapes: 0 is the whole earth. */
const SIZES: ReadonlyArray<number> = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27]
/** Cells that one shape other than a point is kept under, at most, for each side of the 180th meridian. */
const COVER = 4
/** Ranges of one size that a search reads, at most about. */
const RANGES = 12

const CELL_BYTES = 9

/** The begins of the columns of a shape. */
export const cellsOf = (shape: Shape): ReadonlyArray<Buffer> => {
  if (shape.kind === "point") return [cellOf(SMALLEST, placeOf(shape.latitude, shape.longitude, SMALLEST))]
  return sidesOf(boundsOf(shape)).flatMap((bounds) => {
    const size = SIZES.findLast((size) => cover(bounds, size).length <= COVER) ?? 0
    return cover(bounds, size).map((place) => cellOf(size, place))
  })
}

/** What calculating with angles may lose, degrees. */
const MARGIN = 1e-8

/** The columns of all shapes that may have a place in common with one. */
export const shapeRanges = (shape: Shape): ReadonlyArray<ColumnRange> => {
  const { east, north, south, west } = boundsOf(shape)
  const wide = { south: south - MARGIN, west: west - MARGIN, north: north + MARGIN, east: east + MARGIN }
  const sides = [...sidesOf(wide)]
  // The 180th meridian is on both sides.
  if (wide.west <= -180) sides.push({ ...wide, west: 180, east: 180 })
  if (wide.east >= 180) sides.push({ ...wide, west: -180, east: -180 })
  return sides.flatMap((bounds) =>
    [...SIZES, SMALLEST].flatMap((size) =>
      numbersIn(bounds, size).map(([first, last]) => ({
        start: cellOf(size, first),
        end: successor(cellOf(size, last))
      }))
    )
  )
}

/** A box that does not go over the 180th meridian, or the two parts of one that does. */
const sidesOf = (bounds: Bounds): ReadonlyArray<Bounds> =>
  bounds.west <= bounds.east
    ? [bounds]
    : [
        { ...bounds, east: 180 },
        { ...bounds, west: -180 }
      ]

/** A cell of some size, by its column and row. */
interface Place {
  readonly x: number
  readonly y: number
}

const placeOf = (latitude: number, longitude: number, size: number): Place => {
  const cells = 2 ** size
  const at = (part: number): number => Math.min(cells - 1, Math.max(0, Math.floor(part * cells)))
  return { x: at((longitude + 180) / 360), y: at((latitude + 90) / 180) }
}

/** The cells of a size that have a place of the box; when they are too many, a list that is too long. */
const cover = (bounds: Bounds, size: number): ReadonlyArray<Place> => {
  const low = placeOf(bounds.south, bounds.west, size)
  const high = placeOf(bounds.north, bounds.east, size)
  const count = (high.x - low.x + 1) * (high.y - low.y + 1)
  if (count > COVER) return Array.from({ length: COVER + 1 }, () => low)
  const places: Array<Place> = []
  for (let y = low.y; y <= high.y; y++) for (let x = low.x; x <= high.x; x++) places.push({ x, y })
  return places
}

/** Ranges of cells of a size that together cover the box, by their places; some more where there would be too many. */
const numbersIn = (bounds: Bounds, size: number): ReadonlyArray<readonly [Place, Place]> => {
  const low = placeOf(bounds.south, bounds.west, size)
  const high = placeOf(bounds.north, bounds.east, size)
  const whole: Array<Square> = []
  let open: ReadonlyArray<Square> = [{ x: 0, y: 0, depth: 0 }]
  while (open.length > 0 && whole.length + open.length < RANGES) {
    const next: Array<Square> = []
    for (const square of open) {
      const width = 2 ** (size - square.depth)
      const [west, south] = [square.x * width, square.y * width]
      if (west > high.x || south > high.y || west + width <= low.x || south + width <= low.y) continue
      const isInside = west >= low.x && south >= low.y && west + width - 1 <= high.x && south + width - 1 <= high.y
      if (isInside || square.depth === size) whole.push(square)
      else {
        for (const [dx, dy] of quarters) {
          next.push({ x: square.x * 2 + dx, y: square.y * 2 + dy, depth: square.depth + 1 })
        }
      }
    }
    open = next
  }
  return [...whole, ...open.filter((square) => meets(square, size, low, high))].map(({ x, y, depth }) => {
    const width = 2 ** (size - depth)
    return [
      { x: x * width, y: y * width },
      { x: (x + 1) * width - 1, y: (y + 1) * width - 1 }
    ] as const
  })
}

interface Square extends Place {
  readonly depth: number
}

const quarters = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1]
] as const

const meets = ({ x, y, depth }: Square, size: number, low: Place, high: Place): boolean => {
  const width = 2 ** (size - depth)
  return x * width <= high.x && y * width <= high.y && (x + 1) * width > low.x && (y + 1) * width > low.y
}

/** The size and the number of a cell: eight bytes that sort along the curve. */
const cellOf = (size: number, { x, y }: Place): Buffer => {
  const bytes = Buffer.alloc(CELL_BYTES)
  bytes[0] = size
  // Fifteen bits of both at a time, so that plain numbers do.
  bytes.writeUInt32BE(interleaved(Math.floor(x / 32_768), Math.floor(y / 32_768)), 1)
  bytes.writeUInt32BE(interleaved(x % 32_768, y % 32_768), 5)
  return bytes
}

const interleaved = (x: number, y: number): number => spread(x) + 2 * spread(y)

/** A zero before each of sixteen bits. */
const spread = (bits: number): number => {
  let value = bits
  value = (value | (value << 8)) & 0x00ff00ff
  value = (value | (value << 4)) & 0x0f0f0f0f
  value = (value | (value << 2)) & 0x33333333
  return (value | (value << 1)) & 0x55555555
}
