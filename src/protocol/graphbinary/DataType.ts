import type { EnumName } from "../../structure/scalars/Enums.ts"
import type { TemporalName } from "../../structure/times/Temporal.ts"

/** Type codes of GraphBinary 1.0. */
export const DataType = {
  Custom: 0x00,
  Int: 0x01,
  Long: 0x02,
  String: 0x03,
  Date: 0x04,
  Timestamp: 0x05,
  Class: 0x06,
  Double: 0x07,
  Float: 0x08,
  List: 0x09,
  Map: 0x0a,
  Set: 0x0b,
  Uuid: 0x0c,
  Edge: 0x0d,
  Path: 0x0e,
  Property: 0x0f,
  Graph: 0x10,
  Vertex: 0x11,
  VertexProperty: 0x12,
  Binding: 0x14,
  Bytecode: 0x15,
  Lambda: 0x1d,
  P: 0x1e,
  Traverser: 0x21,
  BigDecimal: 0x22,
  BigInteger: 0x23,
  Byte: 0x24,
  ByteBuffer: 0x25,
  Short: 0x26,
  Boolean: 0x27,
  TextP: 0x28,
  TraversalStrategy: 0x29,
  BulkSet: 0x2a,
  Tree: 0x2b,
  Metrics: 0x2c,
  TraversalMetrics: 0x2d,
  Char: 0x80,
  Duration: 0x81,
  InetAddress: 0x82,
  OffsetDateTime: 0x88,
  UnspecifiedNull: 0xfe
} as const

/** Codes of the enumerations: each constant is written as a string. */
export const enumCodes: Readonly<Record<EnumName, number>> = {
  Barrier: 0x13,
  Cardinality: 0x16,
  Column: 0x17,
  Direction: 0x18,
  Operator: 0x19,
  Order: 0x1a,
  Pick: 0x1b,
  Pop: 0x1c,
  Scope: 0x1f,
  T: 0x20,
  Merge: 0x2e,
  DT: 0x2f,
  GType: 0x30
}

/** Codes of the java.time types that are held as text. */
export const temporalCodes: Readonly<Record<TemporalName, number>> = {
  Instant: 0x83,
  LocalDate: 0x84,
  LocalDateTime: 0x85,
  LocalTime: 0x86,
  MonthDay: 0x87,
  OffsetTime: 0x89,
  Period: 0x8a,
  Year: 0x8b,
  YearMonth: 0x8c,
  ZonedDateTime: 0x8d,
  ZoneOffset: 0x8e
}

const namesByCode = <N extends string>(codes: Readonly<Record<N, number>>): ReadonlyMap<number, N> =>
  new Map(Object.entries(codes).map(([name, code]) => [code as number, name as N]))

/** Enumerations by their code. */
export const enumsByCode = namesByCode(enumCodes)

/** java.time types by their code. */
export const temporalsByCode = namesByCode(temporalCodes)

/** First byte of each message: version 1 with the highest bit set. */
export const VERSION = 0x81

/** The custom types of JanusGraph. */
export const janusGraph = {
  geoshape: { name: "janusgraph.Geoshape", info: 0x1000 },
  relationIdentifier: { name: "janusgraph.RelationIdentifier", info: 0x1001 },
  predicate: { name: "janusgraph.P", info: 0x1002 }
} as const
