import { ColumnPage, PAGE_BITS } from "./ColumnPage.ts"
import type { Meter } from "./Growth.ts"

/** Bits of a slot that are the position inside its page. */
const PAGE_MASK = (1 << PAGE_BITS) - 1

/**
 * The values of one property key by slot: undefined = none. They are stored in pages, each with a layout for its values, so that
 * growth or a value of another type copies one page at most.
 */
export class Column {
  readonly #pages: Array<ColumnPage | undefined> = []
  #count = 0
  readonly #meter: Meter

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Number of slots with a value. */
  get count(): number {
    return this.#count
  }

  get(slot: number): unknown {
    const at = slot >>> PAGE_BITS
    return at < this.#pages.length ? this.#pages[at]?.get(slot & PAGE_MASK) : undefined
  }

  /** Sets the value of a slot; undefined removes it. */
  set(slot: number, value: unknown): void {
    const at = slot >>> PAGE_BITS
    let page = at < this.#pages.length ? this.#pages[at] : undefined
    if (page === undefined) {
      if (value === undefined) return
      while (this.#pages.length <= at) this.#pages.push(undefined)
      page = new ColumnPage(this.#meter)
      this.#pages[at] = page
    }
    const before = page.count
    page.set(slot & PAGE_MASK, value)
    this.#count += page.count - before
    if (page.count > 0) return
    page.clear()
    this.#pages[at] = undefined
  }
}
