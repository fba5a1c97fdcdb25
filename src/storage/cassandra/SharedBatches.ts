import { rowName } from "./CqlBatch.ts"
import { wasNotExecuted } from "./Failures.ts"
import type { UnsizedBatch, WriteBatch } from "./WriteBatches.ts"

/** Bytes of mutations that share a batch at most. */
const MAX_SHARED_BYTES = 64 * 1024

/** Sends a batch, and calls one of the functions once. */
type Send = (batch: UnsizedBatch, written: () => void, failed: (cause: unknown) => void) => void

/** A mutation that waits for the end of the turn. */
interface Waiting extends WriteBatch {
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

/** The mutations of a row, in groups that leave as one batch each. Each mutation is in one group, so that it stays atomic. */
function* groupsOf(waiting: ReadonlyArray<Waiting>, size: number): Generator<ReadonlyArray<Waiting>, void> {
  let from = 0
  let count = 0
  let bytes = 0
  for (let at = 0; at < waiting.length; at++) {
    const next = waiting[at]!
    if (at > from && (count + next.statements.length > size || bytes + next.bytes > MAX_SHARED_BYTES)) {
      yield waiting.slice(from, at)
      from = at
      count = bytes = 0
    }
    count += next.statements.length
    bytes += next.bytes
  }
  if (from === 0) yield waiting
  else yield waiting.slice(from)
}

/**
 * Batches that several commits share. Mutations of the same row that are written in one turn of the event loop leave as one batch at its
 * end. Each statement has the time stamp of its commit, so the result is that of separate batches. A mutation of a batch that the cluster
 * refuses is written again alone, because the reason may lie in another one. If it is not known whether a batch was applied, this holds
 * for each of its mutations.
 */
export class SharedBatches {
  readonly #size: number
  readonly #send: Send
  #rows = new Map<string, Array<Waiting>>()

  /** @param size statements of one batch at most */
  constructor(size: number, send: Send) {
    this.#size = size
    this.#send = send
  }

  /** Writes the changes of a row. Fails as `send` does. */
  write({ bytes, key, statements, table }: WriteBatch): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = { table, key, statements, bytes, resolve, reject }
      if (this.#rows.size === 0) setImmediate(() => this.#leave())
      const name = rowName(table, key)
      const row = this.#rows.get(name)
      if (row === undefined) this.#rows.set(name, [waiting])
      else row.push(waiting)
    })
  }

  #leave(): void {
    const rows = this.#rows
    this.#rows = new Map()
    for (const row of rows.values()) {
      if (row.length === 1) this.#alone(row[0]!)
      else for (const group of groupsOf(row, this.#size)) this.#together(group)
    }
  }

  #alone(waiting: Waiting): void {
    this.#send(waiting, waiting.resolve, waiting.reject)
  }

  #together(group: ReadonlyArray<Waiting>): void {
    const [first] = group
    if (group.length === 1) return this.#alone(first!)
    const statements = group.flatMap((each) => each.statements)
    this.#send(
      { key: first!.key, statements },
      () => {
        for (const { resolve } of group) resolve()
      },
      (cause: unknown) => {
        for (const each of group) {
          if (wasNotExecuted(cause)) this.#alone(each)
          else each.reject(cause)
        }
      }
    )
  }
}
