import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import type { Line, Position } from "../../../structure/geoshapes/Shape.ts"
import { shapeOfText } from "../../../structure/geoshapes/WellKnownText.ts"
import type { Double } from "../../../structure/numbers/Numbers.ts"
import type { Budget } from "../budget/Budget.ts"
import { toNumber } from "../types/Casts.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** 32 characters of well-known text count as one item. As a number of bits to shift. */
const CHARS_PER_ITEM_SHIFT = 5

type Factory = (args: readonly unknown[]) => Geoshape | undefined

/** The factories of shapes. They return undefined for a wrong number of arguments. */
const factories: { readonly [name: string]: Factory } = {
  point: (args) => (args.length === 2 ? Geoshape.point(...pair(args)) : undefined),
  circle: (args) => (args.length === 3 ? Geoshape.circle(...pair(args), plainNumber(args[2])) : undefined),
  box: (args) => (args.length === 4 ? Geoshape.box(...pair(args), ...pair(args.slice(2))) : undefined),
  line: ([places, ...more]) => (more.length === 0 && Array.isArray(places) ? Geoshape.line(someOf(places)) : undefined),
  polygon: ([places, ...more]) =>
    more.length === 0 && Array.isArray(places) ? Geoshape.polygon(lineOf(places)) : undefined,
  fromWkt: ([text, ...more]) =>
    more.length === 0 && typeof text === "string" ? Geoshape.of(shapeOfText(text)) : undefined
}

/**
 * A static method of Geoshape: point(), circle() and box() with the latitude first and the radius of a circle in kilometres; line()
 * and polygon() with lists of longitude and latitude; fromWkt() with well-known text. Fails with OperandError.
 */
export const geoshapeOf = (name: string, args: readonly unknown[], budget: Budget): Geoshape => {
  const [first] = args
  const items = Array.isArray(first)
    ? first.length
    : typeof first === "string"
      ? first.length >> CHARS_PER_ITEM_SHIFT
      : 0
  budget.spend(items, `Geoshape.${name}()`)
  try {
    const shape = Object.hasOwn(factories, name) ? factories[name]!(args) : undefined
    if (shape !== undefined) return counted(shape, budget)
  } catch (error) {
    if (error instanceof RangeError) throw new OperandError(`Geoshape.${name}(): ${error.message}`)
    throw error
  }
  throw new OperandError(
    `Geoshape.${name}() with ${args.length} arguments does not exist: shapes are Geoshape.point(latitude, longitude), ` +
      "Geoshape.circle(latitude, longitude, kilometres), Geoshape.box(south, west, north, east), " +
      "Geoshape.line([[longitude, latitude], ...]), Geoshape.polygon([[longitude, latitude], ...]) and " +
      "Geoshape.fromWkt('MULTIPOINT ((7 46), (8 47))')"
  )
}

/** Counts a new shape with its places and returns it. */
export const counted = (shape: Geoshape, budget: Budget): Geoshape => {
  budget.spend(shape.places, "creating a shape")
  budget.created(1 + shape.places)
  return shape
}

/** The places of a line that is not empty: well-known text has empty lines, and JanusGraph's method does not. */
const someOf = (places: readonly unknown[]): Line => {
  if (places.length === 0) throw new RangeError("a line has at least two places")
  return lineOf(places)
}

const lineOf = (places: readonly unknown[]): Line =>
  places.map((place): Position => {
    if (!Array.isArray(place) || place.length !== 2)
      throw new RangeError("a place is a list of a longitude and a latitude")
    return pair(place)
  })

const pair = (values: readonly unknown[]): readonly [number, number] => [plainNumber(values[0]), plainNumber(values[1])]

/** A number of a script as a coordinate. Fails with OperandError for another value. */
export const plainNumber = (value: unknown): number => {
  const number = toNumber(value, "Double")
  return typeof number === "number" ? number : (number as Double).value
}
