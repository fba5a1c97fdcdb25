import { GremlinMap, MapEntry } from "../../../structure/collections/Collections.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, type Methods } from "../methods/MethodTable.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"

// Methods of Groovy's collections that give parts of them, or their members in another form.

/** The parts of `collate(size, step, keepsRest)`. */
const collated = (value: unknown, args: readonly unknown[], budget: Budget): Array<unknown> => {
  const members = membersOf(value, "collate()")
  const [size, second, third] = args
  const width = asIndex(size)
  const step = typeof second === "boolean" || second === undefined ? width : asIndex(second)
  const keepsRest = (typeof second === "boolean" ? second : third) ?? true
  if (width < 1 || step < 1) throw new OperandError("collate() takes a size and a step of 1 or more")
  budget.spend(Math.ceil(members.length / step) * Math.min(width, members.length), "collate()")
  const parts: Array<unknown> = []
  for (let at = 0; at < members.length && (keepsRest !== false || at + width <= members.length); at += step) {
    parts.push(members.slice(at, at + width))
  }
  return budget.list(parts)
}

/** The parts that leave out 0, 1 and more members, for inits() and tails(). */
const shortened = (value: unknown, part: (members: readonly unknown[], left: number) => unknown, budget: Budget) => {
  const members = membersOf(value, "inits() and tails()")
  budget.spend((members.length * (members.length + 1)) / 2, "inits() and tails()")
  return budget.list(Array.from({ length: members.length + 1 }, (_, left) => part(members, left)))
}

/** Puts the entry that a value stands for into a map: a map, an entry, or a list of a key and a value. */
export const putEntry = (map: GremlinMap, entry: unknown, budget: Budget): void => {
  if (entry instanceof GremlinMap) {
    for (const [key, value] of entry) map.set(budget.keyMember(key), budget.member(value))
  } else if (entry instanceof MapEntry) map.set(budget.keyMember(entry.key), budget.member(entry.value))
  else if (Array.isArray(entry) && entry.length === 2) map.set(budget.keyMember(entry[0]), budget.member(entry[1]))
  else
    throw new OperandError(
      `collectEntries() takes a closure that gives [key, value] or [key: value], not ${typeName(entry)}`
    )
}

/** Methods of lists, sets and paths. */
export const sliceMethods: Methods = {
  collate: [1, 3, (value: unknown, args, budget) => collated(value, args, budget)],
  collect: [0, 0, (value: unknown, _, budget) => budget.list([...budget.members(membersOf(value, "collect()"))])],
  asList: [0, 0, (value: unknown, _, budget) => budget.list([...budget.members(membersOf(value, "asList()"))])],
  collectEntries: [
    0,
    0,
    (value: unknown, _, budget) => {
      const map = new GremlinMap()
      for (const entry of budget.list([...membersOf(value, "collectEntries()")])) putEntry(map, entry, budget)
      return map
    }
  ],
  inits: [
    0,
    0,
    (value: unknown, _, budget) => shortened(value, (all, left) => all.slice(0, all.length - left), budget)
  ],
  tails: [0, 0, (value: unknown, _, budget) => shortened(value, (all, left) => all.slice(left), budget)]
}
