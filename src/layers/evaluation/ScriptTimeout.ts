/** Longer scripts are not searched: it would take too long at once. */
const MAX_SEARCHED_CHARS = 65_536

/** Every part of a text that can match ends somewhere, so that the search takes linear time also in a text without an end. */
const parts = [
  // A limit of a source. Groups: the quotation mark, the digits.
  String.raw`\.\s*with\s*\(\s*(["'])(?:e|scriptE)valuationTimeout\1\s*,\s*(\d[\d_]*)[lLiI]?\s*\)`,
  // Comments and texts, which may contain anything.
  String.raw`\/\/[^\n]*`,
  String.raw`\/\*[^]*?(?:\*\/|$)`,
  "'''[^]*?(?:'''|$)",
  '"""[^]*?(?:"""|$)',
  String.raw`'(?:[^'\\\n]|\\[^])*'?`,
  String.raw`"(?:[^"\\\n]|\\[^])*"?`
]

/**
 * The time limit that a script names, ms: the sum of all `with('evaluationTimeout', 1000L)` in its text, as in Gremlin Server.
 * It applies from the first statement on. Undefined if the text has none: its limits are then known when its traversals run.
 */
export const timeoutOfScript = (script: string): number | undefined => {
  if (script.length > MAX_SEARCHED_CHARS || !script.includes("valuationTimeout")) return undefined
  let sum: number | undefined
  for (const [, , digits] of script.matchAll(new RegExp(parts.join("|"), "g"))) {
    if (digits !== undefined) sum = (sum ?? 0) + Number(digits.replaceAll("_", ""))
  }
  return sum
}
