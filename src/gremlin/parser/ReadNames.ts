const NO_VARIABLES: ReadonlyMap<string, number> = new Map()
const NO_SOURCES: ReadonlySet<string> = new Set()

/** Names of variables and functions, with whether a call of the name calls their value. */
type Names = Map<string, boolean>

/**
 * The names that a script declares, and those that it reads and does not have itself: neither a block around the place nor an
 * earlier statement gives them a value. What a block declares or assigns is its own: after the block the name may mean a variable
 * of the request or of the server.
 */
export class ReadNames {
  /** The names of variables, with the offset of their first use. */
  variables: ReadonlyMap<string, number> = NO_VARIABLES
  /** The names with which traversals begin. */
  sources: ReadonlySet<string> = NO_SOURCES
  /** What the script and its open blocks declare, the outermost first. Undefined until a block declares something. */
  readonly #blocks: Array<Names | undefined> = [undefined]
  /** The keys of the open blocks. */
  readonly #keys: Array<number> = [Number.NEGATIVE_INFINITY]
  /** What was declared in blocks whose end was not reached yet, by their keys: a parse in slices reads such a block again. */
  readonly #unfinished = new Map<number, Names>()
  /** What blocks assign without a declaration: variables of the whole script, unlike those that a block declares. */
  #assigned: Names | undefined = undefined

  /** Begins another script. */
  start(): void {
    this.variables = NO_VARIABLES
    this.sources = NO_SOURCES
    this.#unfinished.clear()
    this.#assigned = undefined
    this.#blocks[0] = undefined
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
  declare(name: string, isCallable = false): void {
    const last = this.#blocks.length - 1
    let names = this.#blocks[last]
    if (names === undefined) {
      names = new Map()
      this.#blocks[last] = names
      if (last > 0) this.#unfinished.set(this.#keys[last]!, names)
    }
    note(names, name, isCallable)
  }

  /** The script assigns a value to this name. Without a declaration the variable is one of the whole script. */
  assign(name: string, isCallable: boolean): void {
    const names = this.#blocks.findLast((block) => block?.has(name) === true)
    if (names !== undefined) note(names, name, isCallable)
    else {
      this.declare(name, isCallable)
      if (this.#blocks.length > 1) this.#assigned ??= new Map()
    }
    if (this.#assigned !== undefined && (names === undefined || this.#assigned.has(name)))
      note(this.#assigned, name, isCallable)
  }

  /** Whether the name means a variable or a function of the script at the place that was reached. */
  isDeclared(name: string): boolean {
    return this.#has(name) || this.#assigned?.has(name) === true
  }

  /** Whether the name means a function of the script there, or a variable to which the script has assigned a closure. */
  isCallable(name: string): boolean {
    for (const names of this.#blocks) if (names?.get(name) === true) return true
    return this.#assigned?.get(name) === true
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

const note = (names: Names, name: string, isCallable: boolean): void => {
  names.set(name, isCallable || names.get(name) === true)
}
