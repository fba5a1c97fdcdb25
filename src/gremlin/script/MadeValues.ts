import { Geoshape } from "../../structure/Geoshape.ts"
import type { Double } from "../../structure/Numbers.ts"
import { Uuid } from "../../structure/Temporal.ts"
import { OperandError } from "./Budget.ts"
import { toNumber } from "./Casts.ts"

/** Geoshape.point(), circle() and box(): latitude first, and the radius of a circle in kilometres. Fails with OperandError. */
export const geoshapeOf = (name: string, args: readonly unknown[]): Geoshape => {
  if (!["point", "circle", "box"].includes(name)) {
    throw new OperandError(
      `there is no Geoshape.${name}(): this server makes points, circles and boxes. Lines and polygons that JanusGraph wrote ` +
        "are kept and shown, and cannot be compared"
    )
  }
  const numbers = args.map((arg) => plainNumber(arg))
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers
  try {
    if (name === "point" && numbers.length === 2) return Geoshape.point(first, second)
    if (name === "circle" && numbers.length === 3) return Geoshape.circle(first, second, third)
    if (name === "box" && numbers.length === 4) return Geoshape.box(first, second, third, fourth)
  } catch (error) {
    if (error instanceof RangeError) throw new OperandError(`Geoshape.${name}(): ${error.message}`)
    throw error
  }
  throw new OperandError(
    "shapes are Geoshape.point(latitude, longitude), Geoshape.circle(latitude, longitude, kilometres) and " +
      "Geoshape.box(south, west, north, east)"
  )
}

const plainNumber = (value: unknown): number => {
  const number = toNumber(value, "Double")
  return typeof number === "number" ? number : (number as Double).value
}

/** The UUID with this text. Fails with OperandError. */
export const uuidOf = (text: string): Uuid => {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return new Uuid(text)
  throw new OperandError(`${JSON.stringify(text.slice(0, 60))} is not a UUID`)
}
