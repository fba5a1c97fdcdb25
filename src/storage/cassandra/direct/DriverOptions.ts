import type { QueryOptions } from "cassandra-driver"

/**
 * What reads and writes say of the execution of a statement. Every field is always there, and the driver's options are made only for
 * a statement that goes through the driver: objects of one form, without spreads, cost a statement less time.
 */
export interface ExecutionOptions {
  /** The code of the consistency level. */
  readonly consistency: number
  /** The key of the row; undefined for none. */
  readonly routingKey: Buffer | undefined
  /** How long the driver waits for a node, ms. */
  readonly readTimeout: number
}

/** The options with which the driver executes a statement. Statements are prepared, and can be repeated. */
export const driverOptions = ({ consistency, readTimeout, routingKey }: ExecutionOptions): QueryOptions => ({
  prepare: true,
  isIdempotent: true,
  consistency,
  readTimeout,
  ...(routingKey === undefined ? {} : { routingKey })
})
