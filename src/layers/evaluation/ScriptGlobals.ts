import { InvalidRequestArguments } from "../../services/Errors.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { GraphRegistry } from "../../services/GraphRegistry.ts"
import { scriptGlobals } from "./GraphScripting.ts"
import { unboundText } from "./UnboundAlias.ts"

/** The variables of scripts that name graphs and sources of the server. */
export class ScriptGlobals {
  readonly #registry: typeof GraphRegistry.Service
  #all: ReadonlyMap<string, unknown>
  /** The revision of the dynamic graphs that are in {@link #all}; undefined without dynamic graphs. */
  #revision: number | undefined

  constructor(registry: typeof GraphRegistry.Service) {
    this.#registry = registry
    this.#revision = registry.dynamic?.revision
    this.#all = scriptGlobals(registry)
  }

  /** The variables of a request, with its aliases. Throws InvalidRequestArguments for the alias of an unknown name. */
  of({ aliases, transport }: EvaluationRequest): ReadonlyMap<string, unknown> {
    const all = this.#current()
    if (aliases === null) return all
    const globals = new Map(all)
    for (const [name, of] of aliases) {
      const meant = all.get(String(of))
      if (meant === undefined) {
        throw new InvalidRequestArguments(unboundText(transport, name, String(of)))
      }
      globals.set(name, meant)
    }
    return globals
  }

  #current(): ReadonlyMap<string, unknown> {
    const revision = this.#registry.dynamic?.revision
    if (revision !== this.#revision) {
      this.#revision = revision
      this.#all = scriptGlobals(this.#registry)
    }
    return this.#all
  }
}
