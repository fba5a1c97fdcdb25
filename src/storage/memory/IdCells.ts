/** Maximum number of cells of one table. A full table of this size is split in two. */
const MAX_TABLE_CELLS = 1 << 16
/** Content of a cell that never had an entry. */
const EMPTY = 0
/** Content of a cell whose entry was removed. A search continues after it. */
const REMOVED = -1

/** One hash table with open addressing. A cell contains a slot + 1, EMPTY or REMOVED. */
class Cells {
  cells = new Int32Array(16)
  /** Cells that are not EMPTY. */
  used = 0
  /** Cells with a slot. */
  live = 0
  /** Number of first bits that the hashes of all keys in this table have in common. */
  readonly depth: number

  constructor(depth: number, length: number) {
    this.depth = depth
    this.cells = new Int32Array(length)
  }

  get isFull(): boolean {
    return (this.used + 1) * 10 > this.cells.length * 6
  }

  put(hash: number, slot: number): void {
    const { cells } = this
    const mask = cells.length - 1
    let cell = hash & mask
    while (cells[cell] !== EMPTY && cells[cell] !== REMOVED) cell = (cell + 1) & mask
    if (cells[cell] === EMPTY) this.used++
    cells[cell] = slot + 1
    this.live++
  }
}

/** The 32-bit hash of a safe integer, mixed from its low and its high half. */
const hashOf = (key: number): number => {
  const low = Math.imul(key | 0, 0x9e3779b1)
  const mixed = key === (key | 0) ? low : low ^ Math.imul(Math.floor(key / 0x100000000) | 0, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}

/**
 * A hash table from numeric ids to slots, with 4 bytes per cell. It grows by splitting one part at a time (extendible hashing),
 * so that no addition moves all entries. It does not store the ids: the methods get them as `numbers`, by slot.
 */
export class IdCells {
  /** The tables by the first #bits bits of a hash. A table may be at several positions. */
  #tables: Array<Cells> = [new Cells(0, 16)]
  #bits = 0
  readonly #account: (bytes: number) => void

  /** `account` is called with the bytes that the table grows by. */
  constructor(account: (bytes: number) => void) {
    this.#account = account
  }

  /** The table of a hash. JavaScript shifts by 0 instead of 32, so 0 bits are a separate case. */
  #table(hash: number): Cells {
    return this.#tables[this.#bits === 0 ? 0 : hash >>> (32 - this.#bits)]!
  }

  /** The slot of a key, or -1 if the key has none. `numbers` contains the keys by slot. */
  find(key: number, numbers: Float64Array): number {
    const hash = hashOf(key)
    const { cells } = this.#table(hash)
    const mask = cells.length - 1
    for (let cell = hash & mask; ; cell = (cell + 1) & mask) {
      const entry = cells[cell]!
      if (entry === EMPTY) return -1
      if (entry !== REMOVED && numbers[entry - 1] === key) return entry - 1
    }
  }

  /** Adds a key that has no slot yet. */
  add(key: number, slot: number, numbers: Float64Array): void {
    const hash = hashOf(key)
    while (this.#table(hash).isFull) this.#makeRoom(hash, numbers)
    this.#table(hash).put(hash, slot)
  }

  /** Removes a key from its slot. Does nothing if the key does not have this slot. */
  remove(key: number, slot: number): void {
    const hash = hashOf(key)
    const table = this.#table(hash)
    const { cells } = table
    const mask = cells.length - 1
    for (let cell = hash & mask; cells[cell] !== EMPTY; cell = (cell + 1) & mask) {
      if (cells[cell] !== slot + 1) continue
      cells[cell] = REMOVED
      table.live--
      return
    }
  }

  /** Makes room in the full table of a hash: rebuilds it, doubles it, or splits it in two. */
  #makeRoom(hash: number, numbers: Float64Array): void {
    const old = this.#table(hash)
    const { length } = old.cells
    const isCrowded = old.live * 10 > length * 3
    if (length < MAX_TABLE_CELLS || !isCrowded || old.depth === 32) {
      const table = new Cells(old.depth, isCrowded ? length * 2 : length)
      this.#move(old, numbers, () => table)
      this.#replace(hash, old.depth, table)
      this.#account(4 * (table.cells.length - length))
      return
    }
    if (old.depth === this.#bits) {
      this.#tables = this.#tables.flatMap((table) => [table, table])
      this.#bits++
    }
    const depth = old.depth + 1
    const [low, high] = [new Cells(depth, length), new Cells(depth, length)]
    const bit = 1 << (32 - depth)
    this.#move(old, numbers, (hash) => ((hash & bit) === 0 ? low : high))
    this.#replace(hash & ~bit, depth, low)
    this.#replace(hash | bit, depth, high)
    this.#account(4 * length)
  }

  #move(from: Cells, numbers: Float64Array, to: (hash: number) => Cells): void {
    for (const entry of from.cells) {
      if (entry <= 0) continue
      const hash = hashOf(numbers[entry - 1]!)
      to(hash).put(hash, entry - 1)
    }
  }

  /** Sets the table of all hashes with the same first `depth` bits as `hash`. */
  #replace(hash: number, depth: number, table: Cells): void {
    const first = depth === 0 ? 0 : (hash >>> (32 - depth)) << (this.#bits - depth)
    this.#tables.fill(table, first, first + (1 << (this.#bits - depth)))
  }
}
