import { closest } from "../structure/Spelling.ts"
import { TaggedError } from "../structure/StoreErrors.ts"

/** The error of a script that is not in the Gremlin language. Has the place (1-based line and column) and the expected text. */
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

/** The error of a statement that failed when it ran: an unknown variable, an unknown method, a wrong index. */
export class ScriptFailure extends TaggedError {
  readonly _tag = "ScriptFailure"
  readonly position: number
  constructor(problem: string, script: string, position: number) {
    const { line, column } = locate(script, position)
    super(`Line ${line}, column ${column}: ${shortened(problem)}`)
    this.position = position
  }
}

/** Limits a message, because it may quote long names of the script. */
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

/** The error of a script that tries to run code. */
export const noCode = (what: string): string =>
  `${what}. This server evaluates the Gremlin language only: closures ({it...}), lambdas, constructors and methods of ` +
  "Java or Groovy classes are not run. Write it with Gremlin steps"

/** `. Did you mean x()?` for the candidate that is most like a called name; empty when none is. */
export const callSuggestion = (name: string, candidates: Iterable<string>): string => {
  const near = closest(name, candidates)
  return near === undefined ? "" : `. Did you mean ${near}()?`
}
