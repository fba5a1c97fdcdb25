import type { ColumnMutation, ColumnTable } from "./ColumnStore.ts"
import { inWindow } from "./ConcurrentWork.ts"
import { NotApplied, partlyApplied } from "./Failures.ts"
import { bufferOf, type Statement, type Statements } from "./Statements.ts"

/** Approximate size of one batch. Cassandra accepts half of a commit log segment: 16 MB by default. */
const MAX_BATCH_BYTES = 1024 * 1024

/** Batches of one mutation that are in flight. */
const BATCHES_IN_FLIGHT = 64

/** Statements that change one row, and leave together. */
export interface WriteBatch {
  readonly table: ColumnTable
  readonly key: Buffer
  readonly statements: ReadonlyArray<Statement>
  /** Bytes of the values. */
  readonly bytes: number
}

/** A batch as it is sent. */
export type UnsizedBatch = Pick<WriteBatch, "key" | "statements">

/** What batches are made of. */
export interface BatchOptions {
  readonly statements: Statements
  /** The time stamps of removals and of additions, see ColumnStore.mutate. */
  readonly removed: bigint
  readonly added: bigint
  /** Statements of one batch at most. */
  readonly size: number
}

/** The statements of a mutation that leave together in any case; undefined if they may be several batches. */
export const singleBatch = (mutation: ColumnMutation, options: BatchOptions): WriteBatch | undefined => {
  const key = bufferOf(mutation.key)
  const changes = new RowStatements(mutation, key, options)
  const { length } = changes
  if (length > options.size) return undefined
  const statements: Array<Statement> = []
  let bytes = 0
  for (let at = 0; at < length; at++) {
    const statement = changes.at(at)
    statements.push(statement)
    bytes += sizeOf(statement)
  }
  return length === 1 || bytes <= MAX_BATCH_BYTES ? { table: mutation.table, key, statements, bytes } : undefined
}

/** The batches of mutations, made when they are asked for. Each has changes of one row. */
export function* writeBatches(mutations: Iterable<ColumnMutation>, options: BatchOptions): Generator<WriteBatch, void> {
  for (const mutation of mutations) {
    const key = bufferOf(mutation.key)
    const changes = new RowStatements(mutation, key, options)
    let statements: Array<Statement> = []
    let bytes = 0
    for (let at = 0; at < changes.length; at++) {
      const statement = changes.at(at)
      const size = sizeOf(statement)
      if (statements.length >= options.size || (bytes > 0 && bytes + size > MAX_BATCH_BYTES)) {
        yield { table: mutation.table, key, statements, bytes }
        statements = []
        bytes = 0
      }
      statements.push(statement)
      bytes += size
    }
    if (statements.length > 0) yield { table: mutation.table, key, statements, bytes }
  }
}

/** Writes batches. Fails with NotApplied only if none of them may have been applied. */
export const writeEach = async (
  batches: Iterable<WriteBatch>,
  write: (batch: WriteBatch) => Promise<void>
): Promise<void> => {
  let perhapsApplied: { readonly error: unknown } | undefined
  let applied = 0
  try {
    await inWindow(batches, BATCHES_IN_FLIGHT, async (batch) => {
      try {
        await write(batch)
        applied++
      } catch (error) {
        if (!(error instanceof NotApplied)) perhapsApplied ??= { error }
        throw error
      }
    })
  } catch (error) {
    if (perhapsApplied !== undefined) throw perhapsApplied.error
    throw applied > 0 ? partlyApplied(error) : error
  }
}

const none: ReadonlyArray<Statement> = []

/** The statements of one mutation, made one by one. Removals come first, as their time stamps do. */
class RowStatements {
  readonly #mutation: ColumnMutation
  readonly #key: Buffer
  readonly #statements: Statements
  readonly #times: Pick<BatchOptions, "added" | "removed">
  /** The statements that remove more than a column. */
  readonly #first: ReadonlyArray<Statement>
  readonly length: number

  constructor(mutation: ColumnMutation, key: Buffer, options: BatchOptions) {
    this.#mutation = mutation
    this.#key = key
    this.#statements = options.statements
    this.#times = options
    this.#first = mutation.wholeRow || mutation.removedRanges ? this.#removals(mutation) : none
    this.length = this.#first.length + mutation.deletions.length + mutation.additions.length
  }

  #removals({ removedRanges = [], table, wholeRow }: ColumnMutation): ReadonlyArray<Statement> {
    const statements: Array<Statement> = []
    if (wholeRow) statements.push(this.#statements.removeRow(table, this.#key, this.#times.removed))
    for (const [start, end] of removedRanges) {
      statements.push(this.#statements.removeRange(table, this.#key, start, end, this.#times.removed))
    }
    return statements
  }

  at(at: number): Statement {
    const { additions, deletions, table } = this.#mutation
    if (at < this.#first.length) return this.#first[at]!
    const deletion = deletions[at - this.#first.length]
    if (deletion !== undefined) return this.#statements.remove(table, this.#key, deletion, this.#times.removed)
    const addition = additions[at - this.#first.length - deletions.length]!
    return this.#statements.add(table, this.#key, addition, this.#times.added)
  }
}

const sizeOf = ({ parameters }: Statement): number => {
  let bytes = 0
  for (const parameter of parameters) if (Buffer.isBuffer(parameter)) bytes += parameter.length
  return bytes
}
