import { Bytecode } from "../../../process/language/Bytecode.ts"
import { ClosureTraverser } from "../../../process/language/Closure.ts"
import { GremlinMap, MapEntry } from "../../../structure/collections/Collections.ts"
import { isCopied } from "../../../structure/collections/DeepCopy.ts"
import { HostConstant } from "../../../structure/collections/HostConstant.ts"
import { type Element, isElement, Property, Vertex } from "../../../structure/elements/Element.ts"
import { ClassName } from "../../../structure/scalars/ClassNames.ts"
import type { HostCall, ScriptRun } from "../../HostCall.ts"
import type { Scope } from "../../Scope.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import { HostObject, ScriptSource, ScriptTraversal, TransactionControl } from "../../ScriptObjects.ts"
import type { Budget } from "../budget/Budget.ts"
import { memberOfClass } from "../classes/ClassMembers.ts"
import { ClosureCalls } from "../closures/ClosureCalls.ts"
import { grepped, isGrep } from "../collections/Combinations.ts"
import { GraphComputation } from "../graph/Computation.ts"
import { ElementQuery } from "../graph/ElementQuery.ts"
import { GraphFile } from "../graph/GraphFile.ts"
import { IndexHit, IndexQuery } from "../graph/IndexQuery.ts"
import { isAtHand, QuickReads } from "../graph/QuickReads.ts"
import { CommitFailures, callTransaction } from "../graph/TransactionCalls.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import type { Caller } from "../methods/MemberCalls.ts"
import type { ErrorPositions } from "../objects/ErrorPositions.ts"
import { ScriptMatcher } from "../objects/Matchers.ts"
import { byteProperty } from "../texts/ByteMethods.ts"
import { isSearch, searched } from "../texts/PatternText.ts"
import { isOwn, ownCopy, traverserPart } from "../traversals/Ownership.ts"
import { currentValue, isPastState, readsPast } from "../traversals/PastElements.ts"
import { TraversalCalls } from "../traversals/TraversalCalls.ts"
import { cast } from "../types/Casts.ts"
import { converted } from "../types/Conversions.ts"
import { DefaultMap, lacks } from "../values/DefaultMap.ts"
import { isMembers } from "../values/Members.ts"
import { HostCalls, ownerOf } from "./HostCalls.ts"
import { ofIterated } from "./IteratorUtils.ts"
import { loopMembers } from "./LoopMembers.ts"
import { isPlain, type MethodSite } from "./MethodSite.ts"
import { getterOf, readMembersOf } from "./Properties.ts"
import { callMethod, isMapMethod, readIndex, readMember } from "./ValueMethods.ts"

/** What runs the methods of values, by the kind of value. */
interface Parts {
  readonly closures: ClosureCalls
  readonly hosts: HostCalls
  readonly traversals: TraversalCalls
}

/** Runs the methods that scripts call on traversals, sources, transactions, objects of the host, classes, elements and values. */
export class Receivers {
  readonly #budget: Budget
  readonly #isFiltered: boolean
  readonly #scope: Scope
  readonly #caller: Caller
  readonly #reads = new QuickReads()
  #parts: Parts | undefined
  /** The commits of the script that failed. */
  readonly commits = new CommitFailures()

  /** @param caller calls closures */
  constructor(scope: Scope, budget: Budget, caller: Caller) {
    this.#budget = budget
    this.#isFiltered = scope.isFiltered === true
    this.#scope = scope
    this.#caller = caller
  }

  get #calls(): Parts {
    if (this.#parts !== undefined) return this.#parts
    const closures = new ClosureCalls(this.#budget, this.#caller, (value) => this.iterated(value))
    const traversals = new TraversalCalls(this.#budget, closures)
    this.#parts = { closures, hosts: new HostCalls(this.#scope, this.#budget), traversals }
    return this.#parts
  }

  /** Runs the methods of traversals. */
  get traversals(): TraversalCalls {
    return this.#calls.traversals
  }

  /** A part of a value. It is copied unless the script owns the value. The script does not own elements, for example. */
  *#part(of: unknown, part: unknown): ScriptRun {
    return isOwn(of) ? part : yield* ownCopy(part, this.#budget)
  }

  /** A result of the script, whose elements show the current transaction, in the form in which it is sent. */
  current(value: unknown): ScriptRun {
    const isSent = this.#scope.sendsResults === true
    return currentValue(value, (element) => this.#calls.hosts.current(element, "fails"), this.#budget, isSent)
  }

  *#current(element: Element, name: string, argCount: number): Generator<HostCall, Element, unknown> {
    return readsPast(element, name, argCount)
      ? ((yield* this.#calls.hosts.current(element, "fails")) as Element)
      : element
  }

  /** `value.name` without a call. */
  *member(value: unknown, name: string): ScriptRun {
    if (value instanceof HostObject) return yield* this.#calls.hosts.member(value, name)
    if (value instanceof ScriptSource && name === "graph") return yield* this.call(value, "getGraph", [])
    if (lacks(value, name)) return yield* this.#calls.closures.defaultOf(value, name)
    if (value instanceof ScriptClosure && name === "maximumNumberOfParameters") return value.parameterCount
    const getter = getterOf(value, name)
    if (getter !== undefined) return yield* this.call(value, getter, [])
    if (isElement(value)) {
      const element = yield* this.#current(value, name, 0)
      return yield* this.#part(value, yield* this.#calls.hosts.fetching(element, () => readMember(element, name)))
    }
    if (value instanceof ScriptMatcher) yield* value.find(this.#budget)
    const members = readMembersOf(value, name)
    if (members !== undefined) return yield* this.spread(members, (member) => this.member(member, name))
    return yield* this.#part(value, this.#member(value, name))
  }

  /** `value[index]`. */
  *index(value: unknown, index: unknown): ScriptRun {
    if (lacks(value, index)) return yield* this.#calls.closures.defaultOf(value, index)
    if (value instanceof CalledValue) return value.call("getAt", [index])
    if (value instanceof ScriptMatcher) yield* value.find(this.#budget)
    return yield* this.#part(value, readIndex(value, index, this.#budget))
  }

  /** `value as type`, or `(type) value`, which converts as an assignment to a variable of this type. */
  *cast(value: unknown, type: string, isAssigned: boolean): ScriptRun {
    const convert = isAssigned && !type.endsWith("[]") ? converted : cast
    return yield* this.#part(value, convert(value, type, this.#budget))
  }

  #member(value: unknown, name: string): unknown {
    const own = value instanceof CalledValue ? value.member(name) : undefined
    if (own !== undefined) return own
    if (value instanceof ClassName) return memberOfClass(value, name)
    return byteProperty(value, name, this.#budget) ?? readMember(value, name)
  }

  /** `value.name(args)`. */
  *call(value: unknown, name: string, args: readonly unknown[]): ScriptRun {
    const last = args.at(-1)
    // As in Groovy, every object has these two.
    if ((name === "with" || name === "tap") && args.length === 1 && last instanceof ScriptClosure)
      return yield* this.#calls.closures.call(value, name, [], last)
    if (value instanceof ScriptTraversal) return yield* this.#calls.traversals.call(value, name, args)
    if (value instanceof Bytecode) return yield* this.#calls.traversals.ofAnonymous(value, name, args)
    if (value instanceof ScriptSource) return yield* this.#calls.traversals.ofSource(value, name, args)
    if (value instanceof TransactionControl)
      return yield* this.commits.watched(name, callTransaction(value, name, args))
    if (value instanceof HostObject)
      return yield* this.commits.watched(name, this.#calls.hosts.object(value, name, args))
    if (value instanceof ClassName) return yield* this.#static(value, name, args)
    if (value instanceof HostConstant) return yield* this.#calls.hosts.constant(value, name, args)
    if (value instanceof ElementQuery || value instanceof IndexQuery || value instanceof GraphFile)
      return yield* this.#calls.hosts.query(value, name, args)
    if (value instanceof GraphComputation) return yield* this.#calls.hosts.computation(value, name, args)
    if (value instanceof CalledValue && name !== "toString") return yield* value.run(name, args, this.#caller)
    if (value instanceof ClosureTraverser) {
      if (name === "toString") return this.#budget.text(value)
      return traverserPart(value, name, yield* this.#part(value, value.call(name, args)), this.#budget)
    }
    if (value instanceof ScriptClosure) return yield* this.#calls.closures.closure(value, name, args)
    const own = value instanceof GremlinMap && !isMapMethod(name) ? value.get(name) : undefined
    if (own instanceof ScriptClosure) return yield* this.#calls.closures.closure(own, "call", args)
    if (value instanceof ScriptMatcher) yield* value.find(this.#budget)
    if (last instanceof ScriptClosure) return yield* this.#calls.closures.call(value, name, args.slice(0, -1), last)
    if (isSearch(value, name, args)) return yield* searched(value, name, args, this.#budget)
    if (isGrep(name, args) && (isMembers(value) || value instanceof GremlinMap))
      return yield* grepped(value, args[0], this.#budget)
    if ((name === "get" || name === "getAt") && args.length === 1 && lacks(value, args[0])) {
      return yield* this.#calls.closures.defaultOf(value, args[0])
    }
    if (isElement(value)) {
      const answer = yield* this.#calls.hosts.element(value, name, args)
      if (answer !== undefined) return answer.value
      if (isPastState(value, name) && (yield* this.#calls.hosts.current(value, "null")) === null)
        return name === "isRemoved"
      const element = yield* this.#current(value, name, args.length)
      const read = () => callMethod(element, name, args, this.#budget)
      return yield* this.#part(value, yield* this.#calls.hosts.fetching(element, read))
    }
    if (value instanceof Property && name === "remove" && args.length === 0) {
      const answer = yield* this.#calls.hosts.property(value, name)
      if (answer !== undefined) return answer.value
    }
    const owner = ownerOf(value, name, args)
    if (owner !== undefined) return yield* this.#calls.hosts.classMethod(owner.of, owner.name, [value, ...args])
    if (value instanceof IndexHit && args.length === 0) {
      const found = value.method(name)
      if (found !== undefined) return found
    }
    return yield* this.#part(value, callMethod(value, name, args, this.#budget))
  }

  /** `Class.name(args)`. `Collections.sort(list, closure)` is `list.sort(closure)`, and gives nothing. */
  *#static(of: ClassName, name: string, args: readonly unknown[]): ScriptRun {
    const [list, closure] = args
    if (of.simpleName === "IteratorUtils")
      return ofIterated(name, args.length === 1 ? yield* this.iterated(list) : undefined, this.#budget)
    const isSort = of.simpleName === "Collections" && name === "sort" && args.length === 2 && Array.isArray(list)
    if (!isSort || !(closure instanceof ScriptClosure) || closure.parameterCount !== 2) {
      return yield* this.#calls.hosts.classMethod(of, name, args)
    }
    yield* this.#calls.closures.call(list, "sort", [], closure)
    return null
  }

  /**
   * The value of a call that needs neither the host nor a closure, without a generator; undefined for any other call. Adds the
   * position to errors.
   */
  plainCall(
    value: unknown,
    site: MethodSite,
    args: readonly unknown[],
    positions: ErrorPositions,
    position: number
  ): unknown {
    const { name } = site
    if (!isPlain(value) || isGrep(name, args) || isSearch(value, name, args)) return undefined
    for (let at = 0; at < args.length; at++) if (args[at] instanceof ScriptClosure) return undefined
    if (value instanceof DefaultMap || value instanceof IndexHit) return undefined
    if (value instanceof GremlinMap && value.get(name) instanceof ScriptClosure) return undefined
    try {
      return site.call(value, args, this.#budget)
    } catch (error) {
      throw positions.calculationError(error, position)
    }
  }

  /** The value of `value[index]` of a list, a map or a string; undefined for any other value. Adds the position to errors. */
  plainIndex(value: unknown, index: unknown, positions: ErrorPositions, position: number): unknown {
    if (!(typeof value === "string" || Array.isArray(value) || value instanceof GremlinMap)) return undefined
    if (lacks(value, index)) return undefined
    try {
      return readIndex(value, index, this.#budget)
    } catch (error) {
      throw positions.calculationError(error, position)
    }
  }

  /** The value of `value.name` of a map or of an entry; undefined for any other value. */
  plainMember(value: unknown, name: string): unknown {
    if (value instanceof MapEntry) return name === "key" || name === "value" ? value[name] : undefined
    return value instanceof GremlinMap && !lacks(value, name) ? (value.get(name) ?? null) : undefined
  }

  /**
   * The value of a read that waits for nothing, such as `it.get()` and `v.value('age')` of a store that answers at once; undefined
   * for any other call. Adds the position to errors.
   */
  quickRead(
    value: unknown,
    site: MethodSite,
    args: readonly unknown[],
    positions: ErrorPositions,
    position: number
  ): unknown {
    try {
      const read = this.#quickly(value, site, args)
      return isCopied(read) ? undefined : read
    } catch (error) {
      throw positions.calculationError(error, position)
    }
  }

  #quickly(value: unknown, site: MethodSite, args: readonly unknown[]): unknown {
    const { name } = site
    if (value instanceof ClosureTraverser) {
      return (name === "get" && args.length === 0 ? value.get() : value.call(name, args)) ?? null
    }
    if (site.readCount !== args.length || this.#isFiltered || !isAtHand(value)) return undefined
    if (name === "value" && value instanceof Vertex && typeof args[0] === "string") {
      const found = this.#reads.value(value, args[0])
      if (found !== undefined) return found
    }
    return site.call(value, args, this.#budget)
  }

  /** The members that a loop visits. Fails with OperandError for a value without members. */
  iterated(value: unknown): Generator<HostCall, readonly unknown[], unknown> {
    return loopMembers(value, this.#budget, (traversal) => this.#calls.traversals.call(traversal, "toList", []))
  }

  /** `list*.name`: the results of `read` for all members. */
  *spread(value: unknown, read: (member: unknown) => ScriptRun): ScriptRun {
    const values: Array<unknown> = []
    for (const member of yield* this.iterated(value)) {
      values.push(member === null ? null : this.#budget.member(yield* read(member)))
      if (this.#budget.isSliceOver) yield { kind: "pause" }
    }
    return this.#budget.list(values)
  }
}
