import type { ScriptRun } from "../HostCall.ts"
import { ScriptTraversal } from "../ScriptObjects.ts"
import { attemptOf, Suspension } from "../Suspension.ts"
import { CastCode } from "./CastCode.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { BinaryCode, InstanceCode, UnaryCode } from "./OperatorCode.ts"
import { TraversalCode } from "./TraversalCode.ts"
import { ConstantCode, LocalCode } from "./ValueCode.ts"

/**
 * A value that may be a traversal, which is true if it has a result. The traversal runs. The value is a boolean then or, if the
 * traversal is kept, the traversal itself. Another value stays as it is.
 */
class ConditionCode extends SuspendingCode {
  readonly #value: Code
  readonly #isKept: boolean
  readonly #unit: Unit
  readonly #position: number
  constructor(value: Code, isKept: boolean, unit: Unit, position: number) {
    super()
    this.#value = value
    this.#isKept = isKept
    this.#unit = unit
    this.#position = position
  }
  override get isPure(): boolean {
    return this.#value.isPure
  }
  override attempt(frame: Frame): unknown {
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#after(frame, value.rest))
    return value instanceof ScriptTraversal ? attemptOf(this.#hasNext(frame, value)) : value
  }
  run(frame: Frame): ScriptRun {
    return this.#after(frame, this.#value.run(frame))
  }
  *#after(frame: Frame, rest: ScriptRun): ScriptRun {
    const value = yield* rest
    return value instanceof ScriptTraversal ? yield* this.#hasNext(frame, value) : value
  }
  *#hasNext({ runtime }: Frame, traversal: ScriptTraversal): ScriptRun {
    const hasNext = yield* this.#unit.positions.positioned(this.#position, runtime.hasNext(traversal))
    return this.#isKept ? traversal : hasNext
  }
}

/** Types whose values are no traversals. A variable of another type, such as Iterator, may hold one. */
const TYPES_WITHOUT_TRAVERSALS: ReadonlySet<string> = new Set(
  (
    "boolean Boolean byte Byte short Short int Integer long Long float Float double Double Number BigInteger BigDecimal " +
    "char Character String GString CharSequence UUID Date Collection List ArrayList LinkedList Set HashSet LinkedHashSet " +
    "TreeSet SortedSet Map HashMap LinkedHashMap TreeMap SortedMap Vertex Edge"
  ).split(" ")
)

const isOfTypeWithoutTraversals = (type: string): boolean => TYPES_WITHOUT_TRAVERSALS.has(type) || type.endsWith("[]")

/** True for code whose value is a traversal in no run. */
const isNoTraversal = (code: Code): boolean =>
  code instanceof ConstantCode ||
  code instanceof UnaryCode ||
  code instanceof InstanceCode ||
  (code instanceof BinaryCode && !code.givesOperand) ||
  (code instanceof LocalCode && isOfTypeWithoutTraversals(code.local.type))

/** The code of an expression whose truth is asked for. */
export const conditionOf = (code: Code, unit: Unit, position: number): Code => {
  if (code instanceof TraversalCode) return code.hasNext
  return isNoTraversal(code) ? code : new ConditionCode(code, false, unit, position)
}

/** The code of an operand whose truth is asked for, and which is also the value if it is true. A traversal has run then. */
export const operandOf = (code: Code, unit: Unit, position: number): Code =>
  isNoTraversal(code) || code instanceof CastCode ? code : new ConditionCode(code, true, unit, position)

/** True for the code of a result of a body, if no variable can hold a traversal that is its value and that has not run. */
export const givesOwnTraversal = (code: Code): boolean => code instanceof TraversalCode || isNoTraversal(code)
