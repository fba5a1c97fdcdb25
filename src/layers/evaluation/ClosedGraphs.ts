import type { Script } from "../../gremlin/Script.ts"
import { ScriptClosure } from "../../gremlin/ScriptClosure.ts"
import { HostObject, ScriptSource } from "../../gremlin/ScriptObjects.ts"
import type { DynamicGraphs } from "../../services/DynamicGraphs.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { Session } from "../../services/Sessions.ts"
import { GremlinMap, isListOrSet } from "../../structure/collections/Collections.ts"
import { NamedGraph } from "../management/GraphHandles.ts"

/** Names of a script that are looked up before the clock is read. */
const NAMES_PER_CHECK = 1_000

/** What names the graphs of a request. */
interface Naming {
  readonly aliases: EvaluationRequest["aliases"]
  /** Null for bytecode. */
  readonly script: Script | null
  readonly session: Session | null
}

/**
 * Finds the closed graphs that a request names: in its aliases, and by the variables that its script reads and does not declare
 * itself. Texts, keys and comments of a script name no graph.
 */
export class ClosedGraphs {
  readonly #dynamic: DynamicGraphs
  readonly #names: Iterator<string>
  readonly found = new Set<string>()

  constructor(dynamic: DynamicGraphs, { aliases, script, session }: Naming) {
    this.#dynamic = dynamic
    this.#names = namesOf(script)
    for (const name of aliases?.values() ?? []) this.#add(String(name))
    if (session !== null && script !== null) this.#addHeld(session, script)
  }

  /** Looks up the names of the script until about `until` (`performance.now()` ms). Returns true at the end of the names. */
  search(until: number): boolean {
    for (let count = 1; ; count++) {
      const { done, value } = this.#names.next()
      if (done === true) return true
      this.#add(value)
      if (count % NAMES_PER_CHECK === 0 && performance.now() > until) return false
    }
  }

  /**
   * Adds the graphs in variables of a session. A script that may call a function of the session may use all of them; a function may
   * also be in a collection.
   */
  #addHeld({ variables }: Session, script: Script): void {
    const mayCall =
      variables.functions.size > 0 ||
      [...variables.values()].some((value) => value instanceof ScriptClosure || isCollection(value))
    for (const [name, value] of variables) {
      if (!mayCall && !script.variables.has(name) && !script.sources.has(name)) continue
      if (value instanceof HostObject && value.handle instanceof NamedGraph) this.#add(value.handle.name)
      // The plain source of a graph, `<graph>.traversal()`, has the name of the graph before the dot.
      if (value instanceof ScriptSource) this.#add(value.name.split(".", 1)[0]!)
    }
  }

  #add(name: string): void {
    const graph = this.#dynamic.closedGraphOf(name)
    if (graph !== undefined) this.found.add(graph)
  }
}

const isCollection = (value: unknown): boolean => isListOrSet(value) || value instanceof GremlinMap

function* namesOf(script: Script | null): Generator<string, undefined> {
  if (script === null) return
  yield* script.variables.keys()
  yield* script.sources
}
