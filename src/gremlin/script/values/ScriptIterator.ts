/** An iterator in a script, such as the result of iterator(). */
export class ScriptIterator {
  readonly #values: readonly unknown[]
  #taken = 0
  constructor(values: readonly unknown[]) {
    this.#values = values
  }
  get [Symbol.toStringTag](): string {
    return "Iterator"
  }
  get hasNext(): boolean {
    return this.#taken < this.#values.length
  }
  next(): unknown {
    return this.#values[this.#taken++]
  }
  /** Takes and returns all remaining values. */
  rest(): unknown[] {
    const rest = this.#values.slice(this.#taken)
    this.#taken = this.#values.length
    return rest
  }
}
