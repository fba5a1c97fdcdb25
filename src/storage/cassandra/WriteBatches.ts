import type { ColumnMutation } from "./ColumnStore.ts"
import { bufferOf, type Statement, type Statements } from "./Statements.ts"

/** Approximate size of one batch. Cassandra accepts half of a commit log segment: 16 MB by default. */
const MAX_BATCH_BYTES = 1024 * 1024

/** Statements that change one row, and leave together. */
export interface WriteBatch {
  readonly key: Buffer
  readonly statements: ReadonlyArray<Statement>
}

/** What batches are made of. */
interface BatchOptions {
  readonly statements: Statements
  /** Microseconds since the epoch, see ColumnStore.mutate. */
  readonly time: bigint
  /** Statements of one batch at most. */
  readonly size: number
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
        yield { key, statements }
        statements = []
        bytes = 0
      }
      statements.push(statement)
      bytes += size
    }
    if (statements.length > 0) yield { key, statements }
  }
}

/** The statements of one mutation, made one by one. Removals come first, as their time stamps do. */
class RowStatements {
  readonly #mutation: ColumnMutation
  readonly #key: Buffer
  readonly #statements: Statements
  readonly #removed: bigint
  readonly #added: bigint
  /** The statements that remove more than a column. */
  readonly #first: ReadonlyArray<Statement>
  readonly length: number

  constructor(mutation: ColumnMutation, key: Buffer, { statements, time }: BatchOptions) {
    this.#mutation = mutation
    this.#key = key
    this.#statements = statements
    this.#removed = time & ~1n
    this.#added = time | 1n
    this.#first = this.#removals(mutation)
    this.length = this.#first.length + mutation.deletions.length + mutation.additions.length
  }

  #removals({ removedRanges = [], table, wholeRow }: ColumnMutation): ReadonlyArray<Statement> {
    const statements: Array<Statement> = []
    if (wholeRow) statements.push(this.#statements.removeRow(table, this.#key, this.#removed))
    for (const [start, end] of removedRanges) {
      statements.push(this.#statements.removeRange(table, this.#key, start, end, this.#removed))
    }
    return statements
  }

  at(at: number): Statement {
    const { additions, deletions, table } = this.#mutation
    if (at < this.#first.length) return this.#first[at]!
    const deletion = deletions[at - this.#first.length]
    if (deletion !== undefined) return this.#statements.remove(table, this.#key, deletion, this.#removed)
    const addition = additions[at - this.#first.length - deletions.length]!
    return this.#statements.add(table, this.#key, addition, this.#added)
  }
}

const sizeOf = ({ parameters }: Statement): number => {
  let bytes = 0
  for (const parameter of parameters) if (Buffer.isBuffer(parameter)) bytes += parameter.length
  return bytes
}
