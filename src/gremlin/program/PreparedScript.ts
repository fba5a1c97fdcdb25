import type { Script } from "../Script.ts"
import { ScriptClosure } from "../ScriptClosure.ts"
import { ErrorPositions } from "../script/objects/ErrorPositions.ts"
import { checkFunctions } from "./FunctionClashes.ts"
import { Names } from "./Names.ts"
import type { StatementCode } from "./StatementCode.ts"
import { functionCode, StatementCompiler } from "./StatementCompiler.ts"

/**
 * The executable form of a script. Each statement is prepared when the first run reaches it, so that a long script does not
 * delay other requests. All runs of a cached script share the prepared statements.
 */
class PreparedScript {
  /** The statements other than definitions of functions. */
  readonly #written: Script["statements"]
  readonly #compiler: StatementCompiler
  readonly #statements: Array<StatementCode> = []
  readonly #functions: ReadonlyArray<readonly [name: string, closure: ScriptClosure]>

  constructor(script: Script) {
    this.#written = script.statements.some(({ kind }) => kind === "function")
      ? script.statements.filter(({ kind }) => kind !== "function")
      : script.statements
    const unit = { script, positions: new ErrorPositions(script.text) }
    checkFunctions(
      script.statements.filter((statement) => statement.kind === "function"),
      unit.positions
    )
    this.#compiler = new StatementCompiler(new Names(unit, undefined, true))
    this.#functions = script.statements.flatMap((statement) =>
      statement.kind === "function"
        ? [[statement.name, new ScriptClosure(functionCode(statement, unit), [], undefined)] as const]
        : []
    )
  }

  /** The functions that the script defines. */
  functions(): ReadonlyArray<readonly [name: string, closure: ScriptClosure]> {
    return this.#functions
  }

  /** Number of statements other than definitions of functions. */
  get length(): number {
    return this.#written.length
  }

  /** The prepared statement at an index. Callers must request the statements in order. */
  statement(index: number): StatementCode {
    const known = this.#statements[index]
    if (known !== undefined) return known
    const made = this.#compiler.outer(this.#written[index]!, index === this.#written.length - 1)
    this.#statements.push(made)
    return made
  }
}

const prepared = new WeakMap<Script, PreparedScript>()

/** The executable form of a script. It is prepared once. */
export const preparedScript = (script: Script): PreparedScript => {
  const known = prepared.get(script)
  if (known !== undefined) return known
  const made = new PreparedScript(script)
  prepared.set(script, made)
  return made
}
