import { HostObject, TraversalSource as ScriptSource } from "../../gremlin/Scope.ts"
import type { Progress } from "../../process/machine/ResultSink.ts"
import { Pending } from "../../scheduling/Pending.ts"
import type { DynamicGraphs } from "../../services/DynamicGraphs.ts"
import type { EvaluationRequest, ResponseSink } from "../../services/Evaluator.ts"
import type { Session } from "../../services/Sessions.ts"
import { NamedGraph } from "../management/GraphHandles.ts"
import type { Program } from "./Program.ts"

/** Words of a script that are looked up before the clock is read. */
const WORDS_PER_CHECK = 1_000

/**
 * Finds the closed graphs that a request may use: those that its text, its aliases or the variables of its session name. The text
 * is only searched for words, so a graph may be opened that the request then does not use. Returns false when the time was over.
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

  /** Searches the text until about `until` (`performance.now()` ms). True when it is searched. */
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

/** A request that may use closed graphs. They are opened before it runs. */
export class OpeningProgram implements Program {
  readonly #closed: ClosedGraphs
  readonly #open: (graph: string) => Promise<unknown>
  readonly #make: () => Program
  #stage: "search" | "open" | "run" = "search"
  #program: Program | null = null
  #cancelled: Error | null = null

  /**
   * @param open opens a graph; fails for a user who may not read it
   * @param make makes the program when the graphs are open
   */
  constructor(closed: ClosedGraphs, open: (graph: string) => Promise<unknown>, make: () => Program) {
    this.#closed = closed
    this.#open = open
    this.#make = make
  }

  get currentStep(): string {
    return this.#program === null ? "open graphs" : this.#program.currentStep
  }

  get heldBytes(): number {
    return this.#program?.heldBytes ?? 0
  }

  get repeatable(): boolean {
    return this.#program?.repeatable !== false
  }

  advance(until: number, sink: ResponseSink): Progress {
    if (this.#cancelled !== null && this.#program === null) throw this.#cancelled
    if (this.#stage === "search") {
      if (!this.#closed.search(until)) return "slice"
      this.#stage = "open"
      const { found } = this.#closed
      if (found.size > 0) return Pending.fromPromise(Promise.all(Array.from(found, this.#open)))
    }
    this.#stage = "run"
    this.#program ??= this.#make()
    return this.#program.advance(until, sink)
  }

  cancel(error: Error): void {
    this.#cancelled = error
    this.#program?.cancel(error)
  }

  close(): void {
    this.#program?.close()
  }
}
