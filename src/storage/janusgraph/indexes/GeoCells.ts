import { type Bounds, boundsOf, type Shape } from "../../../structure/geoshapes/Shape.ts"
import { successor } from "../cells/Cells.ts"
import type { ColumnRange } from "./Ranges.ts"

/**
 * The index of shapes. The map of the earth is a quadtree of 31 levels: the whole earth is one cell of level 0, and
 * each cell has four cells of the next level. The cells of a level are numbered along a Z-curve, so that the cells
 * inside a larger cell have consecutive numbers. A point is indexed under its cell of the deepest level, any other
 * shape under the few cells that cover it. A search for a box reads a few ranges of numbers at each level.
 */

/** The level of the cells of points: about 4 cm at the equator. */
const POINT_LEVEL = 30
/** The levels of the cells of other shapes. */
const SHAPE_LEVELS: ReadonlyArray<number> = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27]
/** The maximum number of cells of a shape, on each side of the 180th meridian. */
const MAX_CELLS_OF_SHAPE = 4
/** The approximate maximum number of ranges that a search reads at each level. */
const MAX_RANGES_OF_LEVEL = 12

const CELL_BYTES = 9

/** The first bytes of the columns of a shape. */
export const cellsOf = (shape: Shape): ReadonlyArray<Buffer> => {
  if (shape.kind === "point") return [cellOf(POINT_LEVEL, placeOf(shape.latitude, shape.longitude, POINT_LEVEL))]
  const around = boundsOf(shape)
  if (around === undefined) return []
  return sidesOf(around).flatMap((bounds) => {
    const level = SHAPE_LEVELS.findLast((level) => cover(bounds, level).length <= MAX_CELLS_OF_SHAPE) ?? 0
    return cover(bounds, level).map((place) => cellOf(level, place))
  })
}

/** Bounds are widened by this margin because of rounding errors. */
const MARGIN_DEGREES = 1e-8

/** The columns of all shapes that may intersect a shape. */
export const shapeRanges = (shape: Shape): ReadonlyArray<ColumnRange> => {
  const around = boundsOf(shape)
  if (around === undefined) return []
  const { east, north, south, west } = around
  const wide = {
    south: south - MARGIN_DEGREES,
    west: west - MARGIN_DEGREES,
    north: north + MARGIN_DEGREES,
    east: east + MARGIN_DEGREES
  }
  const sides = [...sidesOf(wide)]
  // The 180th meridian belongs to both sides of the map.
  if (wide.west <= -180) sides.push({ ...wide, west: 180, east: 180 })
  if (wide.east >= 180) sides.push({ ...wide, west: -180, east: -180 })
  return sides.flatMap((bounds) =>
    [...SHAPE_LEVELS, POINT_LEVEL].flatMap((level) =>
      rangesIn(bounds, level).map(([first, last]) => ({
        start: cellOf(level, first),
        end: successor(cellOf(level, last))
      }))
    )
  )
}

/** Splits a box that crosses the 180th meridian into two. */
const sidesOf = (bounds: Bounds): ReadonlyArray<Bounds> =>
  bounds.west <= bounds.east
    ? [bounds]
    : [
        { ...bounds, east: 180 },
        { ...bounds, west: -180 }
      ]

/** The column and row of a cell in its level. */
interface Place {
  readonly x: number
  readonly y: number
}

const placeOf = (latitude: number, longitude: number, level: number): Place => {
  const cells = 2 ** level
  const at = (part: number): number => Math.min(cells - 1, Math.max(0, Math.floor(part * cells)))
  return { x: at((longitude + 180) / 360), y: at((latitude + 90) / 180) }
}

/** The cells of a level that intersect the box; more than MAX_CELLS_OF_SHAPE arbitrary cells when they are too many. */
const cover = (bounds: Bounds, level: number): ReadonlyArray<Place> => {
  const low = placeOf(bounds.south, bounds.west, level)
  const high = placeOf(bounds.north, bounds.east, level)
  const count = (high.x - low.x + 1) * (high.y - low.y + 1)
  if (count > MAX_CELLS_OF_SHAPE) return Array.from({ length: MAX_CELLS_OF_SHAPE + 1 }, () => low)
  const places: Array<Place> = []
  for (let y = low.y; y <= high.y; y++) for (let x = low.x; x <= high.x; x++) places.push({ x, y })
  return places
}

/**
 * Ranges of cells of a level that cover the box, each as its first and last cell. The ranges include other cells where
 * exact ranges would be too many.
 */
const rangesIn = (bounds: Bounds, level: number): ReadonlyArray<readonly [Place, Place]> => {
  const low = placeOf(bounds.south, bounds.west, level)
  const high = placeOf(bounds.north, bounds.east, level)
  const whole: Array<Square> = []
  let open: ReadonlyArray<Square> = [{ x: 0, y: 0, depth: 0 }]
  while (open.length > 0 && whole.length + open.length < MAX_RANGES_OF_LEVEL) {
    const next: Array<Square> = []
    for (const square of open) {
      const width = 2 ** (level - square.depth)
      const [west, south] = [square.x * width, square.y * width]
      if (west > high.x || south > high.y || west + width <= low.x || south + width <= low.y) continue
      const isInside = west >= low.x && south >= low.y && west + width - 1 <= high.x && south + width - 1 <= high.y
      if (isInside || square.depth === level) whole.push(square)
      else {
        for (const [dx, dy] of quarters) {
          next.push({ x: square.x * 2 + dx, y: square.y * 2 + dy, depth: square.depth + 1 })
        }
      }
    }
    open = next
  }
  return [...whole, ...open.filter((square) => meets(square, level, low, high))].map(({ x, y, depth }) => {
    const width = 2 ** (level - depth)
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

const meets = ({ x, y, depth }: Square, level: number, low: Place, high: Place): boolean => {
  const width = 2 ** (level - depth)
  return x * width <= high.x && y * width <= high.y && (x + 1) * width > low.x && (y + 1) * width > low.y
}

/** Encodes a cell: its level, and its number on the Z-curve in 8 bytes. */
const cellOf = (level: number, { x, y }: Place): Buffer => {
  const bytes = Buffer.alloc(CELL_BYTES)
  bytes[0] = level
  // 15 bits of each coordinate at a time, so that the result fits 32 bits.
  bytes.writeUInt32BE(interleaved(Math.floor(x / 32_768), Math.floor(y / 32_768)), 1)
  bytes.writeUInt32BE(interleaved(x % 32_768, y % 32_768), 5)
  return bytes
}

const interleaved = (x: number, y: number): number => spread(x) + 2 * spread(y)

/** Inserts a zero before each of 16 bits. */
const spread = (bits: number): number => {
  let value = bits
  value = (value | (value << 8)) & 0x00ff00ff
  value = (value | (value << 4)) & 0x0f0f0f0f
  value = (value | (value << 2)) & 0x33333333
  return (value | (value << 1)) & 0x55555555
}
