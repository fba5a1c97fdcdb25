/**
 * Words of a text as the full-text predicates and indexes see them. An index keeps words on disk, so that the rule must
 * never change with the version of a library or of ICU: a word is a run of letters, digits and marks, in lower case;
 * each character of a script without spaces between words (Han, Hiragana) is a word by itself.
 */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{N}\p{M}])+/gu

/** The words of a text in their order, in lower case. */
export const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(WORD) ?? []

/** How many letters may differ between a word and one that is almost the same: more for longer words. */
const allowedEdits = (term: string): number => (term.length < 3 ? 0 : term.length < 6 ? 1 : 2)

/** True when one text becomes the other by few changes of single letters. */
export const isAlmost = (text: string, term: string): boolean => {
  const most = allowedEdits(term)
  if (Math.abs(text.length - term.length) > most) return false
  let row = Array.from({ length: term.length + 1 }, (_, i) => i)
  for (let i = 1; i <= text.length; i++) {
    const next = [i]
    for (let j = 1; j <= term.length; j++) {
      const change = text[i - 1] === term[j - 1] ? 0 : 1
      next.push(Math.min(row[j - 1]! + change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[term.length]! <= most
}

/** True when the words stand in the text one behind the other. */
export const hasPhrase = (words: ReadonlyArray<string>, phrase: ReadonlyArray<string>): boolean => {
  for (let at = 0; at + phrase.length <= words.length; at++) {
    if (phrase.every((word, i) => words[at + i] === word)) return true
  }
  return false
}
