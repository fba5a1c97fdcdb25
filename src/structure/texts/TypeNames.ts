import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../collections/Collections.ts"
import { Tree } from "../collections/Tree.ts"
import { Edge, Property, Vertex, VertexProperty } from "../elements/Element.ts"
import { Path } from "../elements/Path.ts"
import { SubGraph } from "../elements/SubGraph.ts"
import { Geoshape } from "../geoshapes/Geoshape.ts"
import { isNumber, javaNumberName, type NumberKind, numberKind } from "../numbers/Numbers.ts"
import { Char } from "../scalars/Char.ts"
import { ClassName } from "../scalars/ClassNames.ts"
import { EnumValue } from "../scalars/Enums.ts"
import { InetAddress } from "../scalars/InetAddress.ts"
import { Uuid } from "../scalars/Uuid.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../times/Temporal.ts"

/** The types of values: for P.typeOf(), for the order of values of other types, and for error messages. */

/** Simple name of the Java class of the value's type on a Gremlin Server, for error messages. */
export const typeName = (value: unknown): string => {
  if (value === null || value === undefined) return "null"
  if (typeof value === "string") return "String"
  if (typeof value === "boolean") return "Boolean"
  if (isNumber(value)) return javaNumberName[numberKind(value)]
  if (Array.isArray(value)) return "ArrayList"
  return objectName(value as object)
}

const objectName = (value: object): string => {
  if (value instanceof EnumValue) return value.enumName
  if (value instanceof Temporal) return value.name
  if (value instanceof Timestamp) return value.sql ? "Timestamp" : "Date"
  for (const [type, name] of classNames) if (value instanceof type) return name
  const tag = (value as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag]
  if (typeof tag === "string") return tag
  // A value of another program's class, such as a service of call() returns.
  return value.constructor?.name ?? "Object"
}

// Spelt out because the bundled program has other names for some classes: Geoshape is _Geoshape there.
const classNames = [
  [GremlinMap, "LinkedHashMap"],
  [GremlinSet, "LinkedHashSet"],
  [BulkSet, "BulkSet"],
  [MapEntry, "Entry"],
  [Vertex, "Vertex"],
  [Edge, "Edge"],
  [VertexProperty, "VertexProperty"],
  [Property, "Property"],
  [Path, "Path"],
  [Tree, "Tree"],
  [SubGraph, "Graph"],
  [OffsetDateTime, "OffsetDateTime"],
  [Duration, "Duration"],
  [Uuid, "UUID"],
  [Char, "Character"],
  [Uint8Array, "ByteBuffer"],
  [InetAddress, "InetAddress"],
  [ClassName, "Class"],
  [Geoshape, "Geoshape"]
] as const

/**
 * Whether an object has a type of Gremlin. Objects of scripts, such as a StringBuilder or a closure, and of other programs' classes do
 * not: they may change at any time, and cannot be sent.
 */
export const hasGremlinType = (value: object): boolean =>
  Array.isArray(value) ||
  isNumber(value) ||
  value instanceof Timestamp ||
  value instanceof Temporal ||
  value instanceof EnumValue ||
  classNames.some(([type]) => value instanceof type)

type TypeTest = (value: unknown) => boolean

const hasKind =
  (kind: NumberKind): TypeTest =>
  (value) =>
    isNumber(value) && numberKind(value) === kind

/** Membership of each GType. A subtype is a member too: a vertex property is a property, a tree a map, a bulk set a set. */
const gTypes: { readonly [name: string]: TypeTest } = {
  BIGDECIMAL: hasKind("BigDecimal"),
  BIGINT: hasKind("BigInteger"),
  BINARY: (value) => value instanceof Uint8Array,
  BOOLEAN: (value) => typeof value === "boolean",
  BYTE: hasKind("Byte"),
  CHAR: (value) => value instanceof Char,
  DATETIME: (value) => value instanceof OffsetDateTime,
  DOUBLE: hasKind("Double"),
  DURATION: (value) => value instanceof Duration,
  EDGE: (value) => value instanceof Edge,
  FLOAT: hasKind("Float"),
  GRAPH: (value) => value instanceof SubGraph,
  INT: hasKind("Int"),
  LIST: (value) => Array.isArray(value),
  LONG: hasKind("Long"),
  MAP: (value) => value instanceof GremlinMap || value instanceof Tree,
  NULL: (value) => value === null || value === undefined,
  NUMBER: isNumber,
  PATH: (value) => value instanceof Path,
  PROPERTY: (value) => value instanceof Property || value instanceof VertexProperty,
  SET: (value) => value instanceof GremlinSet || value instanceof BulkSet,
  SHORT: hasKind("Short"),
  STRING: (value) => typeof value === "string",
  TREE: (value) => value instanceof Tree,
  UUID: (value) => value instanceof Uuid,
  VERTEX: (value) => value instanceof Vertex,
  VPROPERTY: (value) => value instanceof VertexProperty
}

/** The simple class names that P.typeOf(String) accepts, with the GType of each. */
const registeredNames: { readonly [name: string]: string } = {
  BigDecimal: "BIGDECIMAL",
  BigInteger: "BIGINT",
  ByteBuffer: "BINARY",
  Boolean: "BOOLEAN",
  Byte: "BYTE",
  Character: "CHAR",
  OffsetDateTime: "DATETIME",
  Double: "DOUBLE",
  Duration: "DURATION",
  Edge: "EDGE",
  Float: "FLOAT",
  Graph: "GRAPH",
  Integer: "INT",
  List: "LIST",
  Long: "LONG",
  Map: "MAP",
  Number: "NUMBER",
  Path: "PATH",
  Property: "PROPERTY",
  Set: "SET",
  Short: "SHORT",
  String: "STRING",
  Tree: "TREE",
  UUID: "UUID",
  Vertex: "VERTEX",
  VertexProperty: "VPROPERTY"
}

/** The number kind that asNumber(GType) casts to; undefined for a type that is no number, and for NUMBER itself. */
export const numberKindOf = (type: EnumValue): NumberKind | undefined => numberKinds[type.name]

const numberKinds: { readonly [name: string]: NumberKind } = {
  BIGDECIMAL: "BigDecimal",
  BIGINT: "BigInteger",
  BYTE: "Byte",
  DOUBLE: "Double",
  FLOAT: "Float",
  INT: "Int",
  LONG: "Long",
  SHORT: "Short"
}

/**
 * The test for P.typeOf(type): a GType, or a registered class name such as `Integer`; undefined for any other name. The `list` and `set` of
 * Cardinality are those types, too: a variable of a script that was assigned `LIST` has the cardinality.
 */
export const typeTest = (type: EnumValue | string): ((value: unknown) => boolean) | undefined => {
  if (type instanceof EnumValue) return gTypes[type.name.toUpperCase()]
  return Object.hasOwn(registeredNames, type) ? gTypes[registeredNames[type]!] : undefined
}
