/** The type of the values between two steps, as far as the generator knows it. */
export type Type =
  | { readonly kind: Plain }
  | { readonly kind: "list" | "set"; readonly of: Type }
  | { readonly kind: "map" | "entry"; readonly key: Type; readonly value: Type }

/** Kinds of values that have no member types. */
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
  /** Several kinds, or an unknown one. */
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

/** A predicate for types. */
export type Kinds = (type: Type) => boolean

/** A predicate that is true for these kinds and for `any`. */
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
/** Types that steps with `Scope.local` process member by member. */
export const isLocal = among("list", "set", "path", "map")
/** Scalar types, whose values have a defined order in every graph. Most cases of order() and dedup() use them. */
export const isScalar = among("boolean", "string", "number", "date", "uuid")

/** The type of the members of a collection. */
export const memberOf = (type: Type): Type => {
  if (type.kind === "list" || type.kind === "set") return type.of
  if (type.kind === "map") return entryOf(type.key, type.value)
  return ANY
}

/** The type of the keys of a map, or of the key of an entry. */
export const keyOf = (type: Type): Type => (type.kind === "map" || type.kind === "entry" ? type.key : ANY)

/** The type of the values of a map, or of the value of an entry. */
export const valueOfEntry = (type: Type): Type => (type.kind === "map" || type.kind === "entry" ? type.value : ANY)

const same = (left: Type, right: Type): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The common type of the results of several branches. `any` if they differ. */
export const either = (types: ReadonlyArray<Type>): Type => {
  const [first, ...others] = types
  return first !== undefined && others.every((other) => same(first, other)) ? first : ANY
}
