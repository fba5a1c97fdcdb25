import { closest } from "../structure/Spelling.ts"
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

/** `. Did you mean x()?` for the candidate that is most like a called name; empty when none is. */
export const callSuggestion = (name: string, candidates: Iterable<string>): string => {
  const near = closest(name, candidates)
  return near === undefined ? "" : `. Did you mean ${near}()?`
}
