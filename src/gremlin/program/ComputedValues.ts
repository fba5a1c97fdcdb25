import { GremlinMap } from "../../structure/collections/Collections.ts"
import { NumberRange } from "../../structure/numbers/NumberRange.ts"
import { Spread } from "../script/arguments/Spread.ts"
import type { Budget } from "../script/budget/Budget.ts"

/** The map of keys and values in turn. A spread map stands for its entries, and the value after it for nothing. */
export const mapOf = (values: readonly unknown[], budget: Budget): GremlinMap => {
  const map = new GremlinMap()
  let items = values.length >> 1
  for (let at = 0; at < values.length; at += 2) {
    const key = values[at]
    if (!(key instanceof Spread && key.map !== undefined)) {
      map.set(budget.keyMember(key), budget.member(values[at + 1]))
      continue
    }
    // Equal keys take time, too.
    budget.grown((items += key.map.size), "*:")
    for (const [each, value] of key.map) map.set(budget.keyMember(each), budget.member(value))
  }
  budget.spend(items, "creating a map")
  return map
}

/** Texts with values between them. */
export const joined = (texts: readonly string[], values: readonly unknown[], budget: Budget): string => {
  let text = texts[0]!
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    // As in Groovy, a range in a string has the text of a list.
    text += budget.text(value instanceof NumberRange ? [...value] : value) + texts[at + 1]!
    budget.growing(text.length)
  }
  return budget.string(text)
}
