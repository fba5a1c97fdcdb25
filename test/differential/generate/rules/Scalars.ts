import { type Argument, call, constant, literalArgument, text, whole } from "../../syntax/Traversal.ts"
import { by } from "../Modulators.ts"
import { made, nesting, type Rule, rule } from "../Rule.ts"
import type { Scope } from "../Scope.ts"
import {
  ANY,
  anything,
  BOOLEAN,
  DATE,
  isDate,
  isElement,
  isNumber,
  isScalar,
  isString,
  listOf,
  NUMBER,
  STRING,
  type Type
} from "../Types.ts"

const LOCAL = constant("Scope", "local")
const local = (scope: Scope): ReadonlyArray<Argument> => (scope.chance(0.05) ? [LOCAL] : [])
const word = (scope: Scope): Argument => text(scope.one(["a", "o", "ar", ",", " ", "-", "x", ""]))

/** Draws a text argument. 5 % are null. */
const wordOrNull = (scope: Scope): Argument => (scope.chance(0.05) ? literalArgument({ kind: "null" }) : word(scope))

const place = (scope: Scope): Argument => whole(scope.below(7) - 3)

const strings: ReadonlyArray<Rule> = [
  rule(1.5, isString, (scope) =>
    made(STRING, call(scope.one(["toUpper", "toLower", "trim", "lTrim", "rTrim", "reverse"])))
  ),
  rule(0.7, isString, () => made(NUMBER, call("length"))),
  rule(0.7, isString, (scope) => made(STRING, call("replace", ...local(scope), wordOrNull(scope), wordOrNull(scope)))),
  rule(0.7, isString, (scope) => made(listOf(STRING), call("split", ...local(scope), wordOrNull(scope)))),
  rule(1, isString, (scope) =>
    made(STRING, call("substring", ...local(scope), place(scope), ...(scope.chance(0.6) ? [place(scope)] : [])))
  ),
  rule(1, isString, (scope) =>
    made(STRING, call("concat", ...Array.from({ length: scope.below(3) }, () => wordOrNull(scope))))
  ),
  rule(1, nesting(isString), (scope, type) => made(STRING, call("concat", scope.child(type, 2).child))),
  rule(1, anything, () => made(STRING, call("asString"))),
  rule(0.15, anything, (scope) =>
    made(ANY, call(scope.one(["toUpper", "trim", "length", "reverse", "asBool", "asDate", "asNumber"])))
  )
]

const formats = ["%{name}", "%{a} and %{b}", "%{_} is %{age}", "plain", "%{_}%{_}", "%{", "%{absent}", "%{location}"]

/** format() with variables for properties, step labels, and by() modulators in turn. */
const format = rule(
  0.8,
  (type) => isElement(type) || type.kind === "map",
  (scope, type) => {
    const pattern = scope.one(formats)
    const count = pattern.split("%{_}").length - 1
    return made(
      STRING,
      call("format", text(pattern)),
      ...Array.from({ length: count }, () => by(scope, type).calls).flat()
    )
  }
)

const types = ["BYTE", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE", "BIGINT", "BIGDECIMAL"] as const

const expressions = [
  "_ + 1",
  "_ * _",
  "_ / 2",
  "-_",
  "_ ^ 2",
  "_ % 3",
  "abs(_)",
  "sqrt _",
  "floor(_ / 2) + ceil(_)",
  "sin(_)",
  "signum(_)",
  "(_ + 2) * 3",
  "cbrt(_)",
  "log(_)",
  "exp(_)",
  "2"
]

const labelledExpressions = ["a + b", "a * _", "(a - 1) / 2", "a ^ b"]

const numbers: ReadonlyArray<Rule> = [
  rule(1.5, isNumber, (scope) => made(NUMBER, call("math", text(scope.one(expressions))))),
  rule(0.6, isElement, (scope, type) =>
    made(NUMBER, call("math", text(scope.one(expressions))), ...by(scope, type).calls)
  ),
  rule(
    0.6,
    (_, scope) => scope.labels.size > 0,
    (scope, type) => {
      const modulated = Array.from({ length: scope.below(3) }, () => by(scope, scope.label()?.[1] ?? type).calls).flat()
      return made(NUMBER, call("math", text(scope.one(labelledExpressions))), ...modulated)
    }
  ),
  rule(
    1,
    (type) => isNumber(type) || isString(type),
    (scope) => made(NUMBER, call("asNumber", ...(scope.chance(0.6) ? [constant("GType", scope.one(types))] : [])))
  ),
  rule(0.6, isScalar, () => made(BOOLEAN, call("asBool")))
]

const units = ["second", "minute", "hour", "day"] as const

const dates: ReadonlyArray<Rule> = [
  rule(
    0.7,
    (type) => isString(type) || isNumber(type) || isDate(type),
    () => made(DATE, call("asDate"))
  ),
  rule(2, isDate, (scope) =>
    made(DATE, call("dateAdd", constant("DT", scope.one(units)), whole(scope.below(100) - 50)))
  ),
  rule(2, isDate, (scope, type) => {
    const other: Argument =
      scope.depth > 0 && scope.chance(0.4)
        ? { kind: "child", steps: [call("constant", scope.argument(type))] }
        : scope.argument(DATE)
    return made(NUMBER, call("dateDiff", other))
  })
]

/** Rules that convert scalars to texts, numbers and dates. */
export const scalars: ReadonlyArray<Rule> = [...strings, format, ...numbers, ...dates]

/** Draws a scalar type. */
export const scalarType = (scope: Scope): Type =>
  scope.one([NUMBER, NUMBER, NUMBER, STRING, STRING, DATE, BOOLEAN, { kind: "uuid" }] as const)
