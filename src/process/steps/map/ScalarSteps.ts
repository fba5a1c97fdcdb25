import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import type { EnumValue } from "../../../structure/scalars/Enums.ts"
import { numberKindOf } from "../../../structure/texts/TypeNames.ts"
import { integerArgument, isEnum, nameOf, stringArgument } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import type { Step } from "../../plan/Step.ts"
import { scalar } from "../../plan/StepTraits.ts"
import { asBool, asDate, asNumber, asString, asStringLocal } from "../../scalars/Casts.ts"
import { dateAdd } from "../../scalars/DateSteps.ts"
import { conjoin, reverse } from "../../scalars/Lists.ts"
import * as Texts from "../../scalars/Texts.ts"
import { LocalScalarStep, ScalarStep } from "./MapSteps.ts"

/** Splits an argument list into an optional leading Scope and the remaining arguments. */
const scoped = (args: readonly unknown[]): { readonly local: boolean; readonly rest: readonly unknown[] } =>
  isEnum(args[0], "Scope") ? { local: args[0].name === "local", rest: args.slice(1) } : { local: false, rest: args }

const counted = (operator: string, args: readonly unknown[], least: number, most: number): readonly unknown[] => {
  if (args.length >= least && args.length <= most) return args
  const takes = most === 0 ? "no arguments" : least === most ? `${most}` : `${least} to ${most}`
  throw new TraversalInvalid(`${operator}() takes ${takes}, but was given ${args.length}`)
}

/** Wraps a function that does not need time slices. */
const atOnce = (map: (value: unknown) => unknown) =>
  // biome-ignore lint/correctness/useYield: it has the type of functions that yield
  function* (_slice: TimeSlice, value: unknown): Task<unknown> {
    return map(value)
  }

const nullableString = (operator: string, value: unknown, what: string): string | null =>
  value === null ? null : stringArgument(operator, value, what)

/** Builds a step over strings. The arguments after the Scope determine its function. */
const textStep =
  (
    operator: string,
    least: number,
    most: number,
    make: (args: readonly unknown[]) => Texts.LongTextFunction
  ): StepBuilder =>
  (args) => {
    const { local, rest } = scoped(args)
    const apply = make(counted(operator, rest, least, most))
    const name = `${operator[0]!.toUpperCase()}${operator.slice(1)}${local ? "Local" : "Global"}Step`
    return new LocalScalarStep(operator, name, local ? Texts.onTexts(operator, apply) : Texts.onText(operator, apply))
  }

const plain = (operator: string, apply: Texts.TextFunction): StepBuilder =>
  textStep(operator, 0, 0, () => Texts.short(apply))

const asStringStep: StepBuilder = (args) => {
  const { local, rest } = scoped(args)
  counted("asString", rest, 0, 0)
  return local
    ? new LocalScalarStep("asString", "AsStringLocalStep", asStringLocal)
    : new LocalScalarStep("asString", "AsStringGlobalStep", atOnce(asString))
}

const asNumberStep: StepBuilder = (args) => {
  const [type] = counted("asNumber", args, 0, 1)
  const kind = type === undefined || type === null ? null : numberKindOf(type as EnumValue)
  if (kind === undefined || (kind !== null && !isEnum(type, "GType"))) {
    const got = isEnum(type, "GType") ? type.name : nameOf(type)
    throw new TraversalInvalid(`asNumber() requires a numeric type token, got ${got}`)
  }
  return new ScalarStep("asNumber", "AsNumberStep", scalar, (value) => asNumber(value, kind))
}

const dateAddStep: StepBuilder = (args) => {
  const [unit, amount] = counted("dateAdd", args, 2, 2)
  if (!isEnum(unit, "DT")) {
    throw new TraversalInvalid(`dateAdd() takes DT.second, minute, hour or day first, but was given ${nameOf(unit)}`)
  }
  const count = integerArgument("dateAdd", amount, "amount")
  return new ScalarStep("dateAdd", "DateAddStep", scalar, (value) => dateAdd(value, unit, count))
}

const conjoinStep: StepBuilder = (args): Step => {
  const delimiter = stringArgument("conjoin", counted("conjoin", args, 1, 1)[0], "delimiter")
  return new LocalScalarStep("conjoin", "ConjoinStep", (slice, value) => conjoin(slice, value, delimiter))
}

const simple =
  (operator: string, name: string, map: (value: unknown) => unknown): StepBuilder =>
  (args) => {
    counted(operator, args, 0, 0)
    return new ScalarStep(operator, name, scalar, map)
  }

/** Steps that compute one value from one value and take no traversals. */
export const scalarSteps: Operators = {
  length: stepOperator(noParameters, plain("length", Texts.length)),
  toLower: stepOperator(noParameters, plain("toLower", Texts.toLower)),
  toUpper: stepOperator(noParameters, plain("toUpper", Texts.toUpper)),
  trim: stepOperator(noParameters, plain("trim", Texts.trim)),
  lTrim: stepOperator(noParameters, plain("lTrim", Texts.lTrim)),
  rTrim: stepOperator(noParameters, plain("rTrim", Texts.rTrim)),
  replace: stepOperator(
    noParameters,
    textStep("replace", 2, 2, ([search, replacement]) =>
      Texts.replace(
        nullableString("replace", search, "text to replace"),
        nullableString("replace", replacement, "replacement")
      )
    )
  ),
  split: stepOperator(
    noParameters,
    textStep("split", 1, 1, ([separator]) => Texts.split(nullableString("split", separator, "separator")))
  ),
  substring: stepOperator(
    noParameters,
    textStep("substring", 1, 2, ([start, end]) =>
      Texts.short(
        Texts.substring(
          integerArgument("substring", start, "start"),
          end === undefined ? null : integerArgument("substring", end, "end")
        )
      )
    )
  ),
  asString: stepOperator(noParameters, asStringStep),
  asNumber: stepOperator(noParameters, asNumberStep),
  asBool: stepOperator(noParameters, simple("asBool", "AsBoolStep", asBool)),
  asDate: stepOperator(noParameters, simple("asDate", "AsDateStep", asDate)),
  dateAdd: stepOperator(noParameters, dateAddStep),
  conjoin: stepOperator(noParameters, conjoinStep),
  reverse: stepOperator(noParameters, (args) => {
    counted("reverse", args, 0, 0)
    return new LocalScalarStep("reverse", "ReverseStep", reverse)
  })
}
