/** A quantifier with numbers, an escape, and a class, each where the walk stands. */
const counted = /\{(\d+)(,?)(\d*)\}/y
const escaped = /\\(?:[pPx]\{[^}]*\}|.)/suy
const characterClass = /\[\^?\]?(?:\[:\^?\w+:\]|\\(?:[pPx]\{[^}]*\}|.)|[^\]\\])*\]/suy

/**
 * About how many states a pattern in RE2's syntax compiles to, without compiling it: each character, class, bracket and sign
 * is one, and what a quantifier repeats counts as often as it may occur. Infinity when that is beyond all bounds.
 */
export const patternSize = (pattern: string): number => {
  /** What stood before each group that is open. */
  const outer: Array<number> = []
  let sum = 0
  /** What a quantifier that comes next repeats. */
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
      // An occurrence that may be absent takes a branch.
      const added = last * Math.max(0, times - 1) + Math.max(0, times - Number(least))
      sum += added
      last += added
      at += whole.length
      continue
    }
    const unit = character === "\\" ? passed(escaped, at) : character === "[" ? passed(characterClass, at) : null
    at += unit === null ? 1 : unit[0].length
    sum++
    // A sign after what it repeats belongs to it.
    last = "*+?".includes(character) ? last + 1 : 1
  }
  return outer.reduce((whole, before) => whole + before, sum)
}
