import type { Transactions } from "../../services/Transactions.ts"
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

  changed(): ReadonlyArray<GraphStore> {
    return this.#open.filter(({ dirty }) => dirty).map(({ store }) => store)
  }

  get heldBytes(): number {
    let bytes = 0
    for (const transaction of this.#open) bytes += transaction.heldBytes ?? 0
    return bytes
  }

  get isOpen(): boolean {
    return this.#open.length > 0
  }

  commit(picks?: (store: GraphStore) => boolean): Later | undefined {
    const ending = this.#take(picks)
    for (let i = 0; i < ending.length; i++) {
      let later: Later | undefined
      try {
        // Of all before the first: who fails or answers later leaves the others to end elsewhere.
        if (i === 0 && this.#onEnd !== null) for (const transaction of ending) this.#onEnd(transaction)
        later = ending[i]!.commit()
      } catch (error) {
        for (let j = i; j < ending.length; j++) ending[j]!.rollback()
        throw error
      }
      if (later !== undefined) return commitRest(later, ending, i + 1)
    }
    return undefined
  }

  rollback(picks?: (store: GraphStore) => boolean): void {
    for (const transaction of this.#take(picks)) {
      this.#onEnd?.(transaction)
      transaction.rollback()
    }
  }

  #take(picks: ((store: GraphStore) => boolean) | undefined): ReadonlyArray<GraphTransaction> {
    const open = this.#open
    if (picks === undefined) {
      this.#open = []
      return open
    }
    this.#open = open.filter((transaction) => !picks(transaction.store))
    return open.filter((transaction) => picks(transaction.store))
  }
}

/** Waits for a commit that answers later, then makes those of the other graphs, in order. */
const commitRest = (first: Later, ending: ReadonlyArray<GraphTransaction>, next: number): Later => ({
  onDone: (resume) => {
    first.onDone((error) => {
      if (error !== undefined || next === ending.length) {
        for (let i = next; i < ending.length; i++) ending[i]!.rollback()
        resume(error)
        return
      }
      let later: Later | undefined
      try {
        later = ending[next]!.commit()
      } catch (failure) {
        for (let i = next; i < ending.length; i++) ending[i]!.rollback()
        resume(failure instanceof Error ? failure : new Error(String(failure)))
        return
      }
      if (later === undefined && next + 1 === ending.length) resume(undefined)
      else commitRest(later ?? done, ending, next + 1).onDone(resume)
    })
  }
})

/** Done when each of them is; fails with the first error. */
const all = ([first, ...rest]: ReadonlyArray<Later>): Later => ({
  onDone: (resume) => {
    if (first === undefined) resume(undefined)
    else first.onDone((error) => all(rest).onDone((other) => resume(error ?? other)))
  }
})

const done: Later = { onDone: (resume) => resume(undefined) }
