import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import { Edge, isElement, Property, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import { Path } from "../../../structure/elements/Path.ts"
import { SubGraph } from "../../../structure/elements/SubGraph.ts"
import { NumberRange } from "../../../structure/numbers/NumberRange.ts"
import { isNumber, type NumberKind, numberKind } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { ClassName } from "../../../structure/scalars/ClassNames.ts"
import { EnumValue } from "../../../structure/scalars/Enums.ts"
import { InetAddress } from "../../../structure/scalars/InetAddress.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../../structure/times/Temporal.ts"
import { exceptionParents } from "../../parser/ExceptionNames.ts"
import { primitiveClasses } from "../../parser/Names.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import { HostObject, ScriptSource, ScriptTraversal } from "../../ScriptObjects.ts"
import { ScriptCalendar } from "../dates/Calendars.ts"
import { DateTimeFormatter, SimpleDateFormat } from "../dates/DateFormats.ts"
import { Counter } from "../objects/Counters.ts"
import { ScriptException } from "../objects/Exceptions.ts"
import { StringJoiner } from "../objects/StringJoiner.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { ABSENT_PROPERTY } from "../values/AbsentProperty.ts"
import { numberTypeOf } from "../values/NumberTypes.ts"
import { ScriptPattern } from "../values/Patterns.ts"
import { RangeList } from "../values/RangeList.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"
import { isConstantOf, isEnumeration } from "./EnumConstants.ts"

type Test = (value: unknown) => boolean

const isList: Test = (value) => Array.isArray(value) && !(value instanceof MapValues)
const isMap: Test = (value) => value instanceof GremlinMap
const isSet: Test = (value) => value instanceof GremlinSet || value instanceof BulkSet
const isCollection: Test = (value) => Array.isArray(value) || isSet(value)
const temporal =
  (name: string): Test =>
  (value) =>
    value instanceof Temporal && value.name === name

/** True for an object of the server of one of these types. */
const isHost =
  (...types: readonly string[]): Test =>
  (value) =>
    value instanceof HostObject && types.includes(value.type)

const isGraph = isHost("graph", "transaction")

/** The types of the objects for property keys and labels. */
const schemaTypes = ["property key", "edge label", "vertex label"]

/** True for values of classes that Java orders. */
const isOrdered: Test = (value) =>
  value instanceof Temporal ||
  value instanceof Timestamp ||
  value instanceof Duration ||
  value instanceof OffsetDateTime ||
  value instanceof Uuid ||
  value instanceof TextBuilder ||
  value instanceof Char ||
  value instanceof EnumValue

/** Tests of the types that scripts may name, besides numbers and exceptions. */
const tests: { readonly [type: string]: Test } = {
  Object: (value) => value !== null && value !== undefined,
  String: (value) => typeof value === "string",
  CharSequence: (value) => typeof value === "string" || value instanceof TextBuilder,
  StringBuilder: (value) => value instanceof TextBuilder && value.type === "StringBuilder",
  StringBuffer: (value) => value instanceof TextBuilder && value.type === "StringBuffer",
  StringJoiner: (value) => value instanceof StringJoiner,
  GString: () => false,
  Boolean: (value) => typeof value === "boolean",
  boolean: (value) => typeof value === "boolean",
  AtomicInteger: (value) => value instanceof Counter && value.type === "AtomicInteger",
  AtomicLong: (value) => value instanceof Counter && value.type === "AtomicLong",
  Number: (value) => isNumber(value) || value instanceof Counter,
  Comparable: (value) => typeof value === "string" || typeof value === "boolean" || isNumber(value) || isOrdered(value),
  Character: (value) => value instanceof Char,
  char: (value) => value instanceof Char,
  Range: (value) => value instanceof NumberRange,
  IntRange: (value) => value instanceof RangeList && typeof value[0] !== "bigint",
  List: isList,
  ArrayList: isList,
  Map: isMap,
  HashMap: isMap,
  LinkedHashMap: isMap,
  Set: isSet,
  HashSet: isSet,
  LinkedHashSet: isSet,
  BulkSet: (value) => value instanceof BulkSet,
  Collection: isCollection,
  Iterable: (value) => isCollection(value) || value instanceof Path,
  Iterator: (value) => value instanceof ScriptIterator || value instanceof ScriptTraversal,
  Vertex: (value) => value instanceof Vertex,
  Edge: (value) => value instanceof Edge,
  // The missing property of a vertex is TinkerPop's empty VertexProperty, also in JanusGraph. Scripts have one for all elements.
  VertexProperty: (value) => value instanceof VertexProperty || value === ABSENT_PROPERTY,
  Property: (value) => value instanceof Property || value instanceof VertexProperty,
  Element: (value) => isElement(value),
  JanusGraphVertex: (value) => value instanceof Vertex,
  JanusGraphEdge: (value) => value instanceof Edge,
  JanusGraphVertexProperty: (value) => value instanceof VertexProperty,
  JanusGraphProperty: (value) => value instanceof Property || value instanceof VertexProperty,
  JanusGraphRelation: (value) => value instanceof Edge || value instanceof VertexProperty,
  JanusGraphElement: (value) => isElement(value),
  Graph: (value) => value instanceof SubGraph || isGraph(value),
  JanusGraph: isHost("graph"),
  JanusGraphTransaction: isHost("transaction"),
  JanusGraphManagement: isHost("management"),
  ManagementSystem: isHost("management"),
  PropertyKey: isHost("property key"),
  EdgeLabel: isHost("edge label"),
  VertexLabel: isHost("vertex label"),
  RelationType: isHost("property key", "edge label"),
  JanusGraphIndex: isHost("graph index"),
  RelationTypeIndex: isHost("vertex-centric index"),
  Index: isHost("graph index", "vertex-centric index"),
  JanusGraphSchemaType: isHost(...schemaTypes),
  JanusGraphSchemaElement: isHost(...schemaTypes, "graph index", "vertex-centric index"),
  PropertyKeyMaker: isHost("property key maker"),
  EdgeLabelMaker: isHost("edge label maker"),
  VertexLabelMaker: isHost("vertex label maker"),
  Parameter: isHost("parameter"),
  Path: (value) => value instanceof Path,
  UUID: (value) => value instanceof Uuid,
  Date: (value) => value instanceof Timestamp,
  Timestamp: (value) => value instanceof Timestamp && value.sql,
  InetAddress: (value) => value instanceof InetAddress,
  ByteBuffer: (value) => value instanceof Uint8Array,
  Duration: (value) => value instanceof Duration,
  OffsetDateTime: (value) => value instanceof OffsetDateTime,
  Instant: temporal("Instant"),
  LocalDate: temporal("LocalDate"),
  LocalDateTime: temporal("LocalDateTime"),
  ZonedDateTime: (value) => value instanceof OffsetDateTime,
  ZoneId: temporal("ZoneOffset"),
  ZoneOffset: temporal("ZoneOffset"),
  TimeZone: temporal("ZoneOffset"),
  Calendar: (value) => value instanceof ScriptCalendar,
  GregorianCalendar: (value) => value instanceof ScriptCalendar,
  DateFormat: (value) => value instanceof SimpleDateFormat,
  SimpleDateFormat: (value) => value instanceof SimpleDateFormat,
  DateTimeFormatter: (value) => value instanceof DateTimeFormatter,
  Class: (value) => value instanceof ClassName,
  Closure: (value) => value instanceof ScriptClosure,
  Pattern: (value) => value instanceof ScriptPattern,
  Entry: (value) => value instanceof MapEntry,
  Traversal: (value) => value instanceof ScriptTraversal,
  GraphTraversal: (value) => value instanceof ScriptTraversal,
  GraphTraversalSource: (value) => value instanceof ScriptSource
}

/** Whether the value is an instance of the type with this simple name; undefined for a type that scripts do not know. */
export const isInstance = (value: unknown, type: string): boolean | undefined => {
  const kind: NumberKind | undefined = numberTypeOf(type)
  if (kind !== undefined) return isNumber(value) && numberKind(value) === kind
  if (Object.hasOwn(exceptionParents, type)) return value instanceof ScriptException && value.isA(type)
  if (Object.hasOwn(tests, type)) return tests[type]!(value)
  return isEnumeration(type) ? isConstantOf(type, value) : undefined
}

/** Why `instanceof` does not take a type; undefined if it does. */
export const problemOfType = (type: string): string | undefined => {
  if (primitiveClasses.has(type)) {
    return `no value is an instance of the primitive type ${type}: write its class, such as Integer for int`
  }
  if (isInstance(null, type) !== undefined) return undefined
  return `instanceof does not know the type ${type}: it knows values of Gremlin and Java's collections`
}
