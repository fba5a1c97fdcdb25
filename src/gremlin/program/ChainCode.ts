import type { ScriptRun } from "../HostCall.ts"
import { attemptOf, Suspension } from "../Suspension.ts"
import type { MethodSite } from "../script/receivers/MethodSite.ts"
import { isIndex } from "../script/receivers/ValueMethods.ts"
import { attempted, evaluated } from "./Arguments.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { isOfNull, nullReceiver } from "./NullReceivers.ts"
import { attemptedValue, LocalCode } from "./ValueCode.ts"

/** A prepared link of a chain. */
export type LinkCode =
  | {
      readonly kind: "call"
      readonly name: string
      readonly site: MethodSite
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
    let value = attemptedValue(this.#root, frame)
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
    const { positions } = this.#unit
    // The value of a call may be null: `??` would run the call again.
    const plain = receivers.plainCall(value, link.site, args, positions, link.position)
    const called = plain === undefined ? receivers.quickRead(value, link.site, args, positions, link.position) : plain
    if (called !== undefined) return called
    const begun = attemptOf(positions.positioned(link.position, receivers.call(value, link.name, args)))
    return begun instanceof Suspension ? new Suspension(this.#afterCall(frame, begun.rest, at)) : begun
  }
  *#afterCall(frame: Frame, value: ScriptRun, at: number): ScriptRun {
    return yield* this.#from(frame, yield* value, at + 1)
  }
  /** The value of an index or a member of a collection, and otherwise what is left of the chain. */
  #read(frame: Frame, value: unknown, at: number, link: Exclude<LinkCode, CallLink>): unknown {
    const { receivers } = frame.runtime
    const { positions } = this.#unit
    if (link.kind === "member") {
      const read = link.spreads ? undefined : receivers.plainMember(value, link.name)
      return read === undefined ? new Suspension(this.#from(frame, value, at)) : read
    }
    const index = attemptedValue(link.index, frame)
    if (typeof index === "number" && Array.isArray(value) && isIndex(index, value)) return value[index] ?? null
    if (index instanceof Suspension) return new Suspension(this.#indexed(frame, value, at, index.rest))
    const read = receivers.plainIndex(value, index, positions, link.position)
    return read === undefined ? new Suspension(this.#indexedBy(frame, value, at, index)) : read
  }
  *#indexed(frame: Frame, value: unknown, at: number, index: ScriptRun): ScriptRun {
    return yield* this.#indexedBy(frame, value, at, yield* index)
  }
  *#indexedBy(frame: Frame, value: unknown, at: number, index: unknown): ScriptRun {
    const { receivers } = frame.runtime
    const { position } = this.#links[at]!
    return yield* this.#from(
      frame,
      yield* this.#unit.positions.positioned(position, receivers.index(value, index)),
      at + 1
    )
  }
  *run(frame: Frame): ScriptRun {
    const root = this.#root.isPlain ? this.#root.get(frame) : yield* this.#root.run(frame)
    return yield* this.#from(frame, root, 0)
  }
  *#after(frame: Frame, root: ScriptRun): ScriptRun {
    return yield* this.#from(frame, yield* root, 0)
  }
  /** Calls a link with its arguments, or with what is left of them, and continues with the links after it. */
  *#called(frame: Frame, value: unknown, at: number, given: readonly unknown[] | ScriptRun): ScriptRun {
    const link = this.#links[at] as CallLink
    const args = Array.isArray(given) ? given : ((yield* given as ScriptRun) as unknown[])
    return yield* this.#from(frame, yield* this.#call(frame, value, link, args), at + 1)
  }
  *#from(frame: Frame, root: unknown, begin: number): ScriptRun {
    const { budget } = frame.runtime
    let value = root
    for (let at = begin; at < this.#links.length; at++) {
      if (budget.isSliceOver) yield { kind: "pause" }
      value = yield* this.#linked(frame, value, this.#links[at]!)
    }
    return value
  }
  *#linked(frame: Frame, value: unknown, link: LinkCode): ScriptRun {
    const { receivers } = frame.runtime
    const { positions } = this.#unit
    const { position } = link
    if (link.kind === "index") {
      const index = link.index.isPlain ? link.index.get(frame) : yield* link.index.run(frame)
      return yield* positions.positioned(position, receivers.index(value, index))
    }
    if ((value === null || value === undefined) && (link.safe || link.spreads)) return null
    this.#checkNull(value, link)
    if (link.kind === "member") {
      return link.spreads
        ? yield* positions.positioned(
            position,
            receivers.spread(value, (member) => receivers.member(member, link.name))
          )
        : yield* positions.positioned(position, receivers.member(value, link.name))
    }
    return yield* this.#call(frame, value, link, (yield* evaluated(link.args, frame)) as unknown[])
  }
  *#call({ runtime: { receivers } }: Frame, value: unknown, link: CallLink, args: readonly unknown[]): ScriptRun {
    const { name, position, site } = link
    const { positions } = this.#unit
    if (link.spreads) {
      return yield* positions.positioned(
        position,
        receivers.spread(value, (member) => receivers.call(member, name, args))
      )
    }
    const plain = receivers.plainCall(value, site, args, positions, position)
    if (plain !== undefined) return plain
    return yield* positions.positioned(position, receivers.call(value, name, args))
  }
  /** Fails for a call or member of null that null does not have. */
  #checkNull(value: unknown, link: Exclude<LinkCode, { kind: "index" }>): void {
    if ((value !== null && value !== undefined) || link.safe || link.spreads) return
    if (link.kind === "call" && isOfNull(link.name, link.args.length)) return
    throw nullReceiver(link.name, link.kind === "call", link.position, this.#unit.positions)
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
