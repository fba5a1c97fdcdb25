import type { GremlinMap } from "../../structure/collections/Collections.ts"
import type { Reads } from "../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"

/** The input of a call of a service. */
export interface ServiceCall {
  /**
   * The parameters of call(): those of its map, overridden by those of its traversal's map, overridden by those of with().
   * Values have the types that the client sent: 1 is a number, 1L a bigint, OUT an EnumValue.
   */
  readonly parameters: GremlinMap
  /** The transaction of the request. Writes of a service are committed with it if the traversal itself writes. */
  readonly transaction: GraphTransaction
}

/**
 * Results in chunks, for services that read a large part of a graph. Between two chunks the run checks its time slice, and
 * fetches what the next chunk reads from stores that answer later.
 */
export interface ServiceResults {
  /** What the next chunk reads from the transaction; null for nothing. */
  reads(): readonly Reads[] | null
  /** Appends the results of the next chunk to `out`. False when there are no more chunks. */
  next(out: Array<unknown>): boolean
}

/**
 * The results of a call. The run reads an iterable, such as a generator, only as far as results are needed, and closes it when the
 * traversal ends before its last result: a generator then runs its `finally`. It awaits a promise while other requests run.
 */
export type ServiceAnswer = Iterable<unknown> | ServiceResults | PromiseLike<Iterable<unknown> | ServiceResults>

/**
 * A service that call(name) runs. It has at least one of `start`, `each` and `all`. It must not keep the state of a call
 * outside that call, because calls of several requests run at the same time.
 *
 *     export default {
 *       name: "example.range",
 *       parameters: { to: "how far to count" },
 *       *start({ parameters }) {
 *         for (let i = 0; i < Number(parameters.get("to")); i++) yield i
 *       }
 *     }
 */
export interface Service {
  readonly name: string
  /** The purpose of each parameter by its name, shown by call('--list').with('verbose', true). */
  readonly parameters: Readonly<Record<string, string>>
  /** Called without input, at the start of a traversal: g.call(name). */
  start?(call: ServiceCall): ServiceAnswer
  /**
   * Called for each traverser with its object: g.V().call(name). Its results replace the traverser. Equal traversers that have met at
   * a barrier are one, except in a child such as that of map().
   */
  each?(value: unknown, call: ServiceCall): ServiceAnswer
  /**
   * Called once with the objects of all traversers, each as often as it occurs; the results have no path. Used when the
   * service has no `each`. The parameters must be the same for all traversers.
   */
  all?(values: readonly unknown[], call: ServiceCall): ServiceAnswer
  /**
   * What `each` reads from the transaction for these objects, for stores that answer later. If absent, the labels and
   * properties of the objects are fetched.
   */
  reads?(values: readonly unknown[], call: ServiceCall): readonly Reads[]
}

/** Whether a value has the members of a service. */
export const isService = (value: unknown): value is Service => {
  if (typeof value !== "object" || value === null) return false
  const { name, parameters, start, each, all } = value as { readonly [key in keyof Service]?: unknown }
  return (
    typeof name === "string" &&
    name !== "" &&
    typeof parameters === "object" &&
    parameters !== null &&
    [start, each, all].some((call) => typeof call === "function") &&
    [start, each, all].every((call) => call === undefined || typeof call === "function")
  )
}
