/**
 * Numbers the lists of property keys that elements have, in insertion order. Elements with the same list share a shape and
 * store only its number, in 4 bytes. Shape 0 has no keys.
 */
export class Shapes {
  readonly #keys: Array<readonly number[]> = [[]]
  readonly #known = new Map<string, number>([["", 0]])
  readonly #added: Array<Map<number, number>> = [new Map()]

  /** The keys of a shape, as the numbers of their columns. */
  keys(shape: number): readonly number[] {
    return this.#keys[shape]!
  }

  /** The shape with one more key at the end, or the same shape if it has the key. */
  with(shape: number, column: number): number {
    const next = this.#added[shape]!.get(column)
    if (next !== undefined) return next
    const keys = this.#keys[shape]!
    const found = keys.includes(column) ? shape : this.#intern([...keys, column])
    this.#added[shape]!.set(column, found)
    return found
  }

  /** The shape without a key. */
  without(shape: number, column: number): number {
    return this.#intern(this.#keys[shape]!.filter((key) => key !== column))
  }

  #intern(keys: readonly number[]): number {
    const name = keys.join(",")
    let shape = this.#known.get(name)
    if (shape === undefined) {
      shape = this.#keys.length
      this.#keys.push(keys)
      this.#added.push(new Map())
      this.#known.set(name, shape)
    }
    return shape
  }
}
