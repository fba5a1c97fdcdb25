import { TaggedError } from "../structure/StoreErrors.ts"

/** The script is not one of the Gremlin language. Says where (1-based line and column) and what was expected there. */
export class GremlinSyntaxError extends TaggedError {
  readonly _tag = "GremlinSyntaxError"
  /** Offset in the script, in UTF-16 code units. */
  readonly position: number
  readonly line: number
  readonly column: number
  constructor(problem: string, script: string, position: number) {
    const { line, column } = locate(script, position)
    super(`Line ${line}, column ${column}: ${shortened(problem)}`)
    this.position = position
    this.line = line
    this.column = column
  }
}

/** A statement of a session script failed when it ran: an unknown variable, a method that is not there, a wrong index. */
export class ScriptFailure extends TaggedError {
  readonly _tag = "ScriptFailure"
  readonly position: number
  constructor(problem: string, script: string, position: number) {
    const { line, column } = locate(script, position)
    super(`Line ${line}, column ${column}: ${shortened(problem)}`)
    this.position = position
  }
}

/** Names in a message are as long as the script makes them. */
const shortened = (problem: string): string => (problem.length > 1000 ? `${problem.slice(0, 1000)}...` : problem)

/** The 1-based line and column of an offset. */
const locate = (script: string, position: number): { line: number; column: number } => {
  let line = 1
  let start = 0
  for (let at = script.indexOf("\n"); at >= 0 && at < position; at = script.indexOf("\n", at + 1)) {
    line++
    start = at + 1
  }
  return { line, column: position - start + 1 }
}

/** What a script gets that tries to run code. */
export const noCode = (what: string): string =>
  `${what}. This server evaluates the Gremlin language only: closures ({it...}), lambdas, constructors and methods of ` +
  "Java or Groovy classes are not run. Write it with Gremlin steps"

/** The candidate most like the word: at most two letters, and a third of the word, apart. Undefined when none is. */
export const closest = (word: string, candidates: Iterable<string>): string | undefined => {
  // Nobody mistypes so long a name, and the letters of both would be compared each with each.
  if (word.length > LONGEST_COMPARED) return undefined
  const limit = Math.min(2, Math.ceil(word.length / 3))
  let best: string | undefined
  let least = limit + 1
  let compared = 0
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    if (++compared > MOST_COMPARED) break
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least && distance < word.length) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** `. Did you mean x()?` for the candidate that is most like a called name; empty when none is. */
export const callSuggestion = (name: string, candidates: Iterable<string>): string => {
  const near = closest(name, candidates)
  return near === undefined ? "" : `. Did you mean ${near}()?`
}

/** Letters of a name that is compared with others. */
const LONGEST_COMPARED = 40
/** Names that it is compared with: a script may have any number. */
const MOST_COMPARED = 1_000

/** Levenshtein distance. */
const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + change))
    }
    row = next
  }
  return row[b.length]!
}
