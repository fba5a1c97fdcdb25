import { type Id, normalId, type VertexId } from "./Ids.ts"

/**
 * The id of an edge or a vertex property as clients see it. JanusGraph's text form is `relation-out-type-in` in base
 * 36, and `relation-out-key` for a property. A text id of a vertex is preceded by `S`.
 */
export interface RelationIdentifier {
  readonly relation: Id
  readonly out: VertexId
  readonly type: number
  /** Undefined for a property. */
  readonly into: VertexId | undefined
}

const vertexText = (id: VertexId): string => (typeof id === "string" ? `S${id}` : id.toString(36))

/** The text of an edge's id. */
export const edgeIdText = (relation: Id, out: VertexId, type: number, into: VertexId): string =>
  `${relation.toString(36)}-${vertexText(out)}-${type.toString(36)}-${vertexText(into)}`

/** The text of a vertex property's id. */
export const propertyIdText = (relation: Id, out: VertexId, type: number): string =>
  `${relation.toString(36)}-${vertexText(out)}-${type.toString(36)}`

/** Parses the text of an id; undefined when it is not a relation id. */
export const parseRelationId = (text: string): RelationIdentifier | undefined => {
  const parts = text.split("-")
  if (parts.length !== 3 && parts.length !== 4) return undefined
  const relation = parseNumber(parts[0]!)
  const out = parseVertex(parts[1]!)
  const type = parseNumber(parts[2]!)
  const into = parts.length === 4 ? parseVertex(parts[3]!) : undefined
  if (relation === undefined || out === undefined || typeof type !== "number") return undefined
  if (parts.length === 4 && into === undefined) return undefined
  return { relation, out, type, into }
}

const parseVertex = (text: string): VertexId | undefined =>
  text.startsWith("S") ? (text.length > 1 ? text.slice(1) : undefined) : parseNumber(text)

const parseNumber = (text: string): Id | undefined => {
  if (!/^[0-9a-z]{1,13}$/.test(text)) return undefined
  const number = Number.parseInt(text, 36)
  if (Number.isSafeInteger(number)) return number
  let value = 0n
  for (let i = 0; i < text.length; i++) value = value * 36n + BigInt(Number.parseInt(text[i]!, 36))
  return value < 2n ** 63n ? normalId(value) : undefined
}
