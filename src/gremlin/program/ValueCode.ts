import { Bytecode, Variable } from "../../process/language/Bytecode.ts"
import { isPredicate } from "../../process/language/Predicate.ts"
import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { isCopied } from "../../structure/collections/DeepCopy.ts"
import { bytesOf } from "../../structure/memory/HeldBytes.ts"
import type { ScriptRun } from "../HostCall.ts"
import { Suspension } from "../Suspension.ts"
import { Spread } from "../script/arguments/Spread.ts"
import { substitute, visitVariables } from "../script/arguments/Substitution.ts"
import { withOwnValues } from "../script/operators/PredicateMethods.ts"
import { isCollection } from "../script/values/Copies.ts"
import { OpenTraversal } from "../script/values/OpenTraversal.ts"
import { type Box, Code, type Frame, PlainCode, SuspendingCode } from "./Frame.ts"
import type { Local, Unit } from "./Names.ts"

/** A value that never changes. */
export class ConstantCode extends PlainCode {
  readonly value: unknown
  constructor(value: unknown) {
    super()
    this.value = value
  }
  override get isPure(): boolean {
    return true
  }
  get(): unknown {
    return this.value
  }
  override attempt(): unknown {
    return this.value
  }
}

/** An anonymous traversal without variables. Each evaluation makes a value of its own, which the script may continue. */
export class AnonymousCode extends PlainCode {
  readonly #bytecode: Bytecode
  constructor(bytecode: Bytecode) {
    super()
    this.#bytecode = bytecode
  }
  get(): unknown {
    return new OpenTraversal(this.#bytecode)
  }
}

/** A local variable. */
export class LocalCode extends PlainCode {
  readonly local: Local
  constructor(local: Local) {
    super()
    this.local = local
  }
  /** Another closure may change a captured variable. ClosureCode checks the values of those that nothing reassigns. */
  override get isPure(): boolean {
    return !(this.local.isBoxed && this.local.changes.isReassigned)
  }
  get(frame: Frame): unknown {
    const held = frame.locals[this.local.index]
    return this.local.isBoxed ? (held as Box).value : held
  }
  override attempt(frame: Frame): unknown {
    return this.get(frame)
  }
}

/** What `attempt()` of a code gives. Local variables and constants, the most frequent operands, are read without a virtual call. */
export const attemptedValue = (code: Code, frame: Frame): unknown =>
  code instanceof LocalCode ? code.get(frame) : code instanceof ConstantCode ? code.value : code.attempt(frame)

/** The value of plain code, read as {@link attemptedValue} reads it. */
export const plainValue = (code: Code, frame: Frame): unknown =>
  code instanceof LocalCode ? code.get(frame) : code instanceof ConstantCode ? code.value : code.get(frame)

/** A variable that no block declares: one of the session or the request, a source or graph of the server, or a constant. */
export class BindingCode extends Code {
  readonly isPlain: boolean = false
  readonly name: string
  readonly #unit: Unit
  readonly #position: number
  constructor(name: string, unit: Unit, position: number) {
    super()
    this.name = name
    this.#unit = unit
    this.#position = position
  }
  get(frame: Frame): unknown {
    return frame.runtime.bindings.value(this.name, frame.delegate, this.#unit, this.#position)
  }
  override attempt(frame: Frame): unknown {
    const { bindings } = frame.runtime
    const known = frame.delegate === undefined ? bindings.atHand(this.name) : undefined
    if (known !== undefined) return known
    return bindings.isChangeable(this.name) ? new Suspension(this.run(frame)) : this.get(frame)
  }
  *run(frame: Frame): ScriptRun {
    const { bindings } = frame.runtime
    if (bindings.isChangeable(this.name)) return yield* bindings.ownValue(this.name)
    return this.get(frame)
  }
}

/** Bytes of data that count as one item that the script made. As a number of bits to shift. */
const CREATED_BYTES_SHIFT = 6

/** Data with holes, which are variables. Each run replaces them by values. */
export class DataCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #data: unknown
  readonly #holes: ReadonlyArray<readonly [name: string, code: Code]>
  /** The number of holes in the data. One variable may have many. */
  readonly #holeCount: number
  /** Of a list of values and variables: the hole of each item, -1 for a value. Undefined for other data. */
  readonly #items: readonly number[] | undefined
  /** Items that a copy of the data has. */
  readonly #size: number
  readonly #unit: Unit
  readonly #position: number
  constructor(data: unknown, holes: DataCode["holes"], unit: Unit, position: number) {
    super()
    this.#data = data
    let holeCount = 0
    if (holes.length > 0) visitVariables(data, () => holeCount++)
    this.#holeCount = holeCount
    this.#size = bytesOf(data) >> CREATED_BYTES_SHIFT
    this.#holes = holes
    this.#items = itemsOf(data, holes)
    this.#unit = unit
    this.#position = position
    this.isPlain = holes.every(([, code]) => code.isPlain)
  }
  get holes(): ReadonlyArray<readonly [name: string, code: Code]> {
    return this.#holes
  }
  override get(frame: Frame): unknown {
    const values: Array<unknown> = []
    for (let at = 0; at < this.#holes.length; at++) values.push(this.#holes[at]![1].get(frame))
    return this.#filled(frame, values)
  }
  override attempt(frame: Frame): unknown {
    const values: Array<unknown> = new Array(this.#holes.length)
    const { budget } = frame.runtime
    for (let at = 0; at < this.#holes.length; at++) {
      if (budget.isSliceOver) return new Suspension(this.#from(frame, values.slice(0, at), undefined))
      const value = peeked(this.#holes[at]![1], frame)
      if (value instanceof Suspension) return new Suspension(this.#from(frame, values.slice(0, at), value.rest))
      values[at] = value
    }
    return this.#filled(frame, values)
  }
  run(frame: Frame): ScriptRun {
    return this.#from(frame, [], undefined)
  }
  /** Fills the holes that have no value yet. `begun` is what is left of the value of the first of them. */
  *#from(frame: Frame, values: Array<unknown>, begun: ScriptRun | undefined): ScriptRun {
    const { budget } = frame.runtime
    let rest = begun
    for (let at = values.length; at < this.#holes.length; at++) {
      const value = rest === undefined ? peeked(this.#holes[at]![1], frame) : yield* rest
      rest = undefined
      values.push(value instanceof Suspension ? yield* value.rest : value)
      if (budget.isSliceOver) yield { kind: "pause" }
    }
    return this.#filled(frame, values)
  }
  #filled(frame: Frame, values: readonly unknown[]): unknown {
    return this.#listed(frame, values) ?? this.#substituted(frame, values)
  }
  /** The list of an expression such as `[a, 1]`; undefined for other data, and if a value stands for several. */
  #listed(frame: Frame, values: readonly unknown[]): Array<unknown> | undefined {
    const items = this.#items
    if (items === undefined) return undefined
    for (let at = 0; at < values.length; at++) if (needsCare(values[at])) return undefined
    const { budget } = frame.runtime
    budget.created(this.#size)
    if (this.#holeCount > 1) budget.spend(this.#holeCount, "replacing variables by their values")
    const list = (this.#data as readonly unknown[]).slice()
    for (let at = 0; at < items.length; at++) {
      const hole = items[at]!
      if (hole >= 0) list[at] = budget.member(values[hole])
    }
    return list
  }
  #substituted(frame: Frame, given: readonly unknown[]): unknown {
    const { budget } = frame.runtime
    const values = new Map<string, unknown>()
    for (let at = 0; at < given.length; at++) values.set(this.#holes[at]![0], given[at])
    budget.created(this.#size)
    return this.#unit.positions.at(this.#position, () => {
      if (this.#holeCount > 1) budget.spend(this.#holeCount, "replacing variables by their values")
      // A collection in an anonymous traversal is copied: the script may change it before or after the traversal runs. A predicate
      // keeps its collection, as in TinkerPop, until a traversal takes the predicate.
      const isShared = isCopied(this.#data) || isPredicate(this.#data)
      const from = budget.spent
      const added = new Set<unknown>()
      const filled = substitute(this.#data, ({ name }) => {
        const value = values.get(name)
        if (!isShared && isPredicate(value)) return withOwnValues(value, budget)
        if (value instanceof Spread) {
          budget.spend(value.members.length, "*")
          budget.limit(from, "*")
          return new Spread(
            isShared ? budget.members(value.members) : value.members.map((each) => budget.keyMember(each))
          )
        }
        if (!isShared) return budget.keyMember(value)
        // A collection is checked once, in however many places it is.
        if (added.has(value)) return value
        added.add(value)
        return budget.member(value)
      })
      return opened(filled)
    })
  }
}

/** The holes of the items of a list, as {@link DataCode} fills them; undefined for other data. */
const itemsOf = (data: unknown, holes: DataCode["holes"]): readonly number[] | undefined => {
  if (!Array.isArray(data)) return undefined
  const places = new Map(holes.map(([name], at) => [name, at]))
  const items: Array<number> = []
  for (const item of data as readonly unknown[]) {
    if (item instanceof Variable) items.push(places.get(item.name)!)
    else if (typeof item !== "object" || item === null) items.push(-1)
    else return undefined
  }
  return items
}

/** True for a value that does not become a member of a list as it is, or that may be refused as one. */
const needsCare = (value: unknown): boolean =>
  typeof value === "object" && (value instanceof Spread || isCollection(value) || value instanceof Bytecode)

/** A value whose anonymous traversals, and those that are its members, can be continued. */
const opened = (value: unknown): unknown => {
  if (value instanceof Bytecode) return new OpenTraversal(value)
  if (Array.isArray(value)) {
    for (const [at, member] of value.entries()) if (member instanceof Bytecode) value[at] = new OpenTraversal(member)
  } else if (value instanceof GremlinMap) {
    for (const [key, member] of value) if (member instanceof Bytecode) value.set(key, new OpenTraversal(member))
  }
  return value
}

/** The value of a code, or a {@link Suspension}. A variable is only read, so that a binding need not be copied. */
const peeked = (code: Code, frame: Frame): unknown => {
  const { variables } = frame.runtime.scope
  if (code instanceof BindingCode && variables.isBinding(code.name)) return variables.get(code.name)
  return code.attempt(frame)
}

/** True for data that each run copies, because the script may change it. */
export const isChangeable = (data: unknown): boolean =>
  Array.isArray(data) || data instanceof GremlinMap || data instanceof GremlinSet

/** The value of a variable, or a text if no variable has this name. */
export class OptionalCode extends SuspendingCode {
  readonly #name: string
  readonly #value: Code
  readonly #literal: string
  constructor(name: string, value: Code, literal: string) {
    super()
    this.#name = name
    this.#value = value
    this.#literal = literal
  }
  *run(frame: Frame): ScriptRun {
    const { globals, variables } = frame.runtime.scope
    const isVariable = variables.has(this.#name) || globals.has(this.#name)
    return isVariable ? yield* this.#value.run(frame) : this.#literal
  }
}
