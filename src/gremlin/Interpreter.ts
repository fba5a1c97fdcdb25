import { Bytecode } from "../process/language/Bytecode.ts"
import { TimeSlice } from "../scheduling/TimeSlice.ts"
import type { ScriptRun } from "./HostCall.ts"
import { Frame } from "./program/Frame.ts"
import { preparedScript } from "./program/PreparedScript.ts"
import { ScriptRuntime } from "./program/ScriptRuntime.ts"
import type { Scope } from "./Scope.ts"
import type { Script } from "./Script.ts"
import { ScriptSource, ScriptTraversal } from "./ScriptObjects.ts"
import { Suspension } from "./Suspension.ts"
import { GremlinSyntaxError } from "./SyntaxErrors.ts"
import { ErrorPositions } from "./script/objects/ErrorPositions.ts"
import { ScriptException } from "./script/objects/Exceptions.ts"
import { ownCopy } from "./script/traversals/Ownership.ts"
import { Optional } from "./script/values/Optional.ts"
import { ScriptIterator } from "./script/values/ScriptIterator.ts"

/** What a statement of a script counts in the budget, in items of an operation. */
const STATEMENT_ITEMS = 10

/**
 * Runs a script. The result is a value of structure/, a {@link ScriptTraversal} that the host runs and streams, a
 * ScriptSource or HostObject that the host shows as text, or null. Fails with ScriptFailure, or with the errors of
 * structure/ (ArithmeticFailure, MalformedText). The script may catch an error that the host throws into the generator.
 */
export function* evaluate(script: Script, scope: Scope, slice = new TimeSlice()): ScriptRun {
  const runtime = new ScriptRuntime(scope, slice)
  const prepared = preparedScript(script)
  for (const [name, closure] of prepared.functions()) runtime.define(name, closure)
  assertCallable(script, scope)
  const frame = new Frame(runtime)
  scope.memory?.open.add(frame)
  for (let at = 0; at < prepared.length; at++) {
    runtime.budget.spend(STATEMENT_ITEMS)
    if (runtime.budget.isSliceOver) yield { kind: "pause" }
    const statement = prepared.statement(at)
    const tried = statement.attempt(frame)
    const end = tried instanceof Suspension ? yield* tried.rest : tried
    if (end !== undefined) break
  }
  const value = yield* current(outside(frame.result, script, scope), runtime, script)
  return scope.isKept || runtime.budget.shares ? yield* ownCopy(value, runtime.budget) : value
}

/** The result with elements that show the current transaction. Fails with ScriptFailure for an element that is gone. */
function* current(value: unknown, { receivers }: ScriptRuntime, { statements, text }: Script): ScriptRun {
  try {
    return yield* receivers.current(value)
  } catch (error) {
    throw new ErrorPositions(text).calculationError(error, statements.at(-1)?.position ?? 0)
  }
}

/** Fails when the script calls a function that neither it nor the session has, before any statement runs. */
const assertCallable = ({ calls, text }: Script, { variables }: Scope): void => {
  for (const [name, { position, problem }] of calls) {
    if (!variables.functions.has(name) && !variables.has(name)) throw new GremlinSyntaxError(problem, text, position)
  }
}

/** A source for a traversal that reads no graph, such as `inject(1, 2)`: `g`, or another one of the server. */
const anySource = ({ globals }: Scope): ScriptSource | undefined => {
  const g = globals.get("g")
  if (g instanceof ScriptSource) return g
  for (const value of globals.values()) if (value instanceof ScriptSource) return value
  return undefined
}

/** The result of a script as others than the script see it. */
const outside = (value: unknown, script: Script, scope: Scope): unknown => {
  if (value instanceof ScriptTraversal) {
    if (value.results !== undefined) return value.results.slice(value.taken)
    // The host consumes it, so a variable that still holds it has no results left.
    value.results = []
    return value
  }
  if (value instanceof ScriptIterator) return value.rest()
  if (value instanceof Optional) return value.value ?? null
  if (value instanceof ScriptException) return String(value)
  if (value instanceof Bytecode) {
    const source = value.stepInstructions[0]?.operator === "inject" ? anySource(scope) : undefined
    if (source !== undefined) return new ScriptTraversal(source, value, new Map())
    const position = script.statements.at(-1)?.position ?? 0
    throw new ErrorPositions(script.text).failure(
      "an anonymous traversal has nothing to run on: begin it with a source, such as g.V()",
      position
    )
  }
  return value ?? null
}
