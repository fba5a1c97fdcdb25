import { keyOf } from "../structure/collections/Equivalence.ts"
import { type Edge, Vertex } from "../structure/elements/Element.ts"
import { text } from "../structure/texts/Text.ts"
import { typeName } from "../structure/texts/TypeNames.ts"
import { SerializationError } from "./ProtocolError.ts"

// Encoders of files refuse a value that a reader of the format would read as a different value.

/** The error of an element with a part that a format cannot hold. It names a format that can. */
export const refusedBy = (format: string, element: Vertex | Edge, what: string): SerializationError => {
  const name = `${element instanceof Vertex ? "vertex" : "edge"} ${text(element.id)}`
  const advice = format === "GraphSON 3" ? "leave it out, or make a backup" : "write GraphSON 3 instead"
  return new SerializationError(`The ${name} has ${what}, which ${format} cannot hold; ${advice}.`)
}

/** The error of a value under a key that a format cannot hold. */
export const refusedValue = (format: string, element: Vertex | Edge, key: string, value: unknown): SerializationError =>
  refusedBy(format, element, `a value of the type ${typeName(value)} under ${key}`)

/** True if the values have the same type and are equivalent in Gremlin, so that no client can distinguish them. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  typeName(a) === typeName(b) && Object.is(keyOf(a), keyOf(b)) && Object.is(a === null, b === null)

/** False for a text with half of a surrogate pair, which UTF-8 cannot encode. */
export const isWholeText = (value: string): boolean => !/[\ud800-\udfff]/u.test(value)
