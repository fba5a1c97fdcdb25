import { GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import type { Method } from "../methods/MethodTable.ts"
import { ConstantList } from "../values/FixedList.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"

const unchangeable = (problem: string): OperandError => new OperandError(problem, "UnsupportedOperationException")

const unchangeableMap = (): OperandError =>
  unchangeable(
    "a constant map, such as Map.of() or asImmutable() gives, cannot be changed: write [:] + map for a map of its own"
  )

const unchangeableSet = (): OperandError =>
  unchangeable(
    "a constant set, such as Set.of() or asImmutable() gives, cannot be changed: write set.toSet() for a set of its own"
  )

/** A map that a script cannot change. Changes fail with OperandError. */
export class ConstantMap extends GremlinMap {
  constructor(entries: Iterable<readonly [unknown, unknown]>) {
    super()
    for (const [key, value] of entries) super.set(key, value)
  }
  /** The error of a change. */
  protected unchangeable(): Error {
    return unchangeableMap()
  }
  override set(): this {
    throw this.unchangeable()
  }
  override delete(): boolean {
    throw this.unchangeable()
  }
}

/** A set that a script cannot change. Changes fail with OperandError. */
export class ConstantSet extends GremlinSet {
  constructor(members: Iterable<unknown>) {
    super()
    for (const member of members) super.add(member)
  }
  /** The error of a change. */
  protected unchangeable(): Error {
    return unchangeableSet()
  }
  override add(): boolean {
    throw this.unchangeable()
  }
  override delete(): boolean {
    throw this.unchangeable()
  }
}

/** A copy of a list of a traverser in a closure. */
class LentList extends ConstantList {
  /** The text of the error of a change. */
  problem = ""

  override unchangeable(): Error {
    return unchangeable(this.problem)
  }
}

/** A copy of a map of a traverser in a closure. */
class LentMap extends ConstantMap {
  readonly #problem: string

  constructor(entries: Iterable<readonly [unknown, unknown]>, problem: string) {
    super(entries)
    this.#problem = problem
  }

  protected override unchangeable(): Error {
    return unchangeable(this.#problem)
  }
}

/** A copy of a set of a traverser in a closure. */
class LentSet extends ConstantSet {
  readonly #problem: string

  constructor(members: Iterable<unknown>, problem: string) {
    super(members)
    this.#problem = problem
  }

  protected override unchangeable(): Error {
    return unchangeable(this.#problem)
  }
}

/**
 * The copy of a collection that a change would not reach. A change fails with `problem`. Other values are returned. The members of
 * the collection are values of the script, which it may change.
 */
export const lent = (copy: unknown, problem: string, budget: Budget): unknown => {
  if (Array.isArray(copy) && copy.constructor === Array) {
    const list = LentList.holding(budget.list(copy))
    list.problem = problem
    return list
  }
  if (copy instanceof GremlinMap) return new LentMap(budget.list([...copy]) as Array<[unknown, unknown]>, problem)
  return copy instanceof GremlinSet ? new LentSet(budget.list([...copy]), problem) : copy
}

const copyOfMap = (map: GremlinMap, budget: Budget): GremlinMap =>
  new ConstantMap(budget.list([...map]) as Array<[unknown, unknown]>)

/** `asImmutable()` of a list, a set or a map: a copy that cannot be changed. */
export const asImmutable: Method = [
  0,
  0,
  (value: unknown, _, budget) => {
    if (value instanceof GremlinMap) return copyOfMap(value, budget)
    const members = budget.list([...membersOf(value, "asImmutable()")])
    return value instanceof GremlinSet ? new ConstantSet(members) : ConstantList.holding(members)
  }
]

/** The members of a constant collection. Fails with OperandError, as Java does, if one is null. `call` names the method. */
export const nonNull = (members: readonly unknown[], call: string): readonly unknown[] => {
  if (!members.includes(null)) return members
  throw new OperandError(`${call} takes no null`, "NullPointerException")
}

const duplicate = (call: string, what: string): OperandError =>
  new OperandError(`${call} got a ${what} twice`, "IllegalArgumentException")

const setOf = (members: readonly unknown[], budget: Budget): GremlinSet => {
  const set = new ConstantSet(budget.list(nonNull(members, "Set.of()").map((member) => budget.keyMember(member))))
  if (set.size < members.length) throw duplicate("Set.of()", "member")
  return set
}

const mapOf = (args: readonly unknown[], budget: Budget): GremlinMap => {
  if (args.length % 2 > 0) throw new OperandError("Map.of() takes a value for each key", "MissingMethodException")
  nonNull(args, "Map.of()")
  budget.list([...args])
  const entries = Array.from({ length: args.length / 2 }, (_, at): readonly [unknown, unknown] => [
    budget.keyMember(args[2 * at]),
    budget.member(args[2 * at + 1])
  ])
  const map = new ConstantMap(entries)
  if (map.size < entries.length) throw duplicate("Map.of()", "key")
  return map
}

const copyOf = (className: string, value: unknown, budget: Budget): unknown => {
  const call = `${className}.copyOf()`
  if (className === "Map") {
    if (!(value instanceof GremlinMap)) throw new OperandError(`${call} takes a map, not ${typeName(value)}`)
    nonNull([...value.keys(), ...value.values()], call)
    return copyOfMap(value, budget)
  }
  const members = budget.list([...nonNull(membersOf(value, call), call)])
  return className === "Set" ? new ConstantSet(budget.keys(members)) : ConstantList.holding(members)
}

/** The value of of() and copyOf() of List, Set and Map; undefined for another call. Fails with OperandError for wrong arguments. */
export const callConstant = (
  className: string,
  name: string,
  args: readonly unknown[],
  budget: Budget
): { readonly value: unknown } | undefined => {
  if (!["List", "Set", "Map"].includes(className)) return undefined
  if (name === "copyOf" && args.length === 1) return { value: copyOf(className, args[0], budget) }
  if (className === "Map" && name === "entry" && args.length === 2) {
    nonNull(args, "Map.entry()")
    return { value: new MapEntry(budget.keyMember(args[0]), budget.member(args[1])) }
  }
  if (name !== "of") return undefined
  if (className === "Map") return { value: mapOf(args, budget) }
  if (className === "Set") return { value: setOf(args, budget) }
  return { value: ConstantList.holding(budget.list([...budget.members(nonNull(args, "List.of()"))])) }
}
