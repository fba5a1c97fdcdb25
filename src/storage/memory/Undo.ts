import { BigMap } from "../../structure/containers/BigMap.ts"

/** What one commit replaced: `old` is the state before the commit of `version`. */
interface Replaced<T> {
  readonly version: number
  readonly old: T
  older: Replaced<T> | undefined
}

/**
 * The undo log of a property column, a counter or ids: the states that commits replaced, newest first, kept as long as a
 * snapshot may read them. The newest state is stored elsewhere. Because every commit after the oldest open snapshot is in the
 * log, the log also tells an open transaction what changed since its snapshot.
 */
export class Undo<K, T> {
  readonly #chains = new BigMap<K, Replaced<T>>()

  /** Number of keys with a replaced state. Zero = every snapshot sees the newest state. */
  get size(): number {
    return this.#chains.size
  }

  /** Records that the commit of `version` replaced `old`. Call this once for a key and version. */
  push(key: K, version: number, old: T): void {
    this.#chains.set(key, { version, old, older: this.#chains.get(key) })
  }

  /** The state that a snapshot sees, boxed; undefined = the newest state. */
  at(key: K, snapshot: number): { readonly old: T } | undefined {
    let node = this.#chains.get(key)
    let found: Replaced<T> | undefined
    while (node !== undefined && node.version > snapshot) {
      found = node
      node = node.older
    }
    return found
  }

  /** True when a commit after the snapshot changed the key. */
  changedSince(key: K, snapshot: number): boolean {
    const node = this.#chains.get(key)
    return node !== undefined && node.version > snapshot
  }

  /** True when a replaced state that is still kept passes the test. */
  some(key: K, test: (old: T) => boolean): boolean {
    for (let node = this.#chains.get(key); node !== undefined; node = node.older) if (test(node.old)) return true
    return false
  }

  /** Drops the states that the commit of `version` and earlier ones replaced. */
  trim(key: K, version: number): void {
    let node = this.#chains.get(key)
    if (node === undefined) return
    if (node.version <= version) {
      this.#chains.delete(key)
      return
    }
    while (node.older !== undefined && node.older.version > version) node = node.older
    node.older = undefined
  }

  keys(): IterableIterator<K> {
    return this.#chains.keys()
  }
}
