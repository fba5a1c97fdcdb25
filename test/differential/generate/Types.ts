/** What flows between two steps, as far as the generator knows it. */
export type Type =
  | { readonly kind: Plain }
  | { readonly kind: "list" | "set"; readonly of: Type }
  | { readonly kind: "map" | "entry"; readonly key: Type; readonly value: Type }

/** Kinds of values that consist of nothing else the generator cares about. */
export type Plain =
  | "vertex"
  | "edge"
  | "vertexProperty"
  | "property"
  | "path"
  | "tree"
  | "boolean"
  | "string"
  | "number"
  | "date"
  | "uuid"
  | "char"
  | "duration"
  | "null"
  /** Several kinds, or one that is not known. */
  | "any"

export const VERTEX: Type = { kind: "vertex" }
export const EDGE: Type = { kind: "edge" }
export const VERTEX_PROPERTY: Type = { kind: "vertexProperty" }
export const PROPERTY: Type = { kind: "property" }
export const PATH: Type = { kind: "path" }
export const TREE: Type = { kind: "tree" }
export const BOOLEAN: Type = { kind: "boolean" }
export const STRING: Type = { kind: "string" }
export const NUMBER: Type = { kind: "number" }
export const DATE: Type = { kind: "date" }
export const ANY: Type = { kind: "any" }

export const listOf = (of: Type): Type => ({ kind: "list", of })
export const setOf = (of: Type): Type => ({ kind: "set", of })
export const mapOf = (key: Type, value: Type): Type => ({ kind: "map", key, value })
export const entryOf = (key: Type, value: Type): Type => ({ kind: "entry", key, value })

/** A test of what flows. */
export type Kinds = (type: Type) => boolean

/** True for these kinds, and for what may be anything. */
export const among =
  (...kinds: ReadonlyArray<Type["kind"]>): Kinds =>
  ({ kind }) =>
    kinds.includes(kind)

export const anything: Kinds = () => true
export const isVertex = among("vertex")
export const isEdge = among("edge")
export const isElement = among("vertex", "edge", "vertexProperty")
export const isNumber = among("number")
export const isString = among("string")
export const isDate = among("date")
export const isCollection = among("list", "set", "path")
export const isMap = among("map")
/** What `Scope.local` works inside of. */
export const isLocal = among("list", "set", "path", "map")
/** Values whose order is the same whatever they are elements of: what order() and dedup() are asked about most. */
export const isScalar = among("boolean", "string", "number", "date", "uuid")

/** What the members of a collection are. */
export const memberOf = (type: Type): Type => {
  if (type.kind === "list" || type.kind === "set") return type.of
  if (type.kind === "map") return entryOf(type.key, type.value)
  return ANY
}

/** What the keys of a map, or the key of an entry, are. */
export const keyOf = (type: Type): Type => (type.kind === "map" || type.kind === "entry" ? type.key : ANY)

/** What the values of a map, or the value of an entry, are. */
export const valueOfEntry = (type: Type): Type => (type.kind === "map" || type.kind === "entry" ? type.value : ANY)

const same = (left: Type, right: Type): boolean => JSON.stringify(left) === JSON.stringify(right)

/** What comes of several branches. */
export const either = (types: ReadonlyArray<Type>): Type => {
  const [first, ...others] = types
  return first !== undefined && others.every((other) => same(first, other)) ? first : ANY
}
