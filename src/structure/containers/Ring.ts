/** A first-in first-out queue in a ring buffer that doubles when it is full. It has no limit. */
export class Ring<T> {
  #items: Array<T | undefined>
  #head = 0
  #length = 0

  constructor() {
    this.#items = new Array(MIN_CAPACITY_ITEMS)
  }

  get length(): number {
    return this.#length
  }

  /** The first item, which stays in the queue. */
  get first(): T | undefined {
    return this.#items[this.#head]
  }

  push(item: T): void {
    if (this.#length === this.#items.length) this.#grow()
    this.#items[(this.#head + this.#length) & (this.#items.length - 1)] = item
    this.#length++
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined
    const item = this.#items[this.#head]
    this.#items[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#items.length - 1)
    this.#length--
    if (this.#length === 0 && this.#items.length > 1024) {
      this.#items = new Array(MIN_CAPACITY_ITEMS)
      this.#head = 0
    }
    return item
  }

  /** Removes the items that fail the test; the rest keeps its order. */
  keep(test: (item: T) => boolean): void {
    const mask = this.#items.length - 1
    const length = this.#length
    let kept = 0
    for (let i = 0; i < length; i++) {
      const item = this.#items[(this.#head + i) & mask]!
      if (test(item)) this.#items[(this.#head + kept++) & mask] = item
    }
    for (let i = kept; i < length; i++) this.#items[(this.#head + i) & mask] = undefined
    this.#length = kept
  }

  #grow(): void {
    const items = this.#items
    const mask = items.length - 1
    const grown = new Array<T | undefined>(items.length * 2)
    for (let i = 0; i < this.#length; i++) grown[i] = items[(this.#head + i) & mask]
    this.#items = grown
    this.#head = 0
  }
}

/** The capacity of a new queue: a power of two. A queue with a buffer for more than 1,024 items returns to it when it is empty. */
const MIN_CAPACITY_ITEMS = 16
