import { ScriptSource } from "../../gremlin/ScriptObjects.ts"
import { isCopied } from "../../structure/collections/DeepCopy.ts"
import type { ProgramOwner } from "./ProgramContext.ts"

/** The variables of a request without any. */
export const noVariables: ReadonlyMap<string, unknown> = new Map()

/** Whether a variable has a collection that later scripts of the session may change: a traversal gets a copy of it. */
export const isChangeable = (name: string, { session }: ProgramOwner): boolean =>
  session !== null && !session.variables.isBinding(name) && isCopied(session.variables.get(name))

/** The request's bindings. In a session they become variables of the session. */
export const variablesOf = ({ request, session }: ProgramOwner): ReadonlyMap<string, unknown> => {
  if (session === null) return request.bindings ?? noVariables
  if (request.bindings !== null) for (const [name, value] of request.bindings) session.variables.bind(name, value)
  return session.variables
}

/** The source that `v.addEdge(...)` and similar methods write with: `g` where it exists. */
export const defaultSource = (globals: ReadonlyMap<string, unknown>): ScriptSource => {
  const g = globals.get("g")
  if (g instanceof ScriptSource) return g
  for (const value of globals.values()) if (value instanceof ScriptSource) return value
  return new ScriptSource("g")
}
