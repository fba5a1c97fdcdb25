/** Characters of the longest word that is compared: the time is their product. */
const MAX_WORD_CHARS = 64
/** Candidates of similar length that are compared: a script may define any number of names. */
const MAX_COMPARED_WORDS = 1_000
/** Typing errors of the most different word that is suggested. */
const MAX_ERRORS = 3

/**
 * The number of typing errors between two words: a character that is missing, added, or replaced, or two that are swapped.
 * Gives `limit + 1` as soon as there are more than `limit`.
 */
const errorsBetween = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: ReadonlyArray<number> = []
  let previous: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? before[column - 2]! + 1 : replaced
      const errors = Math.min(previous[column]! + 1, current[column - 1]! + 1, replaced, swapped)
      current.push(errors)
      if (errors < least) least = errors
    }
    if (least > limit) return limit + 1
    before = previous
    previous = current
  }
  return previous[b.length]!
}

const lettersOf = (word: string): string => word.toLowerCase().replace(/[-_]/g, "")

/**
 * The candidate that a misspelt word most likely stands for: one that differs only in case, `-` and `_`, or has one typing
 * error in each four characters, at most three. Undefined when there is none. The first of equally close ones is taken.
 */
export const closest = (word: string, candidates: Iterable<string>): string | undefined => {
  if (word.length > MAX_WORD_CHARS) return undefined
  const letters = lettersOf(word)
  let best: string | undefined
  // A word of one character is not similar to every other such word.
  let most = Math.min(MAX_ERRORS, Math.max(1, Math.floor(letters.length / 4)), letters.length - 1)
  let compared = 0
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > MAX_WORD_CHARS) continue
    const other = lettersOf(candidate)
    if (Math.abs(other.length - letters.length) > most) continue
    if (++compared > MAX_COMPARED_WORDS) break
    const errors = errorsBetween(letters, other, most)
    if (errors > most) continue
    best = candidate
    if (errors === 0) break
    most = errors - 1
  }
  return best
}
