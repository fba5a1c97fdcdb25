import { ClassName } from "../../structure/scalars/ClassNames.ts"
import type { ScriptRun } from "../HostCall.ts"
import { constructedClasses } from "../parser/Names.ts"
import { ScriptClosure } from "../ScriptClosure.ts"
import { callStatic } from "../script/classes/ClassValues.ts"
import { constructed } from "../script/classes/Construction.ts"
import { isInstance } from "../script/types/Instances.ts"
import { OperandError } from "../script/values/OperandErrors.ts"
import type { CallCode } from "./CallCode.ts"
import { ClosureCode } from "./ClosureCode.ts"
import { Box, type Code, type Frame, PlainCode, type Runtime, SuspendingCode } from "./Frame.ts"
import type { Local, Unit } from "./Names.ts"
import { StatementCode, type StatementRun } from "./StatementCode.ts"

/** Calls what a reference names, in the frame of its closure. */
type Call = (frame: Frame, args: readonly unknown[]) => ScriptRun

/** Methods of classes that take two arguments, or a receiver and an argument. Other methods take one. */
const methodsOfTwo: ReadonlySet<string> = new Set(
  "max min pow hypot atan2 floorMod floorDiv compare compareTo compareToIgnoreCase plus minus multiply div sum equals concat".split(
    " "
  )
)

/** The index of the object or class among the locals of a reference's closure, and that of the arguments. */
const TARGET = 0
const ARGUMENTS = 1

/** The object or class as a captured variable. */
const target: Local = { name: "", index: TARGET, type: "", isBoxed: true, changes: { isReassigned: false } }

/** The body of a reference: it calls the method with the arguments that are in the frame. */
class ReferenceBody extends StatementCode {
  readonly isPlain = false
  readonly #call: Call
  constructor(call: Call) {
    super()
    this.#call = call
  }
  *run(frame: Frame): StatementRun {
    frame.result = yield* this.#call(frame, frame.locals[ARGUMENTS] as readonly unknown[])
    return undefined
  }
}

/** The code of a reference's closure. It takes any arguments. */
class ReferredCode extends ClosureCode {
  readonly #count: number
  constructor(name: string, count: number, call: Call) {
    super({ name, parameters: [], isImplicit: false, givesOwnTraversals: false }, new ReferenceBody(call), {
      captured: [{ outer: target, inner: target }],
      count: ARGUMENTS + 1
    })
    this.#count = count
  }
  override get parameterCount(): number {
    return this.#count
  }
  override isPureWith(): boolean {
    return false
  }
  override bindsPlainly(): boolean {
    return true
  }
  override bindPlainly(frame: Frame, given: readonly unknown[]): void {
    frame.locals[ARGUMENTS] = given
  }
  // biome-ignore lint/correctness/useYield: arguments without default values never suspend
  override *bind(frame: Frame, given: readonly unknown[]): ScriptRun {
    frame.locals[ARGUMENTS] = given
    return null
  }
}

/** `x.&name`, `Type::name`: a closure that calls the method of the object, or of the class. */
export class ReferenceCode extends SuspendingCode {
  readonly #of: Code
  readonly #bound: ReferredCode
  readonly #static: ReferredCode
  constructor(of: Code, name: string, { positions }: Unit, position: number) {
    super()
    this.#of = of
    const call: Call = ({ locals, runtime }, args) =>
      positions.positioned(position, calledOn(runtime, (locals[TARGET] as Box).value, name, args))
    this.#bound = new ReferredCode(name, 1, call)
    this.#static = new ReferredCode(name, methodsOfTwo.has(name) ? 2 : 1, call)
  }
  *run(frame: Frame): ScriptRun {
    const target = this.#of.isPlain ? this.#of.get(frame) : yield* this.#of.run(frame)
    frame.runtime.budget.created(2)
    return new ScriptClosure(target instanceof ClassName ? this.#static : this.#bound, [new Box(target)], undefined)
  }
}

/** `this.&name`: a closure that calls a function of the script. */
export class FunctionReferenceCode extends PlainCode {
  readonly #name: string
  readonly #call: CallCode
  constructor(call: CallCode, name: string) {
    super()
    this.#name = name
    this.#call = call
  }
  get(frame: Frame): ScriptClosure {
    const { budget, scope } = frame.runtime
    budget.created(2)
    const counts = (scope.variables.functions.get(this.#name) ?? []).map(({ parameterCount }) => parameterCount)
    const code = new ReferredCode(this.#name, Math.max(1, ...counts), (called, args) =>
      this.#call.callWith(called, args)
    )
    return new ScriptClosure(code, [new Box(null)], undefined)
  }
}

/**
 * Calls a method of an object or a class. As in Groovy, a method of a class that is not static is called on the first argument, which
 * must be of the class, and `new` makes an object.
 */
function* calledOn({ budget, receivers }: Runtime, target: unknown, name: string, args: readonly unknown[]): ScriptRun {
  if (!(target instanceof ClassName)) return yield* receivers.call(target, name, args)
  if (name === "new") {
    if (constructedClasses.has(target.simpleName)) return constructed(target.simpleName, args, budget)
    throw new OperandError(`scripts do not have the constructor new ${target.simpleName}(...)`)
  }
  const made = callStatic(target.simpleName, name, args, budget)
  if (made !== undefined) return made.value
  const [first, ...rest] = args
  if (args.length > 0 && isInstance(first, target.simpleName) === true) return yield* receivers.call(first, name, rest)
  return yield* receivers.call(target, name, args)
}
