import { isNumber } from "../../structure/numbers/Numbers.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import type { ScriptRun } from "../HostCall.ts"
import { type ClosureBody, ScriptClosure } from "../ScriptClosure.ts"
import { converted } from "../script/types/Conversions.ts"
import { distanceTo } from "../script/types/Passing.ts"
import { JavaArray } from "../script/values/JavaArray.ts"
import { OperandError } from "../script/values/OperandErrors.ts"
import { Box, type Code, type Frame, PlainCode } from "./Frame.ts"
import type { Local, Names } from "./Names.ts"
import type { StatementCode } from "./StatementCode.ts"

/** A parameter of a prepared closure. */
interface ParameterCode {
  readonly local: Local
  /** The default value; undefined without one. */
  readonly value: Code | undefined
  /** The type of the members of an array with all further arguments; undefined for a parameter of one argument. */
  readonly rest: string | undefined
}

/** Distance of a function that takes any number of arguments, which is further than all distances of types. */
const MANY_ARGUMENTS = 2 ** 44

/** Distance of an array from `T...`; undefined if a member is no T. */
const distanceToAll = (type: string, array: JavaArray): number | undefined =>
  array.every((member) => distanceTo(type, member) !== undefined) ? 0 : undefined

/** True for a value that nothing changes in place. */
const isConstant = (value: unknown): boolean => typeof value !== "object" || value === null || isNumber(value)

/** A prepared closure or function. All closures that the same text creates share it. */
export class ClosureCode extends PlainCode implements ClosureBody {
  readonly name: string
  readonly parameters: readonly ParameterCode[]
  /** True for a closure without `->`, which may be called without an argument. */
  readonly isImplicit: boolean
  readonly givesOwnTraversals: boolean
  readonly body: StatementCode
  /** Indexes, in the frame of the closure, of the captured variables. */
  readonly captured: readonly number[]
  /** True if the body has no variables but parameters and captured ones, so that each call gives all of them their values. */
  readonly isReusable: boolean
  /** Number of local variables of the body. */
  readonly size: number
  readonly #outer: readonly Local[]
  readonly #isSimple: boolean

  /** @param names the names of the whole body, which is compiled */
  constructor(
    {
      givesOwnTraversals,
      isImplicit,
      name,
      parameters
    }: Pick<ClosureCode, "givesOwnTraversals" | "isImplicit" | "name" | "parameters">,
    body: StatementCode,
    { captured, count }: Pick<Names, "captured" | "count">
  ) {
    super()
    this.name = name
    this.parameters = parameters
    this.isImplicit = isImplicit
    this.givesOwnTraversals = givesOwnTraversals
    this.body = body
    this.size = count
    this.isReusable = count === parameters.length + captured.length
    this.#isSimple = parameters.every(
      ({ local, rest, value }) => value === undefined && rest === undefined && local.type === ""
    )
    this.captured = captured.map(({ inner }) => inner.index)
    this.#outer = captured.map(({ outer }) => outer)
  }

  isPureWith(boxes: readonly unknown[]): boolean {
    // Another closure may change a captured collection in place.
    return this.#isSimple && this.body.isPure && boxes.every((box) => isConstant((box as Box).value))
  }

  get parameterCount(): number {
    return this.parameters.length
  }

  /** Creates a closure that captures the current variables around it. */
  get(frame: Frame): ScriptClosure {
    frame.runtime.budget.created(1 + this.#outer.length)
    const boxes = this.#outer.map(({ index }) => frame.locals[index] as Box)
    return new ScriptClosure(this, boxes, frame.delegate)
  }

  /** True if {@link bindPlainly} can store these arguments: each parameter has an argument, and none has a default or a type. */
  bindsPlainly(given: readonly unknown[]): boolean {
    return this.#isSimple && given.length === this.parameters.length
  }

  /** Stores the arguments of a call in the frame, without a generator. Only if {@link bindsPlainly}. */
  bindPlainly(frame: Frame, given: readonly unknown[]): void {
    for (let at = 0; at < given.length; at++) {
      const { local } = this.parameters[at]!
      frame.locals[local.index] = local.isBoxed ? new Box(given[at]) : given[at]
    }
  }

  /** Removes the arguments of a call from a frame that the next call uses again. */
  release(frame: Frame): void {
    for (let at = 0; at < this.parameters.length; at++) frame.locals[this.parameters[at]!.local.index] = undefined
    frame.result = null
  }

  /** Stores the arguments of a call in the frame. */
  *bind(frame: Frame, given: readonly unknown[]): ScriptRun {
    const { parameters } = this
    const spread = this.#spread(given)
    const args = this.#withRest(spread, frame)
    if (args.length > parameters.length) throw this.#wrongCount(spread.length)
    const required = parameters.reduce((count, { value }) => (value === undefined ? count + 1 : count), 0)
    let spare = args.length - required
    if (spare < 0 && !(this.isImplicit || (parameters.length === 1 && args.length === 0))) {
      throw this.#wrongCount(spread.length)
    }
    let next = 0
    for (const { local, value } of parameters) {
      let arg: unknown
      if (value === undefined) arg = next < args.length ? args[next++] : null
      else if (spare > 0) {
        spare--
        arg = args[next++]
      } else arg = value.isPlain ? value.get(frame) : yield* value.run(frame)
      if (local.type !== "") arg = this.#typed(arg, local, value, frame)
      frame.locals[local.index] = local.isBoxed ? new Box(arg) : arg
    }
    return null
  }

  /** An argument as a value of the type of its parameter. */
  #typed(arg: unknown, { name, type }: Local, value: Code | undefined, { runtime: { budget } }: Frame): unknown {
    if (value === undefined && distanceTo(type, arg) === undefined) {
      throw new OperandError(
        `${this.#what} takes ${type} for ${name}, not ${typeName(arg)}: write 'x as ${type}'`,
        "MissingMethodException"
      )
    }
    return converted(arg, type, budget)
  }

  /** Number of parameters that need an argument. */
  get #required(): number {
    return this.parameters.filter(({ rest, value }) => value === undefined && rest === undefined).length
  }

  get #what(): string {
    return this.name === "" ? "the closure" : `${this.name}()`
  }

  /**
   * How far the types of the parameters are from these arguments, for the choice between functions of one name. Undefined if the
   * function does not take them.
   */
  distanceTo(args: readonly unknown[]): number | undefined {
    const { parameters } = this
    const takesRest = parameters.at(-1)?.rest !== undefined
    if (args.length < this.#required || (args.length > parameters.length && !takesRest)) return undefined
    // As in Java, a function with this number of parameters goes before one that takes any number, unless an array is given.
    const isMany = takesRest && !(args.length === parameters.length && args.at(-1) instanceof JavaArray)
    const isFilled = args.length >= parameters.length
    let sum = isMany ? (isFilled ? 2 : 1) * MANY_ARGUMENTS : parameters.length - args.length
    for (let at = 0; at < args.length; at++) {
      const { local, rest } = parameters[Math.min(at, parameters.length - 1)]!
      const arg = args[at]
      const isArray = rest !== undefined && arg instanceof JavaArray
      const distance = isArray ? distanceToAll(rest, arg) : distanceTo(rest ?? local.type, arg)
      if (distance === undefined) return undefined
      sum += distance
    }
    return sum
  }

  /** True if another function of the same name has parameters of the same types, so that it replaces this one. */
  hasTypesOf(other: ClosureCode): boolean {
    // A parameter without a type is one of Object, and T... is an array.
    const types = ({ parameters }: ClosureCode): string =>
      parameters.map(({ local, rest }) => (rest === undefined ? local.type || "Object" : `${rest}[]`)).join()
    return this.parameters.length === other.parameters.length && types(this) === types(other)
  }

  /**
   * The arguments of a call. A closure of several parameters takes the members of a single list, unless the list itself is enough:
   * the other parameters have default values, and the first one takes a list.
   */
  #spread(args: readonly unknown[]): readonly unknown[] {
    const [only] = args
    if (args.length !== 1 || this.parameters.length < 2 || this.name !== "" || !Array.isArray(only)) return args
    const takesList = this.#required < 2 && distanceTo(this.parameters[0]!.local.type, only) !== undefined
    return takesList ? args : only
  }

  /**
   * The arguments with those of `Object... xs` as one array. An array in their place is passed as it is. Fails with OperandError for
   * an argument that is no member of the array.
   */
  #withRest(args: readonly unknown[], { runtime: { budget } }: Frame): readonly unknown[] {
    const { local, rest } = this.parameters.at(-1) ?? {}
    const first = this.parameters.length - 1
    if (rest === undefined) return args
    const isArray = args.length === first + 1 && (args[first] instanceof JavaArray || args[first] === null)
    const members = isArray ? ((args[first] as JavaArray | null) ?? []) : args.slice(first)
    for (const member of members) {
      if (distanceTo(rest, member) !== undefined) continue
      throw new OperandError(
        `${this.#what} takes ${rest}... for ${local?.name}, and ${typeName(member)} is no ${rest}`,
        "MissingMethodException"
      )
    }
    if (isArray) return args
    const converts = rest !== "Object"
    const made = converts ? members.map((member) => converted(member, rest, budget)) : members
    return [...args.slice(0, first), new JavaArray(rest, budget.list([...budget.members(made)]))]
  }

  #wrongCount(count: number): OperandError {
    const { length } = this.parameters
    const least = this.#required
    const takesRest = this.parameters.at(-1)?.rest !== undefined
    const wanted = takesRest ? `at least ${least}` : least === length ? `${length}` : `${least} to ${length}`
    return new OperandError(`${this.#what} takes ${wanted} arguments, not ${count}`, "MissingMethodException")
  }
}
