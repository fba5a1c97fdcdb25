/**
 * The words of a text for full-text predicates and indexes. A word is a run of letters, digits and marks, in lower case. In the
 * scripts Han and Hiragana, which have no spaces between words, each character is one word. Indexes store words on disk, so the
 * rule must not depend on the version of a library or of ICU.
 */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{N}\p{M}])+/gu

/** The words of a text in their order, in lower case. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().match(ASCII.test(text) ? ASCII_WORD : WORD) ?? []

/** The rule for a text of ASCII, which is much faster. */
const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g

/** Edits of single letters that a fuzzy match allows: more for longer words. */
const allowedEdits = (term: string): number => (term.length < 3 ? 0 : term.length < 6 ? 1 : 2)

/** True when few edits of single letters change one text into the other. */
export const isAlmost = (text: string, term: string): boolean => {
  const most = allowedEdits(term)
  if (Math.abs(text.length - term.length) > most) return false
  if (text === term) return true
  // Only positions that differ by at most `most` are compared: row[k] belongs to the position i + k - most of the term.
  const width = 2 * most + 1
  let row = Array.from({ length: width }, (_, k) => Math.abs(k - most))
  let next = new Array<number>(width).fill(0)
  for (let i = 1; i <= text.length; i++) {
    let least = most + 1
    for (let k = 0; k < width; k++) {
      const j = i + k - most
      if (j < 0 || j > term.length) next[k] = most + 1
      else {
        const changed = j === 0 ? most + 1 : row[k]! + (text.charCodeAt(i - 1) === term.charCodeAt(j - 1) ? 0 : 1)
        const left = k + 1 < width ? row[k + 1]! + 1 : most + 1
        const added = k > 0 ? next[k - 1]! + 1 : most + 1
        next[k] = Math.min(changed, left, added)
      }
      if (next[k]! < least) least = next[k]!
    }
    if (least > most) return false
    const done = row
    row = next
    next = done
  }
  return row[term.length - text.length + most]! <= most
}

/** True if the words of the phrase are next to each other in the text, in this order. */
export const hasPhrase = (words: ReadonlyArray<string>, phrase: ReadonlyArray<string>): boolean => {
  for (let at = 0; at + phrase.length <= words.length; at++) {
    if (phrase.every((word, i) => words[at + i] === word)) return true
  }
  return false
}
