import { Geoshape, JavaClass, JavaEnum, JsonText } from "./codec/JavaValues.ts"

/** A stored value as clients see it: types that the Gremlin language does not have become texts. */
export const visible = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Geoshape) return shapeText(value)
  if (value instanceof JsonText) return value.text
  if (value instanceof JavaEnum) return value.name
  return value instanceof JavaClass ? value.attribute : value
}

const POINT = 1
const RECTANGLE = 2
const CIRCLE = 3

/** A shape as well-known text: `POINT (7.45 46.95)`; other shapes than point, box and circle in hex. */
const shapeText = ({ bytes }: Geoshape): string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const number = (place: number): number => view.getFloat64(2 + 8 * place)
  const kind = bytes[0] === 1 ? bytes[1] : undefined
  if (kind === POINT) return `POINT (${number(0)} ${number(1)})`
  if (kind === RECTANGLE) return `ENVELOPE (${number(0)}, ${number(1)}, ${number(3)}, ${number(2)})`
  if (kind === CIRCLE) return `BUFFER (POINT (${number(0)} ${number(1)}), ${number(2)})`
  return `SHAPE (${Buffer.from(bytes).toString("hex")})`
}
