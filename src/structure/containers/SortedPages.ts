/** The order of two keys: negative if the first is before the second, and 0 if they are equal. Fails for keys without an order. */
export type KeyOrder<A> = (left: A, right: A) => number

/** Which key {@link SortedPages.near} looks for, beside another one. */
export type Nearness = "floor" | "ceiling" | "lower" | "higher"

/** A page with more keys is split: a change moves the keys of one page. */
const MAX_PAGE_KEYS = 512

/**
 * Different keys in their order. They are in pages, so that a change takes no more time in a large collection than in a small one.
 */
export class SortedPages<A> {
  readonly compare: KeyOrder<A>
  /** No page is empty. The keys of a page are before those of the next one. */
  readonly #pages: Array<Array<A>> = []
  /** The last key of each page. A search reads them together. */
  readonly #ends: Array<A> = []
  /** All keys, until the next change. */
  #list: ReadonlyArray<A> | undefined

  constructor(compare: KeyOrder<A>) {
    this.compare = compare
  }

  /** The keys in their order. A later change does not change this list. */
  get list(): ReadonlyArray<A> {
    this.#list ??= ([] as Array<A>).concat(...this.#pages)
    return this.#list
  }

  /** The first key; undefined without one. */
  get first(): A | undefined {
    return this.#pages[0]?.[0]
  }

  /** The last key; undefined without one. */
  get last(): A | undefined {
    return this.#ends.at(-1)
  }

  /** True if a key is among them. */
  has(key: A): boolean {
    const page = this.#pages[this.#pageOf(key)]
    return page !== undefined && this.compare(page[this.#positionIn(page, key)]!, key) === 0
  }

  /** The keys that are not before a key. They must not change during the iteration. */
  *from(key: A): Iterable<A> {
    let at = this.#pageOf(key)
    let position = at < this.#pages.length ? this.#positionIn(this.#pages[at]!, key) : 0
    for (; at < this.#pages.length; at++, position = 0) {
      const page = this.#pages[at]!
      for (; position < page.length; position++) yield page[position]!
    }
  }

  /** Adds a key that is not among them. Fails if it has no order beside the others. */
  add(key: A): void {
    const last = this.#ends.length - 1
    if (last < 0) {
      this.compare(key, key)
      this.#pages.push([key])
      this.#ends.push(key)
    } else if (this.compare(this.#ends[last]!, key) < 0) {
      // Many keys are added in their order.
      this.#pages[last]!.push(key)
      this.#ends[last] = key
      this.#split(last, MAX_PAGE_KEYS)
    } else {
      const at = this.#pageOf(key)
      const page = this.#pages[at]!
      page.splice(this.#positionIn(page, key), 0, key)
      this.#split(at, MAX_PAGE_KEYS >> 1)
    }
    this.#list = undefined
  }

  /** Adds many keys that are not among them. Fails as {@link add}; some are added then. */
  addAll(keys: ReadonlyArray<A>): void {
    for (const key of [...keys].sort(this.compare)) this.add(key)
  }

  /** Splits a page with too many keys: it keeps the first ones. */
  #split(at: number, kept: number): void {
    const page = this.#pages[at]!
    if (page.length <= MAX_PAGE_KEYS) return
    this.#pages.splice(at + 1, 0, page.splice(kept))
    this.#ends.splice(at, 0, page[kept - 1]!)
  }

  /** Removes a key that is among them. */
  remove(key: A): void {
    const at = this.#pageOf(key)
    const page = this.#pages[at]!
    page.splice(this.#positionIn(page, key), 1)
    const next = this.#pages[at + 1]
    if (page.length === 0) {
      this.#pages.splice(at, 1)
      this.#ends.splice(at, 1)
    } else if (next !== undefined && page.length + next.length <= MAX_PAGE_KEYS >> 1) {
      for (const moved of next) page.push(moved)
      this.#pages.splice(at + 1, 1)
      this.#ends.splice(at, 1)
    } else this.#ends[at] = page[page.length - 1]!
    this.#list = undefined
  }

  /** The nearest key; undefined without one. */
  near(key: A, which: Nearness): A | undefined {
    const at = this.#pageOf(key)
    const page = this.#pages[at]
    if (page === undefined) {
      if (this.#pages.length === 0) this.compare(key, key)
      return which === "floor" || which === "lower" ? this.last : undefined
    }
    const position = this.#positionIn(page, key)
    const isKey = this.compare(page[position]!, key) === 0
    if (which === "ceiling" || (which === "floor" && isKey)) return page[position]
    if (which !== "higher") return position > 0 ? page[position - 1] : this.#ends[at - 1]
    const next = position + Number(isKey)
    return next < page.length ? page[next] : this.#pages[at + 1]?.[0]
  }

  /** The index of the first page whose last key is not before a key; the number of pages without one. */
  #pageOf(key: A): number {
    return this.#positionIn(this.#ends, key)
  }

  /** The number of keys before a key in a list in order. */
  #positionIn(keys: ReadonlyArray<A>, key: A): number {
    let [from, to] = [0, keys.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.compare(keys[middle]!, key) < 0) from = middle + 1
      else to = middle
    }
    return from
  }
}
