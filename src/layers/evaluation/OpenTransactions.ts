import { Pending, type PendingCommit } from "../../scheduling/Pending.ts"
import type { CommitListener, MadeGraph, SeparateTransaction, Transactions } from "../../services/Transactions.ts"
import type {
  BeginOptions,
  GraphStore,
  GraphTransaction,
  TransactionLifecycle
} from "../../structure/graph/GraphStore.ts"
import { ScriptState, whileCommitting } from "./ScriptState.ts"

/** {@link Transactions} as a list, which nearly always has one entry. */
export class OpenTransactions implements Transactions {
  #open: Array<GraphTransaction> = []
  /** The transactions that are being committed; null before the first commit that waits. */
  #committing: Set<object> | null = null
  /** The graphs whose transactions the client began. */
  #begun: ReadonlyArray<GraphStore> = []
  /** True if new transactions get a savepoint when they begin. */
  #hasSavepoint = false
  /** The transactions that had changes at the savepoint. */
  #changedBefore: ReadonlyArray<GraphTransaction> = []
  /** Transactions all of whose changes were taken back, with their numbers of changes at that time. They stay dirty. */
  readonly #takenBack = new WeakMap<GraphTransaction, number>()
  /** Null while scripts have neither made a graph nor begun a separate transaction. */
  #scripts: ScriptState | null = null
  readonly #options: BeginOptions | undefined
  /** Called before a transaction ends, while its elements can still be read. */
  readonly #onEnd: ((transaction: GraphTransaction) => void) | null

  constructor(onEnd: ((transaction: GraphTransaction) => void) | null = null, options?: BeginOptions) {
    this.#onEnd = onEnd
    this.#options = options
  }

  open(store: GraphStore): GraphTransaction {
    for (const transaction of this.#open) if (transaction.store === store) return transaction
    const transaction = store.begin(this.#options)
    if (this.#hasSavepoint) transaction.savepoint?.()
    if (this.#open.length === 0) this.#open = [transaction]
    else this.#open.push(transaction)
    store.watch?.began()
    return transaction
  }

  savepoint(): void {
    this.#hasSavepoint = true
    this.#changedBefore = this.#open.filter((transaction) => this.#hasChanges(transaction))
    for (const transaction of this.#open) transaction.savepoint?.()
    this.#scripts?.savepoint()
  }

  rollbackToSavepoint(): Pending | undefined {
    const parts: Array<Pending> = []
    for (const transaction of this.#open) {
      const pending = transaction.rollbackToSavepoint?.()
      if (pending !== undefined) parts.push(pending)
      const { changes } = transaction
      if (transaction.rollbackToSavepoint === undefined || changes === undefined) continue
      if (!this.#changedBefore.includes(transaction)) this.#takenBack.set(transaction, changes)
    }
    const pending = this.#scripts?.rollbackToSavepoint()
    if (pending !== undefined) parts.push(pending)
    return Pending.all(parts)
  }

  get dirty(): boolean {
    for (const transaction of this.#open) if (this.#hasChanges(transaction)) return true
    return this.#scripts?.dirty === true
  }

  #hasChanges(transaction: GraphTransaction): boolean {
    return transaction.dirty && this.#takenBack.get(transaction) !== (transaction.changes ?? -1)
  }

  changed(picks: Picks | null = null): ReadonlyArray<GraphStore> {
    const changed = this.#open.filter((transaction) => this.#hasChanges(transaction)).map(({ store }) => store)
    return picks === null ? changed : changed.filter(picks)
  }

  changedSeparately(): ReadonlyArray<GraphStore> {
    return this.#scripts?.changed ?? []
  }

  get heldBytes(): number {
    let bytes = 0
    for (const transaction of this.#open) bytes += transaction.heldBytes
    return this.#scripts === null ? bytes : bytes + this.#scripts.heldBytes
  }

  get isOpen(): boolean {
    return this.#open.length > 0
  }

  has(store: GraphStore): boolean {
    return this.#open.some((transaction) => transaction.store === store)
  }

  markBegun(store: GraphStore): void {
    this.#begun = [...this.#begun, store]
  }

  unmarkBegun(store: GraphStore): void {
    this.#begun = this.#begun.filter((begun) => begun !== store)
  }

  isBegun(store?: GraphStore): boolean {
    return store === undefined ? this.#begun.length > 0 : this.#begun.includes(store)
  }

  commit(picks: Picks | null, listener: CommitListener): PendingCommit | undefined {
    const ending = this.#take(picks)
    try {
      // Called for all transactions before the first commit: if a commit fails, the others end without this call.
      if (this.#onEnd !== null) for (const transaction of ending) this.#onEnd(transaction)
    } catch (error) {
      rollBackFrom(ending, 0)
      throw error
    }
    const commit = commitFrom(ending, 0, listener)
    if (commit === undefined) return undefined
    this.#committing ??= new Set()
    return whileCommitting(this.#committing, ending, commit)
  }

  rollback(picks: Picks | null = null): void {
    if (picks === null) this.#scripts?.rollback()
    const ending = this.#take(picks)
    try {
      if (this.#onEnd !== null) for (const transaction of ending) this.#onEnd(transaction)
    } finally {
      rollBackFrom(ending, 0)
    }
  }

  own(graph: MadeGraph, close: () => void = () => void graph.close()): void {
    this.#scripts ??= new ScriptState()
    this.#scripts.add(graph, close)
  }

  owns(store: GraphStore): boolean {
    return this.#scripts?.has(store) === true
  }

  disown(graph: GraphStore): void {
    this.rollback((store) => store === graph)
    this.#scripts?.close(graph)
  }

  separate(store: GraphStore, options?: BeginOptions): SeparateTransaction {
    this.#scripts ??= new ScriptState()
    const own = new OpenTransactions(this.#onEnd, options)
    if (this.#hasSavepoint) own.savepoint()
    return this.#scripts.separate(store, own)
  }

  separateOf(source: object): SeparateTransaction | undefined {
    return this.#scripts?.separateOf(source)
  }

  /** True for one of the open transactions. */
  includes(source: object): boolean {
    return this.#open.includes(source as GraphTransaction)
  }

  get holdsSnapshot(): boolean {
    return this.isOpen || this.#scripts?.holdsSnapshot === true
  }

  /** The transactions that keep a snapshot or are being committed, also separate ones. */
  get snapshots(): ReadonlyArray<object> {
    return [...this.#open, ...(this.#committing ?? []), ...(this.#scripts?.snapshots ?? [])]
  }

  end(): void {
    if (this.#open.length > 0) this.rollback()
    this.#scripts?.end()
    this.#scripts = null
  }

  #take(picks: Picks | null): ReadonlyArray<GraphTransaction> {
    const open = this.#open
    if (picks === null) {
      this.#open = []
      this.#begun = []
      return open
    }
    if (this.#begun.length > 0) this.#begun = this.#begun.filter((store) => !picks(store))
    this.#open = open.filter((transaction) => !picks(transaction.store))
    return open.filter((transaction) => picks(transaction.store))
  }
}

type Picks = (store: GraphStore) => boolean

const rollBackFrom = (ending: ReadonlyArray<TransactionLifecycle>, first: number): void => {
  for (let at = first; at < ending.length; at++) {
    const { store } = ending[at]!
    ending[at]!.rollback()
    store.watch?.ended()
  }
}

/** Commits the transactions from index `first` on, in order. The first failure rolls back those after it. */
const commitFrom = (
  ending: ReadonlyArray<TransactionLifecycle>,
  first: number,
  listener: CommitListener
): Pending | undefined => {
  for (let at = first; at < ending.length; at++) {
    const transaction = ending[at]!
    const { dirty, store } = transaction
    let pending: Pending | undefined
    try {
      pending = transaction.commit()
    } catch (error) {
      rollBackFrom(ending, at)
      throw error
    }
    if (pending !== undefined) return commitAfter(pending, ending, at, listener)
    store.watch?.ended()
    if (dirty) listener.committed(store)
  }
  return undefined
}

/** Waits for the commit of the transaction at index `at`, then commits those after it. */
const commitAfter = (
  pending: Pending,
  ending: ReadonlyArray<TransactionLifecycle>,
  at: number,
  listener: CommitListener
): Pending => {
  const { store } = ending[at]!
  const next = (): Pending | undefined => {
    store.watch?.ended()
    listener.committed(store)
    return commitFrom(ending, at + 1, listener)
  }
  const failed = (): void => {
    store.watch?.ended()
    rollBackFrom(ending, at + 1)
  }
  return Pending.then(pending, next, failed)
}
