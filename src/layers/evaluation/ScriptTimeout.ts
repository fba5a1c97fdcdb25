/** Longer scripts are not searched: it would take too long at once. */
const MAX_SEARCHED_CHARS = 65_536

/** Every part of a text that can match ends somewhere, so that the search takes linear time also in a text without an end. */
const parts = [
  // A limit of a source. Groups: the quotation mark, the digits.
  String.raw`\.\s*with\s*\(\s*(["'])(?:e|scriptE)valuationTimeout\1\s*,\s*(\d[\d_]*)[lLiI]?\s*\)`,
  // Comments and texts, which may contain anything.
  String.raw`\/\/[^\n\r]*`,
  String.raw`\/\*[^]*?(?:\*\/|$)`,
  "'''[^]*?(?:'''|$)",
  '"""[^]*?(?:"""|$)',
  String.raw`'(?:[^'\\\n]|\\[^])*'?`,
  String.raw`"(?:[^"\\\n]|\\[^])*"?`,
  // A division, or the beginning of a text in slashes.
  String.raw`\/`
]

/** A text in slashes. A backslash is itself, except before a slash. */
const slashy = String.raw`\/(?:[^/\\]|\\[^])*\/?`

const valueEnd = /(?:\+\+|--|[\w$)\]}'"/])$/
const wordBeforeValue = /\b(?:assert|case|else|in|return|throw)$/
const LONGEST_WORD = 10

/** True if a slash after this text divides what the text ends with. */
const isDivision = (before: string): boolean => valueEnd.test(before) && !wordBeforeValue.test(before)

/**
 * The time limit that a script names, ms: the sum of all `with('evaluationTimeout', 1000L)` in its text, as in Gremlin Server.
 * It applies from the first statement on. Undefined if the text has none: its limits are then known when its traversals run.
 */
export const timeoutOfScript = (script: string): number | undefined => {
  if (script.length > MAX_SEARCHED_CHARS || !script.includes("valuationTimeout")) return undefined
  const any = new RegExp(parts.join("|"), "g")
  const text = new RegExp(slashy, "y")
  let sum: number | undefined
  let end = 0
  // What stands before a part, without blanks and comments.
  let before = ""
  for (let match = any.exec(script); match !== null; match = any.exec(script)) {
    const between = script.slice(end, match.index).trimEnd()
    if (between !== "") before = between.slice(-LONGEST_WORD)
    const [part, , digits] = match
    const divides = part === "/" && isDivision(before)
    if (part === "/" && !divides) {
      text.lastIndex = match.index
      text.test(script)
      any.lastIndex = text.lastIndex
    }
    end = any.lastIndex
    if (!part.startsWith("//") && !part.startsWith("/*")) before = divides ? "" : part.slice(-1)
    if (digits !== undefined) sum = (sum ?? 0) + Number(digits.replaceAll("_", ""))
  }
  return sum
}
