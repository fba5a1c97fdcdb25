const NO_VARIABLES: ReadonlyMap<string, number> = new Map()
const NO_SOURCES: ReadonlySet<string> = new Set()

/**
 * The names that a script reads and does not have itself: neither a block around the place nor an earlier statement gives them a
 * value. What a block declares or assigns is its own: after the block the name may mean a variable of the request or of the server.
 */
export class ReadNames {
  /** The names of variables, with the offset of their first use. */
  variables: ReadonlyMap<string, number> = NO_VARIABLES
  /** The names with which traversals begin. */
  sources: ReadonlySet<string> = NO_SOURCES
  /** What the script and its open blocks declare, the outermost first. Undefined until a block declares something. */
  readonly #blocks: Array<Set<string> | undefined> = [undefined]
  /** The keys of the open blocks. */
  readonly #keys: Array<number> = [Number.NEGATIVE_INFINITY]
  /** What was declared in blocks whose end was not reached yet, by their keys: a parse in slices reads such a block again. */
  readonly #unfinished = new Map<number, Set<string>>()

  /** Begins another script. */
  start(): void {
    this.variables = NO_VARIABLES
    this.sources = NO_SOURCES
    this.#unfinished.clear()
    this.#blocks[0] = undefined
    this.resume()
  }

  /** Begins at the beginning of the same script again. What was read before stays. */
  resume(): void {
    this.#blocks.length = 1
    this.#keys.length = 1
  }

  /**
   * Reads a block that begins at an offset, with its head: what a head declares, such as parameters, ends with its block.
   */
  inHead<A>(start: number, read: () => A): A {
    return this.inBlock(start + 0.5, read)
  }

  /** Reads a block. `key` is its own among those that are open at the same time, and the same in each slice. */
  inBlock<A>(key: number, read: () => A): A {
    this.#blocks.push(this.#unfinished.get(key))
    this.#keys.push(key)
    const result = read()
    this.#blocks.pop()
    this.#keys.pop()
    this.#unfinished.delete(key)
    return result
  }

  /** The innermost block has a variable or a function of this name from here on. */
  declare(name: string): void {
    const last = this.#blocks.length - 1
    let names = this.#blocks[last]
    if (names === undefined) {
      names = new Set()
      this.#blocks[last] = names
      if (last > 0) this.#unfinished.set(this.#keys[last]!, names)
    }
    names.add(name)
  }

  /** The script reads a variable at an offset. */
  readVariable(name: string, start: number): void {
    if (this.variables.has(name) || this.#has(name)) return
    if (this.variables === NO_VARIABLES) this.variables = new Map()
    ;(this.variables as Map<string, number>).set(name, start)
  }

  /** A traversal begins with this name. */
  readSource(name: string): void {
    if (this.sources.has(name) || this.#has(name)) return
    if (this.sources === NO_SOURCES) this.sources = new Set()
    ;(this.sources as Set<string>).add(name)
  }

  #has(name: string): boolean {
    for (const names of this.#blocks) if (names?.has(name) === true) return true
    return false
  }
}
