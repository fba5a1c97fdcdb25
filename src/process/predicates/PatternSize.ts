// A quantifier with numbers, an escape, and a character class at the current position.
const counted = /\{(\d+)(,?)(\d*)\}/y
const escaped = /\\(?:[pPx]\{[^}]*\}|.)/suy
const characterClass = /\[\^?\]?(?:\[:\^?\w+:\]|\\(?:[pPx]\{[^}]*\}|.)|[^\]\\])*\]/suy

/**
 * Estimates the number of states to which RE2 compiles a pattern, without compiling it. Each character, class, bracket and
 * quantifier sign counts as one state; the operand of a quantifier with numbers counts as often as it may occur. Infinity if
 * the number overflows.
 */
export const patternSize = (pattern: string): number => {
  /** For each open group, the number of states before it. */
  const outer: Array<number> = []
  let sum = 0
  /** States of the operand of a quantifier that comes next. */
  let last = 0
  const passed = (expression: RegExp, at: number): RegExpExecArray | null => {
    expression.lastIndex = at
    return expression.exec(pattern)
  }
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at]!
    if (character === "(") {
      outer.push(sum)
      sum = 1
      at++
      continue
    }
    if (character === ")") {
      last = sum + 1
      sum = (outer.pop() ?? 0) + last
      at++
      continue
    }
    const repeated = character === "{" ? passed(counted, at) : null
    if (repeated !== null) {
      const [whole, least, comma, most] = repeated
      const times = most !== "" ? Number(most) : Number(least) + (comma === "" ? 0 : 1)
      // Each optional occurrence needs a branch state.
      const added = last * Math.max(0, times - 1) + Math.max(0, times - Number(least))
      sum += added
      last += added
      at += whole.length
      continue
    }
    const unit = character === "\\" ? passed(escaped, at) : character === "[" ? passed(characterClass, at) : null
    at += unit === null ? 1 : unit[0].length
    sum++
    // A quantifier sign belongs to its operand.
    last = "*+?".includes(character) ? last + 1 : 1
  }
  return outer.reduce((whole, before) => whole + before, sum)
}
