/** What a client knows of an append: the server said that it is in the list, that it is not, or neither. */
export type Outcome = "acknowledged" | "refused" | "unknown"

/** An append to a list, or a read of one. */
export interface Operation {
  /** The list, from 0. */
  readonly list: number
  /** The appended entry; undefined for a read. */
  readonly entry: number | undefined
  readonly outcome: Outcome
  /** The list as the answer has it; undefined without an answer. */
  readonly seen: ReadonlyArray<number> | undefined
  /** When it began and ended, ms. */
  readonly began: number
  readonly ended: number
}

const isPrefix = (of: ReadonlyArray<number>, seen: ReadonlyArray<number>): boolean =>
  seen.every((entry, at) => of[at] === entry)

/**
 * The contradictions of a history of operations with what the lists are at its end. Every state that an operation has seen must be a
 * beginning of the last state, because entries are only appended at the end. An operation must see what had ended before it began.
 */
export const contradictions = (
  history: ReadonlyArray<Operation>,
  last: ReadonlyArray<ReadonlyArray<number>>
): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [list, entries] of last.entries()) {
    const own = history.filter((operation) => operation.list === list)
    const places = new Map(entries.map((entry, at) => [entry, at]))
    if (places.size !== entries.length) found.push(`list ${list} has an entry twice: ${entries}`)
    for (const { entry, outcome, seen } of own) {
      const isThere = entry !== undefined && places.has(entry)
      if (outcome === "acknowledged" && entry !== undefined && !isThere) found.push(`${entry} is lost in list ${list}`)
      if (outcome === "refused" && isThere) found.push(`${entry} was refused, and is in list ${list}`)
      if (seen !== undefined && !isPrefix(entries, seen)) found.push(`list ${list} was ${seen}, and is ${entries}`)
    }
    const inOrder = own.filter(({ seen }) => seen !== undefined).sort((one, other) => one.ended - other.ended)
    for (const { began, seen } of inOrder) {
      const longest = Math.max(0, ...inOrder.filter(({ ended }) => ended < began).map((before) => before.seen!.length))
      if (seen!.length < longest) found.push(`list ${list} was seen with ${seen!.length} entries after ${longest}`)
    }
  }
  return found
}
