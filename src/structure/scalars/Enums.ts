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

/** The constants of T: id, label, key and value. */
export const T = make("T")
/** The constants of Direction: OUT, IN and BOTH. */
export const Direction = make("Direction")
/** The constants of Order, for order().by(). */
export const Order = make("Order")
/** The constants of Scope: local and global. */
export const Scope = make("Scope")
/** The constants of Pop, for select(). */
export const Pop = make("Pop")
/** The constants of Column: keys and values. */
export const Column = make("Column")
/** The constants of Cardinality: single, list and set. */
export const Cardinality = make("Cardinality")
/** The constants of Operator, for sack() and fold(). */
export const Operator = make("Operator")
const Barrier = make("Barrier")
/** The constants of Pick, for option() of choose(). */
export const Pick = make("Pick")
/** The constants of Merge, for option() of mergeV() and mergeE(). */
export const Merge = make("Merge")
/** The constants of DT, the units of dateAdd(). */
export const DT = make("DT")
/** The constants of GType, the types of typeOf() and asNumber(). */
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
