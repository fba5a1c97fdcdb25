/**
 * The enumerations of the Gremlin language. Each constant is one object, so that `===` compares it; `enumName` and `name` are
 * spelt as on the wire (GraphSON "g:T" / "id", GraphBinary type T).
 */
export class EnumValue {
  readonly enumName: EnumName
  readonly name: string
  constructor(enumName: EnumName, name: string) {
    this.enumName = enumName
    this.name = name
  }
}

const names = {
  T: ["id", "label", "key", "value"],
  Direction: ["OUT", "IN", "BOTH"],
  Order: ["asc", "desc", "shuffle"],
  Scope: ["local", "global"],
  Pop: ["first", "last", "all", "mixed"],
  Column: ["keys", "values"],
  Cardinality: ["single", "list", "set"],
  Operator: ["sum", "minus", "mult", "div", "min", "max", "assign", "and", "or", "addAll", "sumLong"],
  Barrier: ["normSack"],
  Pick: ["any", "none", "unproductive"],
  Merge: ["onCreate", "onMatch", "outV", "inV"],
  DT: ["second", "minute", "hour", "day"],
  GType: [
    "BIGDECIMAL",
    "BIGINT",
    "BINARY",
    "BOOLEAN",
    "BYTE",
    "CHAR",
    "DATETIME",
    "DOUBLE",
    "DURATION",
    "EDGE",
    "FLOAT",
    "GRAPH",
    "INT",
    "LIST",
    "LONG",
    "MAP",
    "NULL",
    "NUMBER",
    "PATH",
    "PROPERTY",
    "SET",
    "SHORT",
    "STRING",
    "TREE",
    "UUID",
    "VERTEX",
    "VPROPERTY"
  ]
} as const

/** Name of an enumeration as the wire formats spell it. */
export type EnumName = keyof typeof names

type Constants<N extends EnumName> = { readonly [K in (typeof names)[N][number]]: EnumValue }

const make = <N extends EnumName>(enumName: N): Constants<N> =>
  Object.freeze(
    Object.assign(
      Object.create(null),
      Object.fromEntries(names[enumName].map((name) => [name, new EnumValue(enumName, name)]))
    )
  )

export const T = make("T")
export const Direction = make("Direction")
export const Order = make("Order")
export const Scope = make("Scope")
export const Pop = make("Pop")
export const Column = make("Column")
export const Cardinality = make("Cardinality")
export const Operator = make("Operator")
const Barrier = make("Barrier")
export const Pick = make("Pick")
export const Merge = make("Merge")
export const DT = make("DT")
export const GType = make("GType")

/** Every enumeration by its name. */
export const enums: { readonly [N in EnumName]: { readonly [name: string]: EnumValue } } = {
  T,
  Direction,
  Order,
  Scope,
  Pop,
  Column,
  Cardinality,
  Operator,
  Barrier,
  Pick,
  Merge,
  DT,
  GType
}

/** The constant of this name, or undefined. */
export const enumValue = (enumName: string, name: string): EnumValue | undefined =>
  Object.hasOwn(enums, enumName) ? enums[enumName as EnumName][name] : undefined
