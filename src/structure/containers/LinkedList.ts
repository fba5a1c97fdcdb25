/** What an item of a {@link LinkedList} has for the list. Only the list writes it. An item is in one list at most. */
export interface Linked<T> {
  previous: T | undefined
  next: T | undefined
}

/**
 * Items in the order in which they were added; each of them can be removed at any time.
 *
 * For items that come and go with every request, in a collection that lives long. A Set costs more there than its operations: once V8
 * has moved its table to the old generation, each new table is made there, too, and an outgrown table keeps what it held until a
 * full garbage collection. Every young collection then copies these dead objects, and all that they refer to. A list has no table,
 * and a removed item refers to no other.
 */
export class LinkedList<T extends Linked<T>> {
  #first: T | undefined
  #last: T | undefined
  #size = 0

  /** The item that was added first. */
  get first(): T | undefined {
    return this.#first
  }

  /** The item that was added last. */
  get last(): T | undefined {
    return this.#last
  }

  get size(): number {
    return this.#size
  }

  /** Adds an item that is in no list. */
  add(item: T): void {
    item.previous = this.#last
    if (this.#last === undefined) this.#first = item
    else this.#last.next = item
    this.#last = item
    this.#size++
  }

  /** Removes an item. Returns false if it is not in the list. It must not be in another one. */
  delete(item: T): boolean {
    const { next, previous } = item
    if (previous === undefined) {
      if (this.#first !== item) return false
      this.#first = next
    } else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    item.previous = item.next = undefined
    this.#size--
    return true
  }

  /** The items in their order. The current item may be removed meanwhile, but no other one. */
  *[Symbol.iterator](): Generator<T> {
    for (let item = this.#first; item !== undefined; ) {
      const { next } = item
      yield item
      item = next
    }
  }
}
