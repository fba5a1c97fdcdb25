import type { Bytecode } from "../../process/language/Bytecode.ts"
import { Bytecode as BytecodeClass } from "../../process/language/Bytecode.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { type Evaluation, type HostCall, ScriptTraversal, TraversalSource } from "../Scope.ts"
import type { Terminal } from "../Script.ts"
import { ScriptClosure } from "../ScriptClosure.ts"
import { Suspension } from "../Suspension.ts"
import { substituteBytecode } from "../script/Data.ts"
import { JavaArray } from "../script/JavaArray.ts"
import { Spread } from "../script/Spread.ts"
import { attempted, evaluated } from "./Arguments.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { isOfNull, nullReceiver } from "./NullReceivers.ts"
import { BindingCode, type DataCode, LocalCode } from "./ValueCode.ts"

/** A prepared link of a chain. */
export type LinkCode =
  | {
      readonly kind: "call"
      readonly name: string
      readonly args: readonly Code[]
      readonly safe: boolean
      readonly spreads: boolean
      readonly position: number
    }
  | {
      readonly kind: "member"
      readonly name: string
      readonly safe: boolean
      readonly spreads: boolean
      readonly position: number
    }
  | { readonly kind: "index"; readonly index: Code; readonly position: number }

/** A value with calls, members and indexes after it. */
export class ChainCode extends SuspendingCode {
  readonly #root: Code
  readonly #links: readonly LinkCode[]
  readonly #unit: Unit
  constructor(root: Code, links: readonly LinkCode[], unit: Unit) {
    super()
    this.#root = root
    this.#links = links
    this.#unit = unit
  }
  override get isPure(): boolean {
    // A captured variable may hold an object of the server, such as a traversal.
    return this.#root instanceof LocalCode && !this.#root.local.isBoxed && this.#links.every(isPureLink)
  }
  override attempt(frame: Frame): unknown {
    const { budget } = frame.runtime
    let value = this.#root.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#after(frame, value.rest))
    for (let at = 0; at < this.#links.length; at++) {
      const link = this.#links[at]!
      if (link.kind === "call" && budget.isSliceOver) return new Suspension(this.#from(frame, value, at))
      const next = link.kind === "call" ? this.#attemptCall(frame, value, at, link) : this.#read(frame, value, at, link)
      if (next instanceof Suspension) return next
      value = next
    }
    return value
  }
  /** The value of a call that waits for nothing, and otherwise what is left of the chain. */
  #attemptCall(frame: Frame, value: unknown, at: number, link: CallLink): unknown {
    if (link.spreads) return new Suspension(this.#from(frame, value, at))
    if (value === null || value === undefined) {
      if (link.safe) return null
      this.#checkNull(value, link)
    }
    const args: readonly unknown[] | Suspension = link.args.length === 0 ? NO_ARGS : attempted(link.args, frame)
    if (args instanceof Suspension) return new Suspension(this.#called(frame, value, at, args.rest))
    const { receivers } = frame.runtime
    const { places } = this.#unit
    // The value of a call may be null: `??` would run the call again.
    const plain = receivers.plainCall(value, link.name, args, places, link.position)
    const called = plain === undefined ? receivers.quickRead(value, link.name, args, places, link.position) : plain
    return called === undefined ? new Suspension(this.#called(frame, value, at, args)) : called
  }
  /** The value of an index or a member of a collection, and otherwise what is left of the chain. */
  #read(frame: Frame, value: unknown, at: number, link: Exclude<LinkCode, CallLink>): unknown {
    const { receivers } = frame.runtime
    const { places } = this.#unit
    if (link.kind === "member") {
      const read = link.spreads ? undefined : receivers.plainMember(value, link.name)
      return read === undefined ? new Suspension(this.#from(frame, value, at)) : read
    }
    const index = link.index.attempt(frame)
    if (index instanceof Suspension) return new Suspension(this.#indexed(frame, value, at, index.rest))
    const read = receivers.plainIndex(value, index, places, link.position)
    return read === undefined ? new Suspension(this.#indexedBy(frame, value, at, index)) : read
  }
  *#indexed(frame: Frame, value: unknown, at: number, index: Evaluation): Evaluation {
    return yield* this.#indexedBy(frame, value, at, yield* index)
  }
  *#indexedBy(frame: Frame, value: unknown, at: number, index: unknown): Evaluation {
    const { receivers } = frame.runtime
    const { position } = this.#links[at]!
    return yield* this.#from(frame, yield* this.#unit.places.placed(position, receivers.index(value, index)), at + 1)
  }
  *run(frame: Frame): Evaluation {
    const root = this.#root.isPlain ? this.#root.get(frame) : yield* this.#root.run(frame)
    return yield* this.#from(frame, root, 0)
  }
  *#after(frame: Frame, root: Evaluation): Evaluation {
    return yield* this.#from(frame, yield* root, 0)
  }
  /** Calls a link with its arguments, or with what is left of them, and continues with the links after it. */
  *#called(frame: Frame, value: unknown, at: number, given: readonly unknown[] | Evaluation): Evaluation {
    const link = this.#links[at] as CallLink
    const args = Array.isArray(given) ? given : ((yield* given as Evaluation) as unknown[])
    return yield* this.#from(frame, yield* this.#call(frame, value, link, args), at + 1)
  }
  *#from(frame: Frame, root: unknown, begin: number): Evaluation {
    const { budget } = frame.runtime
    let value = root
    for (let at = begin; at < this.#links.length; at++) {
      if (budget.isSliceOver) yield { kind: "pause" }
      value = yield* this.#linked(frame, value, this.#links[at]!)
    }
    return value
  }
  *#linked(frame: Frame, value: unknown, link: LinkCode): Evaluation {
    const { receivers } = frame.runtime
    const { places } = this.#unit
    const { position } = link
    if (link.kind === "index") {
      const index = link.index.isPlain ? link.index.get(frame) : yield* link.index.run(frame)
      return yield* places.placed(position, receivers.index(value, index))
    }
    if ((value === null || value === undefined) && (link.safe || link.spreads)) return null
    this.#checkNull(value, link)
    if (link.kind === "member") {
      return link.spreads
        ? yield* places.placed(
            position,
            receivers.spread(value, (member) => receivers.member(member, link.name))
          )
        : yield* places.placed(position, receivers.member(value, link.name))
    }
    return yield* this.#call(frame, value, link, (yield* evaluated(link.args, frame)) as unknown[])
  }
  *#call({ runtime: { receivers } }: Frame, value: unknown, link: CallLink, args: readonly unknown[]): Evaluation {
    const { name, position } = link
    const { places } = this.#unit
    if (link.spreads) {
      return yield* places.placed(
        position,
        receivers.spread(value, (member) => receivers.call(member, name, args))
      )
    }
    const plain = receivers.plainCall(value, name, args, places, position)
    if (plain !== undefined) return plain
    return yield* places.placed(position, receivers.call(value, name, args))
  }
  /** Fails for a call or member of null that null does not have. */
  #checkNull(value: unknown, link: Exclude<LinkCode, { kind: "index" }>): void {
    if ((value !== null && value !== undefined) || link.safe || link.spreads) return
    if (link.kind === "call" && isOfNull(link.name, link.args.length)) return
    throw nullReceiver(link.name, link.kind === "call", link.position, this.#unit.places)
  }
}

type CallLink = Extract<LinkCode, { kind: "call" }>

/** Methods of traversers, elements, texts and numbers that change nothing. */
const PURE_METHODS: ReadonlySet<string> = new Set(
  (
    "get loops id label value keys size length isEmpty contains startsWith endsWith toUpperCase toLowerCase trim " +
    "substring indexOf equals compareTo toString toInteger toLong toDouble intValue longValue doubleValue intdiv abs"
  ).split(" ")
)

/** True for a call of a method that changes nothing of an object of the graph. */
const isPureLink = (link: LinkCode): boolean =>
  link.kind === "call" && !link.spreads && PURE_METHODS.has(link.name) && link.args.every((arg) => arg.isPure)

const NO_ARGS: readonly unknown[] = Object.freeze([])

const NO_VARIABLES: ReadonlyMap<string, unknown> = new Map()

/** A traversal, or a source with instructions. */
interface Spawned {
  /** The name of the source in messages; undefined for an expression. */
  readonly name: string | undefined
  readonly source: Code
  readonly bytecode: Bytecode
  readonly holes: DataCode["holes"]
  readonly unit: Unit
  readonly position: number
}

function* sourceOf(
  { name, position, source, unit }: Spawned,
  frame: Frame
): Generator<HostCall, TraversalSource, unknown> {
  const value = source.isPlain ? source.get(frame) : yield* source.run(frame)
  if (value instanceof TraversalSource) return value
  const what = name ?? "this"
  const problem =
    value instanceof ScriptTraversal
      ? `${what} is a traversal, which a step that begins traversals cannot continue from a variable: write both in one expression, ` +
        "such as g.inject(1).addV('x')"
      : `${what} is not a traversal source, but ${typeName(value)}: traversals begin with g`
  throw unit.places.failure(problem, position)
}

/** The values of the variables of a traversal. Fails when a traversal cannot carry one of them. */
function* boundOf(
  { holes, position, unit }: Spawned,
  frame: Frame
): Generator<HostCall, Map<string, unknown>, unknown> {
  const { budget, receivers, scope } = frame.runtime
  const variables = new Map<string, unknown>()
  for (const [name, code] of holes) {
    if (budget.isSliceOver) yield { kind: "pause" }
    if (code instanceof BindingCode && scope.variables.isBinding(code.name)) {
      variables.set(name, scope.variables.get(code.name))
      continue
    }
    const value = code.isPlain ? code.get(frame) : yield* code.run(frame)
    // The closure of a step, or a variable that holds one. The run of the traversal calls it.
    if (value instanceof ScriptClosure) {
      variables.set(name, value)
      continue
    }
    variables.set(
      name,
      typeof value === "object" ? yield* unit.places.placed(position, receivers.argument(value)) : value
    )
  }
  return variables
}

/** The traversal with the values of its variables as arguments. */
const filled = (
  source: TraversalSource,
  bytecode: Bytecode,
  variables: ReadonlyMap<string, unknown>
): ScriptTraversal =>
  new ScriptTraversal(
    source,
    substituteBytecode(bytecode, ({ name }) => variables.get(name)),
    NO_VARIABLES
  )

/** True for a value that stands for several arguments, so that the traversal has other arguments in each run. */
const isSeveral = (value: unknown): boolean => value instanceof Spread || value instanceof JavaArray

/** `g.V().out().next()`: a traversal that begins at a source. */
export class TraversalCode extends SuspendingCode {
  readonly #spawned: Spawned
  readonly #terminal: Terminal | undefined
  constructor(spawned: Spawned, terminal: Terminal | undefined) {
    super()
    this.#spawned = spawned
    this.#terminal = terminal
  }
  *run(frame: Frame): Evaluation {
    const { bytecode, position, unit } = this.#spawned
    const source = yield* sourceOf(this.#spawned, frame)
    const variables = yield* boundOf(this.#spawned, frame)
    const whole =
      source.instructions.length === 0
        ? bytecode
        : new BytecodeClass([...source.instructions, ...bytecode.sourceInstructions], bytecode.stepInstructions)
    const isFilled = variables.size > 0 && [...variables.values()].some(isSeveral)
    const traversal = isFilled
      ? unit.places.at(position, () => filled(source, whole, variables))
      : new ScriptTraversal(source, whole, variables)
    const terminal = this.#terminal
    if (terminal === undefined) return traversal
    return yield* unit.places.placed(position, frame.runtime.receivers.end(traversal, terminal.name, terminal.count))
  }
}

/** `g.withSideEffect(...)` alone: a source with instructions. */
export class SourceCode extends SuspendingCode {
  readonly #spawned: Spawned
  constructor(spawned: Spawned) {
    super()
    this.#spawned = spawned
  }
  *run(frame: Frame): Evaluation {
    const source = yield* sourceOf(this.#spawned, frame)
    const variables = yield* boundOf(this.#spawned, frame)
    // Values are fixed now: a traversal spawned from the source later may have other variables of the same names.
    const written = substituteBytecode(this.#spawned.bytecode, ({ name }) => variables.get(name))
    return new TraversalSource(source.name, [...source.instructions, ...written.sourceInstructions], source.handle)
  }
}
