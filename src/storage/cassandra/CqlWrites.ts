import type { types } from "cassandra-driver"
import type { ColumnMutation, Consistency } from "./ColumnStore.ts"
import type { CqlOptions } from "./CqlOptions.ts"
import type { Leaving } from "./direct/DirectConnection.ts"
import type { DirectWrites } from "./direct/DirectWrites.ts"
import { writeFailure } from "./Failures.ts"
import { neverOver } from "./Reader.ts"
import type { Requests } from "./Requests.ts"
import { SharedBatches } from "./SharedBatches.ts"
import type { Statements } from "./Statements.ts"
import {
  type BatchOptions,
  singleBatch,
  type UnsizedBatch,
  type WriteBatch,
  writeBatches,
  writeEach
} from "./WriteBatches.ts"

/** What the writes of a keyspace need. */
interface Parts {
  readonly writes: DirectWrites
  readonly requests: Requests
  readonly statements: Statements
  readonly options: CqlOptions
  readonly consistencies: Readonly<Record<Consistency, types.consistencies>>
  /** Where the keyspace is, for messages. */
  readonly location: string
  /** The time that a node gets, ms. */
  readonly nodeTimeout: () => number
}

/** Writes the columns of a keyspace, see ColumnStore. */
export class CqlWrites {
  readonly #parts: Parts
  readonly #shared: SharedBatches

  constructor(parts: Parts) {
    this.#parts = parts
    // They are sent at the end of a turn.
    this.#shared = new SharedBatches(parts.options.batchSize, (batch, written, failed) =>
      this.#send(batch, ["write", "after the call"], written, failed)
    )
  }

  #batchOptions(time: bigint): BatchOptions {
    const { options, statements } = this.#parts
    return { statements, removed: time & ~1n, added: time | 1n, size: options.batchSize }
  }

  isAtomic(mutation: ColumnMutation): boolean {
    return singleBatch(mutation, this.#batchOptions(0n)) !== undefined
  }

  mutate(mutations: Iterable<ColumnMutation>, timestamp: bigint, consistency: Consistency): Promise<void> {
    const options = this.#batchOptions(timestamp)
    // Most commits change one row in each phase: a batch costs less than several in a window.
    const only = Array.isArray(mutations) && mutations.length === 1 ? (mutations[0] as ColumnMutation) : undefined
    const batch = only && singleBatch(only, options)
    if (batch === undefined) {
      return writeEach(writeBatches(mutations, options), (each) => this.#write(each, consistency))
    }
    return batch.statements.length === 0 ? Promise.resolve() : this.#write(batch, consistency)
  }

  #write(batch: WriteBatch, consistency: Consistency): Promise<void> {
    if (consistency === "write") return this.#shared.write(batch)
    return new Promise((resolve, reject) => this.#send(batch, [consistency, "after the turn"], resolve, reject))
  }

  #send(
    { key, statements }: UnsizedBatch,
    [consistency, leaving]: readonly [Consistency, Leaving],
    written: () => void,
    reject: (cause: unknown) => void
  ): void {
    const { consistencies, location, nodeTimeout, options, requests, writes } = this.#parts
    const how = {
      consistency: consistencies[consistency],
      routingKey: key,
      readTimeout: nodeTimeout(),
      logged: statements.length > 1 && options.loggedBatches,
      leaving
    }
    requests.call<void>(
      "written",
      (answered, failed) =>
        writes.write(statements, how, answered, (cause, wasSent) => failed(writeFailure(location, cause, wasSent))),
      { isOver: neverOver, answered: written, failed: reject }
    )
  }
}
