import type { CommitListener, Transactions } from "../../services/Transactions.ts"
import type { GraphStore, GraphTransaction, Later } from "../../structure/GraphStore.ts"

/** {@link Transactions} as a small list: nearly always it has one entry. */
export class OpenTransactions implements Transactions {
  #open: Array<GraphTransaction> = []
  /** Transactions have a savepoint from their begin on. */
  #marks = false
  /** Called before a transaction ends, while its elements can still be read. */
  readonly #onEnd: ((transaction: GraphTransaction) => void) | null

  constructor(onEnd: ((transaction: GraphTransaction) => void) | null = null) {
    this.#onEnd = onEnd
  }

  open(store: GraphStore): GraphTransaction {
    for (const transaction of this.#open) if (transaction.store === store) return transaction
    const transaction = store.begin()
    if (this.#marks) transaction.savepoint?.()
    this.#open.push(transaction)
    return transaction
  }

  savepoint(): void {
    this.#marks = true
    for (const transaction of this.#open) transaction.savepoint?.()
  }

  rollbackToSavepoint(): Later | undefined {
    const laters: Array<Later> = []
    for (const transaction of this.#open) {
      const later = transaction.rollbackToSavepoint?.()
      if (later !== undefined) laters.push(later)
    }
    return laters.length < 2 ? laters[0] : all(laters)
  }

  get dirty(): boolean {
    for (const transaction of this.#open) if (transaction.dirty) return true
    return false
  }

  changed(picks: Picks | null = null): ReadonlyArray<GraphStore> {
    const changed = this.#open.filter(({ dirty }) => dirty).map(({ store }) => store)
    return picks === null ? changed : changed.filter(picks)
  }

  get heldBytes(): number {
    let bytes = 0
    for (const transaction of this.#open) bytes += transaction.heldBytes ?? 0
    return bytes
  }

  get isOpen(): boolean {
    return this.#open.length > 0
  }

  commit(picks: Picks | null, listener: CommitListener): Later | undefined {
    const ending = this.#take(picks)
    try {
      // For all of them before the first commit: a commit that fails ends the others without this call.
      if (this.#onEnd !== null) for (const transaction of ending) this.#onEnd(transaction)
    } catch (error) {
      rollBackFrom(ending, 0)
      throw error
    }
    return commitFrom(ending, 0, listener)
  }

  rollback(picks: Picks | null = null): void {
    const ending = this.#take(picks)
    try {
      if (this.#onEnd !== null) for (const transaction of ending) this.#onEnd(transaction)
    } finally {
      rollBackFrom(ending, 0)
    }
  }

  #take(picks: Picks | null): ReadonlyArray<GraphTransaction> {
    const open = this.#open
    if (picks === null) {
      this.#open = []
      return open
    }
    this.#open = open.filter((transaction) => !picks(transaction.store))
    return open.filter((transaction) => picks(transaction.store))
  }
}

type Picks = (store: GraphStore) => boolean

const rollBackFrom = (ending: ReadonlyArray<GraphTransaction>, first: number): void => {
  for (let at = first; at < ending.length; at++) ending[at]!.rollback()
}

/** Commits transactions from one on, in their order. The first failure rolls back those after it. */
const commitFrom = (
  ending: ReadonlyArray<GraphTransaction>,
  first: number,
  listener: CommitListener
): Later | undefined => {
  for (let at = first; at < ending.length; at++) {
    const transaction = ending[at]!
    const { dirty, store } = transaction
    let later: Later | undefined
    try {
      later = transaction.commit()
    } catch (error) {
      rollBackFrom(ending, at)
      throw error
    }
    if (later !== undefined) return commitLater(later, ending, at, listener)
    if (dirty) listener.committed(store)
  }
  return undefined
}

/** Waits for a commit that answers later, then makes those after it. */
const commitLater = (
  later: Later,
  ending: ReadonlyArray<GraphTransaction>,
  at: number,
  listener: CommitListener
): Later => ({
  isCommit: true,
  onDone: (resume) =>
    later.onDone((error) => {
      if (error !== undefined) {
        rollBackFrom(ending, at + 1)
        resume(error)
        return
      }
      listener.committed(ending[at]!.store)
      let next: Later | undefined
      try {
        next = commitFrom(ending, at + 1, listener)
      } catch (failure) {
        resume(failure instanceof Error ? failure : new Error(String(failure)))
        return
      }
      if (next === undefined) resume(undefined)
      else next.onDone(resume)
    })
})

/** Done when each of them is; fails with the first error. */
const all = ([first, ...rest]: ReadonlyArray<Later>): Later => ({
  onDone: (resume) => {
    if (first === undefined) resume(undefined)
    else first.onDone((error) => all(rest).onDone((other) => resume(error ?? other)))
  }
})
