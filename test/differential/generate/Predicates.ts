import type { Value } from "../../conformance/Value.ts"
import { type Argument, constant, literalArgument, type Predicate, text } from "../syntax/Traversal.ts"
import type { Scope } from "./Scope.ts"
import type { Type } from "./Types.ts"

const P = (name: string, ...args: ReadonlyArray<Argument>): Predicate => ({ kind: "P", name, args })
const TextP = (name: string, value: string): Predicate => ({ kind: "TextP", name, args: [text(value)] })

const comparisons = ["eq", "neq", "gt", "gte", "lt", "lte"] as const
const ranges = ["between", "inside", "outside"] as const
const textual = [
  "startingWith",
  "notStartingWith",
  "endingWith",
  "notEndingWith",
  "containing",
  "notContaining",
  "regex",
  "notRegex"
] as const
const gTypes = [
  "INT",
  "LONG",
  "DOUBLE",
  "FLOAT",
  "BYTE",
  "SHORT",
  "BIGINT",
  "BIGDECIMAL",
  "NUMBER",
  "STRING",
  "BOOLEAN",
  "DATETIME",
  "DURATION",
  "UUID",
  "LIST",
  "SET",
  "MAP",
  "VERTEX",
  "EDGE",
  "VPROPERTY",
  "PROPERTY",
  "PATH",
  "TREE",
  "NULL",
  "CHAR"
] as const

/** Draws a part of a text, as an operand of text predicates. */
const partOf = (scope: Scope, value: Value): string => {
  if (value.kind !== "string" || value.value === "") return scope.one(["a", "o", "x", ""])
  const characters = [...value.value]
  const from = scope.below(characters.length)
  return scope.chance(0.5)
    ? characters.slice(0, from + 1).join("")
    : characters.slice(from, from + 1 + scope.below(3)).join("")
}

const patterns = ["^m.*", "a|o", "[a-m]+", ".", "^$", "(?i)MARKO", "\\d+", "^.{3,5}$"]

/** Draws a predicate for values of a type. `draw` returns its operands. */
const simple = (scope: Scope, type: Type, draw: () => Value): Predicate => {
  const argument = () => literalArgument(draw())
  const choice = scope.below(100)
  if (type.kind === "string" && choice < 25) {
    const name = scope.one(textual)
    return TextP(name, name.endsWith("egex") ? scope.one(patterns) : partOf(scope, draw()))
  }
  if (choice < 60) return P(scope.one(comparisons), argument())
  if (choice < 72) return P(scope.one(ranges), argument(), argument())
  if (choice < 95) {
    return P(scope.one(["within", "without"]), ...Array.from({ length: scope.below(4) }, argument))
  }
  return P("typeOf", constant("GType", scope.one(gTypes)))
}

/** Draws a predicate. Some are negated, or joined by and() or or(). */
export const predicate = (scope: Scope, type: Type, draw: () => Value = () => scope.value(type)): Predicate => {
  const choice = scope.below(100)
  if (choice < 6) return { kind: "both", left: predicate(scope, type, draw), right: simple(scope, type, draw) }
  if (choice < 12) return { kind: "either", left: predicate(scope, type, draw), right: simple(scope, type, draw) }
  if (choice < 17) return { kind: "negated", inner: predicate(scope, type, draw) }
  return simple(scope, type, draw)
}

/** Draws a predicate whose operands are step labels, for where(). */
export const labelPredicate = (scope: Scope, label: () => string): Predicate => {
  const choice = scope.below(100)
  const argument = () => text(label())
  if (choice < 70) return P(scope.one(comparisons), argument())
  if (choice < 80) return P(scope.one(ranges), argument(), argument())
  if (choice < 90) return P(scope.one(["within", "without"]), argument(), argument())
  if (choice < 95) return { kind: "negated", inner: labelPredicate(scope, label) }
  const left = P(scope.one(comparisons), argument())
  return { kind: scope.one(["both", "either"]), left, right: P(scope.one(comparisons), argument()) }
}

/** Draws a predicate for small integers, such as counts, loops and lengths. */
export const countPredicate = (scope: Scope, most: number): Predicate => {
  const number = (): Argument =>
    literalArgument({ kind: scope.chance(0.7) ? "long" : "int", value: BigInt(scope.below(most + 1)) })
  if (scope.chance(0.15)) return { kind: "negated", inner: P(scope.one(comparisons), number()) }
  if (scope.chance(0.15)) return P(scope.one(ranges), number(), number())
  if (scope.chance(0.15)) return P(scope.one(["within", "without"]), number(), number())
  return P(scope.one(comparisons), number())
}
