import { Bytecode } from "../../process/language/Bytecode.ts"
import { isElement } from "../../structure/elements/Element.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import type { HostCall, ScriptRun } from "../HostCall.ts"
import { ScriptClosure } from "../ScriptClosure.ts"
import { HostObject, ScriptSource, ScriptTraversal } from "../ScriptObjects.ts"
import { attemptOf, Suspension } from "../Suspension.ts"
import type { Code, Frame } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { BindingCode, type DataCode } from "./ValueCode.ts"

/** A traversal, or a source with instructions. */
export interface Spawned {
  /** The name of the source in messages; undefined for an expression. */
  readonly name: string | undefined
  readonly source: Code
  readonly bytecode: Bytecode
  readonly holes: DataCode["holes"]
  readonly unit: Unit
  readonly position: number
}

/** The source that a value is. Fails with ScriptFailure for another value. */
const asSource = ({ name, position, unit }: Spawned, value: unknown): ScriptSource => {
  if (value instanceof ScriptSource) return value
  throw unit.positions.failure(`${name ?? "this"} is ${whatIs(name, value)}`, position)
}

/**
 * The source that a value is, or the traversal that the steps continue, which may be an anonymous one. Fails with ScriptFailure for another
 * value.
 */
export const asBeginning = (spawned: Spawned, value: unknown): ScriptSource | ScriptTraversal | Bytecode => {
  if (!(value instanceof ScriptTraversal || value instanceof Bytecode)) return asSource(spawned, value)
  const { bytecode, name, position, unit } = spawned
  if (bytecode.sourceInstructions.length > 0) {
    throw unit.positions.failure(
      `${name ?? "this"} is a traversal, and no source that with() could configure`,
      position
    )
  }
  if (value instanceof Bytecode || value.results === undefined) return value
  const problem = `the traversal ${name ?? ""} has run already, so that it takes no further step: begin a new one`
  throw unit.positions.failure(problem, position, "IllegalStateException")
}

/** Says what a value is that is no traversal source, and what to write instead. */
const whatIs = (name: string | undefined, value: unknown): string => {
  // A graph that the settings name `g` hides the source.
  const isGraph = value instanceof HostObject && value.source !== undefined
  if (isGraph && name !== undefined) return `a graph and not a traversal source: write ${name}.traversal()`
  return `not a traversal source, but ${typeName(value)}: traversals begin with g`
}

/** The source of a traversal. */
export function* sourceOf(spawned: Spawned, frame: Frame): Generator<HostCall, ScriptSource, unknown> {
  const { source } = spawned
  return asSource(spawned, source.isPlain ? source.get(frame) : yield* source.run(frame))
}

/** The values of the variables of a traversal. Fails when a traversal cannot carry one of them. */
export const boundOf = (spawned: Spawned, frame: Frame): Generator<HostCall, Map<string, unknown>, unknown> =>
  boundFrom(spawned, frame, new Map(), undefined)

/** Adds the values of the variables that have none yet. `begun` is what is left of the value of the first of them. */
function* boundFrom(
  spawned: Spawned,
  frame: Frame,
  variables: Map<string, unknown>,
  begun: ScriptRun | undefined
): Generator<HostCall, Map<string, unknown>, unknown> {
  const { holes, position, unit } = spawned
  const { budget, receivers } = frame.runtime
  let rest = begun
  for (let at = variables.size; at < holes.length; at++) {
    const [name, code] = holes[at]!
    if (budget.isSliceOver) yield { kind: "pause" }
    if (rest === undefined && isRead(code, frame)) {
      variables.set(name, frame.runtime.scope.variables.get(code.name))
      continue
    }
    const value = rest === undefined ? (code.isPlain ? code.get(frame) : yield* code.run(frame)) : yield* rest
    rest = undefined
    variables.set(
      name,
      isCarried(value) ? value : yield* unit.positions.positioned(position, receivers.traversals.argument(value))
    )
  }
  return variables
}

/** True for a binding of the request, which is only read: a traversal changes no value. */
const isRead = (code: Code, { runtime: { scope } }: Frame): code is BindingCode =>
  code instanceof BindingCode && scope.variables.isBinding(code.name)

/** True for a value that a traversal carries as it is. A closure is called by the run of the traversal. */
const isCarried = (value: unknown): boolean =>
  typeof value !== "object" || value instanceof ScriptClosure || isElement(value)

/** The values of the variables, if none of them waits. Otherwise a {@link Suspension} that gives them. */
export const attemptBound = (spawned: Spawned, frame: Frame): Map<string, unknown> | Suspension => {
  const { holes, position, unit } = spawned
  const { budget, receivers, scope } = frame.runtime
  const variables = new Map<string, unknown>()
  for (let at = 0; at < holes.length; at++) {
    const [name, code] = holes[at]!
    if (budget.isSliceOver) return new Suspension(boundFrom(spawned, frame, variables, undefined))
    if (isRead(code, frame)) {
      variables.set(name, scope.variables.get(code.name))
      continue
    }
    const value = code.attempt(frame)
    if (value instanceof Suspension) return new Suspension(boundFrom(spawned, frame, variables, value.rest))
    const carried = isCarried(value)
      ? value
      : attemptOf(unit.positions.positioned(position, receivers.traversals.argument(value)))
    if (carried instanceof Suspension) return new Suspension(boundAfter(spawned, frame, variables, carried.rest))
    variables.set(name, carried)
  }
  return variables
}

/** Adds a value that is being copied, and those of the variables after it. */
function* boundAfter(spawned: Spawned, frame: Frame, variables: Map<string, unknown>, copying: ScriptRun): ScriptRun {
  variables.set(spawned.holes[variables.size]![0], yield* copying)
  return yield* boundFrom(spawned, frame, variables, undefined)
}
