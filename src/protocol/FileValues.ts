import { type Edge, Vertex } from "../structure/Element.ts"
import { keyOf } from "../structure/Equivalence.ts"
import { text } from "../structure/Text.ts"
import { typeName } from "../structure/TypeNames.ts"
import { SerializationError } from "./ProtocolError.ts"

// Encoders of files share this: a value that the format would give back as another one is refused with its place.

/** An error that names an element, what of it a format cannot hold, and another format that can. */
export const refusedBy = (format: string, element: Vertex | Edge, what: string): SerializationError => {
  const name = `${element instanceof Vertex ? "vertex" : "edge"} ${text(element.id)}`
  const advice = format === "GraphSON 3" ? "leave it out, or make a backup" : "write GraphSON 3 instead"
  return new SerializationError(`The ${name} has ${what}, which ${format} cannot hold; ${advice}.`)
}

/** The same for the value under a key. */
export const refusedValue = (format: string, element: Vertex | Edge, key: string, value: unknown): SerializationError =>
  refusedBy(format, element, `a value of the type ${typeName(value)} under ${key}`)

/** True for values that no client can tell apart: of one type, and equivalent in Gremlin's sense. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  typeName(a) === typeName(b) && Object.is(keyOf(a), keyOf(b)) && Object.is(a === null, b === null)

/** False for a text with half of a surrogate pair, which UTF-8 has no form for. */
export const isWholeText = (value: string): boolean => !/[\ud800-\udfff]/u.test(value)
