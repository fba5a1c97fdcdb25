import { enumValue, type Value } from "../../conformance/Value.ts"

/** A step, a modulator or a source instruction: its name and its arguments. */
export interface Call {
  readonly name: string
  readonly args: ReadonlyArray<Argument>
}

/** An argument of a call, in scripts and in bytecode. */
export type Argument =
  | { readonly kind: "value"; readonly value: Value }
  | Child
  | Predicate
  /** A value with its cardinality: `Cardinality.single(value)`. */
  | { readonly kind: "cardinality"; readonly name: string; readonly value: Value }
  /** A map that may contain `cardinality` values, for mergeV() and its options. */
  | { readonly kind: "map"; readonly entries: ReadonlyArray<readonly [Value, Argument]> }
  | Strategy
  /** The class of a strategy, for withoutStrategies(). */
  | { readonly kind: "class"; readonly name: string }

/** An anonymous traversal. Without steps it is identity(). */
export interface Child {
  readonly kind: "child"
  readonly steps: ReadonlyArray<Call>
}

/** A predicate: P.gt(1), TextP.containing("a"), or predicates joined by and(), or() or negate(). */
export type Predicate =
  | { readonly kind: "P" | "TextP"; readonly name: string; readonly args: ReadonlyArray<Argument> }
  | { readonly kind: "both" | "either"; readonly left: Predicate; readonly right: Predicate }
  | { readonly kind: "negated"; readonly inner: Predicate }

/** A strategy with its configuration. */
export interface Strategy {
  readonly kind: "strategy"
  readonly name: string
  readonly configuration: ReadonlyArray<readonly [string, Argument]>
}

/** A traversal of `g`: its source instructions and its steps. */
export interface Traversal {
  readonly source: ReadonlyArray<Call>
  readonly steps: ReadonlyArray<Call>
}

export const call = (name: string, ...args: ReadonlyArray<Argument>): Call => ({ name, args })
export const literalArgument = (value: Value): Argument => ({ kind: "value", value })
export const text = (value: string): Argument => literalArgument({ kind: "string", value })
export const whole = (value: number): Argument => literalArgument({ kind: "int", value: BigInt(value) })
export const constant = (type: string, name: string): Argument => literalArgument(enumValue(type, name))
export const child = (...steps: ReadonlyArray<Call>): Child => ({ kind: "child", steps })

const predicateKinds: ReadonlySet<string> = new Set(["P", "TextP", "both", "either", "negated"])

/** True for a predicate, including joined ones. */
export const isPredicate = (argument: Argument): argument is Predicate => predicateKinds.has(argument.kind)

/** The single predicates of a predicate. */
export const partsOf = (predicate: Predicate): ReadonlyArray<Extract<Predicate, { kind: "P" | "TextP" }>> => {
  switch (predicate.kind) {
    case "P":
    case "TextP":
      return [predicate]
    case "negated":
      return partsOf(predicate.inner)
    default:
      return [...partsOf(predicate.left), ...partsOf(predicate.right)]
  }
}

/** The traversals directly inside an argument. */
export const childrenOf = (argument: Argument): ReadonlyArray<Child> => {
  if (argument.kind === "child") return [argument]
  if (argument.kind === "strategy") return argument.configuration.flatMap(([, value]) => childrenOf(value))
  if (isPredicate(argument)) return partsOf(argument).flatMap(({ args }) => args.flatMap(childrenOf))
  return []
}

/** All calls of a list, including the calls in nested traversals. */
export const allCalls = (calls: ReadonlyArray<Call>): ReadonlyArray<Call> =>
  calls.flatMap((one) => [
    one,
    ...one.args.flatMap((argument) => childrenOf(argument).flatMap(({ steps }) => allCalls(steps)))
  ])

const writing: ReadonlySet<string> = new Set(["addV", "addE", "mergeV", "mergeE", "property", "drop"])

/** True for a traversal that may change the graph. */
export const writes = ({ source, steps }: Traversal): boolean =>
  allCalls([...source, ...steps]).some(({ name }) => writing.has(name))
