import * as Effect from "effect/Effect"
import { parseScript } from "../../gremlin/Parser.ts"
import { TraversalExpression } from "../../gremlin/Script.ts"
import { Planner, type SourceInstructions } from "../../process/compiler/Planner.ts"
import { gremlin } from "../../process/Gremlin.ts"
import type { Bytecode } from "../../process/language/Bytecode.ts"
import type { ResultSink } from "../../process/machine/ResultSink.ts"
import { openEnvironment, TraversalRun } from "../../process/machine/TraversalRun.ts"
import { errorOf, Pending } from "../../scheduling/Pending.ts"
import type { GraphStore, GraphTransaction } from "../../structure/graph/GraphStore.ts"

/** Maximum number of cached plans. */
const MAX_CACHED_PLANS = 64

/** The variables of a traversal. */
export type Variables = Readonly<Record<string, unknown>>

/** The results, or an Effect of them when the store answers later. */
type Results = ReadonlyArray<unknown> | Effect.Effect<ReadonlyArray<unknown>, Error>

/** Runs traversals of the server itself on a graph, each in a separate transaction. */
export class OwnTraversals {
  readonly #store: GraphStore
  readonly #planner = new Planner(gremlin, { cacheSize: MAX_CACHED_PLANS })
  readonly #source: SourceInstructions = { instructions: [] }
  readonly #parsed = new Map<string, Bytecode>()

  constructor(store: GraphStore) {
    this.#store = store
  }

  /**
   * Runs a traversal to its end, and commits. `gremlin` is one traversal that begins with `g`. Its parsed form is cached
   * without a limit: pass few different texts. Throws, or fails with, the error of the traversal or of the commit.
   */
  run(gremlin: string, variables: Variables = {}): Results {
    const transaction = this.#store.begin()
    const running = new Running(transaction)
    try {
      const prepared = this.#planner.prepare(this.#bytecode(gremlin), new Map(Object.entries(variables)), this.#source)
      const later = running.begin(new TraversalRun(prepared, transaction, openEnvironment))
      return later === undefined ? running.results : running.rest(later)
    } catch (error) {
      transaction.rollback()
      throw error
    }
  }

  /** As {@link run}, but always as an Effect. */
  effect(gremlin: string, variables: Variables = {}): Effect.Effect<ReadonlyArray<unknown>, Error> {
    return Effect.flatMap(
      Effect.try({ try: () => this.run(gremlin, variables), catch: (cause) => cause as Error }),
      (results) => (Effect.isEffect(results) ? results : Effect.succeed(results))
    )
  }

  #bytecode(gremlin: string): Bytecode {
    const known = this.#parsed.get(gremlin)
    if (known !== undefined) return known
    const [statement] = parseScript(gremlin).statements
    if (statement?.kind !== "expression" || !(statement.value instanceof TraversalExpression)) {
      throw new Error(`'${gremlin}' is not a traversal`)
    }
    const { bytecode } = statement.value
    this.#parsed.set(gremlin, bytecode)
    return bytecode
  }
}

/** A traversal that runs until its commit. */
class Running implements ResultSink {
  readonly results: Array<unknown> = []
  readonly #transaction: GraphTransaction
  #run: TraversalRun | null = null

  constructor(transaction: GraphTransaction) {
    this.#transaction = transaction
  }

  accept(values: ReadonlyArray<unknown>, length: number, bulks: Float64Array | null): boolean {
    for (let i = 0; i < length; i++) for (let times = bulks?.[i] ?? 1; times > 0; times--) this.results.push(values[i])
    return true
  }

  begin(run: TraversalRun): Pending | undefined {
    this.#run = run
    return this.#advance()
  }

  /** Undefined when the transaction is committed. */
  #advance(): Pending | undefined {
    const run = this.#run
    if (run === null) return undefined
    for (;;) {
      const progress = run.advance(Number.POSITIVE_INFINITY, this)
      if (progress === "done") {
        run.close()
        this.#run = null
        return this.#transaction.commit()
      }
      if (typeof progress !== "string") return progress
    }
  }

  rest(first: Pending): Effect.Effect<ReadonlyArray<unknown>, Error> {
    return Effect.tryPromise({ try: () => this.#end(first), catch: errorOf })
  }

  async #end(first: Pending): Promise<ReadonlyArray<unknown>> {
    try {
      for (let later: Pending | undefined = first; later !== undefined; later = this.#advance()) {
        await Pending.toPromise(later)
      }
      return this.results
    } catch (error) {
      this.#run?.close()
      this.#transaction.rollback()
      throw error
    }
  }
}
