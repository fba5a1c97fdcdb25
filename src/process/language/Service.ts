import type { GremlinMap } from "../../structure/Collections.ts"
import type { GraphTransaction, Reads } from "../../structure/GraphStore.ts"

/** What a service is called with. */
export interface ServiceCall {
  /**
   * The map that call() was given, overwritten by the map that its traversal gave, overwritten by with(). Values as the
   * client sent them: 1 is a number, 1L a bigint, OUT an EnumValue.
   */
  readonly parameters: GremlinMap
  /** The transaction of the request. What a service writes is committed with it, if the traversal writes itself. */
  readonly transaction: GraphTransaction
}

/**
 * Results that are made piece by piece, for services that read much of a graph: the run looks at its clock between two
 * pieces, and stores that answer later are asked for what the next piece reads.
 */
export interface ServiceResults {
  /** What the next piece reads of the transaction; null for nothing. */
  reads(): readonly Reads[] | null
  /** Adds the results of the next piece to `out`. False when there are no more pieces. */
  next(out: Array<unknown>): boolean
}

/**
 * The results of a call. Of an iterable, such as a generator, only as many are taken as there is use for; a promise is
 * awaited, other requests go on meanwhile.
 */
export type ServiceAnswer = Iterable<unknown> | ServiceResults | Promise<Iterable<unknown> | ServiceResults>

/**
 * Something that call(name) runs. It has at least one of `start`, `each` and `all`. Nothing may be kept from one call to
 * another except what belongs to the service itself: calls of many requests are open at the same time.
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
  /** Called for each traverser with its object: g.V().call(name). Its results go on in the traverser's place. */
  each?(value: unknown, call: ServiceCall): ServiceAnswer
  /**
   * Called once with the objects of all traversers, each as often as it occurs; the results have no path. Used where the
   * service has no `each`. Parameters must be the same for all traversers.
   */
  all?(values: readonly unknown[], call: ServiceCall): ServiceAnswer
  /**
   * What `each` reads of the transaction for these objects, for stores that answer later. Left out: their labels and
   * properties.
   */
  reads?(values: readonly unknown[], call: ServiceCall): readonly Reads[]
}

/** Tells whether a value has the shape of a service. */
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
