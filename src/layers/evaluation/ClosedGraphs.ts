import { HostObject, TraversalSource as ScriptSource } from "../../gremlin/Scope.ts"
import type { DynamicGraphs } from "../../services/DynamicGraphs.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { Session } from "../../services/Sessions.ts"
import { NamedGraph } from "../management/GraphHandles.ts"

/** Words of a script that are looked up before the clock is read. */
const WORDS_PER_CHECK = 1_000

/**
 * Finds the closed graphs that a request may use: those that its text, its aliases or the variables of its session name. The text
 * is only searched for words, so a graph may be opened that the request then does not use.
 */
export class ClosedGraphs {
  readonly #dynamic: DynamicGraphs
  readonly #text: string
  readonly #word = /[A-Za-z]\w*/g
  readonly found = new Set<string>()

  constructor(dynamic: DynamicGraphs, { aliases, gremlin }: EvaluationRequest, session: Session | null) {
    this.#dynamic = dynamic
    this.#text = typeof gremlin === "string" ? gremlin : ""
    for (const name of aliases?.values() ?? []) this.#add(String(name))
    for (const value of session?.variables.values() ?? []) {
      if (value instanceof HostObject && value.handle instanceof NamedGraph) this.#add(value.handle.name)
      // The plain source of a graph, `<graph>.traversal()`, has the name of the graph before the dot.
      if (value instanceof ScriptSource) this.#add(value.name.split(".", 1)[0]!)
    }
  }

  /** Searches the text until about `until` (`performance.now()` ms). Returns true at the end of the text. */
  search(until: number): boolean {
    for (let count = 1; ; count++) {
      const word = this.#word.exec(this.#text)
      if (word === null) return true
      this.#add(word[0])
      if (count % WORDS_PER_CHECK === 0 && performance.now() > until) return false
    }
  }

  #add(name: string): void {
    const graph = this.#dynamic.closedGraphOf(name)
    if (graph !== undefined) this.found.add(graph)
  }
}
