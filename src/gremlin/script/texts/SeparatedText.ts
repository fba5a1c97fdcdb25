import { TextSearch } from "../../../structure/characters/TextSearch.ts"
import type { Budget } from "../budget/Budget.ts"

/** The parts between separators. Their number is checked while it grows. */
export const separated = (value: string, separator: string, what: string, budget: Budget): Array<string> => {
  const text = budget.whole(value)
  if (separator === "") {
    budget.spend(text.length, what)
    return text.split("")
  }
  const search = new TextSearch(separator)
  const parts: Array<string> = []
  let from = 0
  for (let at = search.indexIn(text); at >= 0; at = search.indexIn(text, from)) {
    parts.push(text.slice(from, at))
    if (parts.length % PARTS_PER_CHECK === 0) budget.spend(parts.length, what)
    from = at + separator.length
  }
  parts.push(text.slice(from))
  budget.spend(parts.length, what)
  return parts
}

/** Parts after which their number is checked. */
const PARTS_PER_CHECK = 16_384
