import { StorageUnavailable, TransactionConflict } from "../../../structure/StoreErrors.ts"
import { sameBytes } from "../../janusgraph/cells/Cells.ts"
import type { ColumnStore, ColumnTable } from "../ColumnStore.ts"
import { NotApplied } from "../Failures.ts"
import { type Clock, micros } from "./Clock.ts"

/** Tables whose cells can be locked, and where their claims lie. */
const lockTables = {
  edgestore: "edgestore_lock_",
  graphindex: "graphindex_lock_",
  system_properties: "system_properties_lock_"
} as const satisfies Partial<Record<ColumnTable, ColumnTable>>

export type LockableTable = keyof typeof lockTables

/** A cell that only one process may change at a time, and what it must hold for the change to be right. */
export interface LockTarget {
  readonly table: LockableTable
  readonly key: Uint8Array
  readonly column: Uint8Array
  /** The value that was read; undefined = no such cell. */
  readonly expected: Uint8Array | undefined
}

/** How cells are locked in a keyspace: the same for all who share it, but for the instance. */
export interface LockOptions {
  readonly instance: string
  /** Milliseconds that a claim may take to be written, and waits to be read (`storage.lock.wait-time`). */
  readonly wait: number
  /** Milliseconds after which a claim is void (`storage.lock.expiry-time`). */
  readonly expiry: number
  /** Times that a claim is written when writing takes too long (`storage.lock.retries`). */
  readonly retries: number
}

/** Claims that are written, or read, at the same time. */
const WINDOW = 32

/** JanusGraph writes a claim with this value, and nobody reads it. */
const VALUE = new Uint8Array(4)
/** Behind every claim: the time of one begins with a lower byte. */
const END = new Uint8Array(9).fill(255)

interface Held {
  readonly target: LockTarget
  readonly row: Buffer
  /** The claim as it was written. */
  column: Buffer
  time: bigint
}

/** The locks of one transaction of this process are its own until a time of the clock's `elapsed`. */
interface LocalHold {
  readonly until: number
  /** "doubted": it is over, and nobody knows whether what it wrote is there, or will be. */
  state: "held" | "writing" | "doubted"
}

/**
 * Work under locks. It calls `beginWrite` right before it writes, which throws TransactionConflict once the locks are void.
 * When it fails after that with anything but NotApplied, its write may still arrive: then the locks stay until they expire.
 */
type LockedWork<A> = (beginWrite: () => void) => Promise<A>

/**
 * JanusGraph's protocol for locks on cells among processes that share a keyspace: write a claim, wait as long as another's
 * may take to become visible, read all claims; the oldest one that is not void has the lock. Then the cell must hold what
 * was expected. It holds as long as clocks differ by less than the wait minus the time that writes take. Among the
 * transactions of this process a list in memory decides, since all of them claim in one name.
 */
export class Locks {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #options: LockOptions
  readonly #instance: Buffer
  /** Locks of this process. */
  readonly #local = new Map<string, LocalHold>()

  constructor(columns: ColumnStore, clock: Clock, options: LockOptions) {
    this.#columns = columns
    this.#clock = clock
    this.#options = options
    this.#instance = Buffer.from(options.instance, "utf8")
  }

  /**
   * Runs work that changes locked cells. Fails with TransactionConflict, before the work, when another has one of the locks
   * or a cell holds something else than was expected; with StorageUnavailable when a claim could not be written in time; and
   * with what the work fails with.
   */
  async during<A>(targets: ReadonlyArray<LockTarget>, work: LockedWork<A>): Promise<A> {
    if (targets.length === 0) return work(() => undefined)
    const held: Array<Held> = []
    return this.#holding(targets, held, async (hold, begun) => {
      await inWindow(targets, (target) => this.#claim(target, held))
      await this.#clock.sleep(this.#options.wait)
      await inWindow(held, (each) => this.#check(each))
      await inWindow(held, ({ target }) => this.#compare(target))
      const assertHeld = (): void => {
        // By this process's own count: clocks of others may be ahead, and a change takes a moment to arrive.
        if (this.#clock.elapsed() - begun < this.#options.expiry - 2 * this.#options.wait) return
        throw new TransactionConflict(
          `its locks were held for longer than storage.lock.expiry-time=${this.#options.expiry}`
        )
      }
      assertHeld()
      return work(() => {
        assertHeld()
        hold.state = "writing"
      })
    })
  }

  /**
   * The same while this process is the only one: nothing is claimed. Its transactions see to it themselves that none of
   * them overwrites what another writes, as long as they know what that is.
   */
  async alone<A>(targets: ReadonlyArray<LockTarget>, work: LockedWork<A>): Promise<A> {
    if (targets.length === 0) return work(() => undefined)
    const names = targets.map(nameOf)
    const now = this.#clock.elapsed()
    for (const name of names) if (this.#local.get(name)?.state === "doubted") this.#refuse(name, now)
    const hold: LocalHold = { until: now + this.#options.expiry, state: "held" }
    try {
      return await work(() => {
        hold.state = "writing"
      })
    } catch (error) {
      if (hold.state === "writing" && !(error instanceof NotApplied)) this.#doubt(names, hold, now)
      throw error
    }
  }

  /** Takes locks in this process, and gives them back with the claims, unless it is in doubt what the work wrote. */
  async #holding<A>(
    targets: ReadonlyArray<LockTarget>,
    held: ReadonlyArray<Held>,
    work: (hold: LocalHold, begun: number) => Promise<A>
  ): Promise<A> {
    const names = targets.map(nameOf)
    const begun = this.#clock.elapsed()
    const hold: LocalHold = { until: begun + this.#options.expiry, state: "held" }
    this.#takeLocally(names, hold, begun)
    try {
      const done = await work(hold, begun)
      hold.state = "held"
      return done
    } catch (error) {
      if (error instanceof NotApplied) hold.state = "held"
      throw error
    } finally {
      if (hold.state === "writing") this.#doubt(names, hold, begun)
      else {
        await inWindow(held, (each) => this.#release(each))
        for (const name of names) if (this.#local.get(name) === hold) this.#local.delete(name)
      }
    }
  }

  /** It is not known what was written under these locks: nobody has them before they are void. */
  #doubt(names: ReadonlyArray<string>, hold: LocalHold, now: number): void {
    hold.state = "doubted"
    for (const [name, { until }] of this.#local) if (until <= now) this.#local.delete(name)
    for (const name of names) this.#local.set(name, hold)
  }

  #takeLocally(names: ReadonlyArray<string>, hold: LocalHold, now: number): void {
    for (const name of names) this.#refuse(name, now)
    for (const name of names) this.#local.set(name, hold)
  }

  /** Throws TransactionConflict while another transaction of this process has a lock. */
  #refuse(name: string, now: number): void {
    const other = this.#local.get(name)
    if (other === undefined || other.until <= now) return
    throw new TransactionConflict(
      other.state === "doubted"
        ? "it is not known whether an earlier commit of this server has written the same unique value or type, which " +
            `stays locked for another ${Math.ceil((other.until - now) / 1000)} s (storage.lock.expiry-time)`
        : "another transaction of this server is committing the same unique value or type"
    )
  }

  /** Writes a claim; what may have been written is in the list even if it fails. */
  async #claim(target: LockTarget, held: Array<Held>): Promise<void> {
    const row = lockRow(target)
    let claim: Held | undefined
    let took = 0
    for (let attempt = 0; attempt < this.#options.retries; attempt++) {
      const begun = this.#clock.elapsed()
      const time = this.#clock.now()
      const column = this.#claimColumn(time)
      const deletions = claim === undefined ? [] : [claim.column]
      if (claim === undefined) {
        claim = { target, row, column, time }
        held.push(claim)
      } else {
        claim.column = column
        claim.time = time
      }
      const additions = [{ column, value: VALUE }]
      await this.#columns.mutate([{ table: lockTables[target.table], key: row, additions, deletions }], time, "system")
      took = this.#clock.elapsed() - begun
      // Another who was waiting meanwhile may have read before this claim was there.
      if (took <= this.#options.wait) return
    }
    throw new StorageUnavailable(
      `A lock could not be written to ${this.#columns.place} in time: it took ${Math.round(took)} ms, and more than ` +
        `${this.#options.wait} ms are not safe (storage.lock.wait-time, which is the same for all instances).`
    )
  }

  #claimColumn(time: bigint): Buffer {
    const head = Buffer.allocUnsafe(8)
    head.writeBigInt64BE(time)
    return Buffer.concat([head, this.#instance])
  }

  /** Throws unless the claim is the oldest. */
  async #check({ column, row, target }: Held): Promise<void> {
    const query = { table: lockTables[target.table], key: row, end: END }
    const claims = await this.#columns.slice(query, "system")
    const oldest = this.#clock.now() - micros(this.#options.expiry)
    for (const claim of claims) {
      if (sameBytes(claim.column, column)) return
      const bytes = Buffer.from(claim.column.buffer, claim.column.byteOffset, claim.column.length)
      if (bytes.readBigInt64BE(0) < oldest) continue
      const owner = bytes.subarray(8)
      // A claim of this process that was not removed: the list in memory has let this one pass.
      if (sameBytes(owner, this.#instance)) continue
      throw new TransactionConflict(
        `the instance ${owner.toString("utf8")} is committing the same unique value or type`
      )
    }
    throw new StorageUnavailable(
      `A lock was written to ${this.#columns.place} and not there when it was read: writes and reads must meet in one ` +
        "replica (QUORUM)."
    )
  }

  /** Throws unless the cell holds what was read before it was locked. */
  async #compare({ column, expected, key, table }: LockTarget): Promise<void> {
    const [found] = await this.#columns.slice({ table, key, start: column, end: behind(column), limit: 1 }, "system")
    const isSame =
      expected === undefined ? found === undefined : found !== undefined && sameBytes(found.value, expected)
    if (!isSame) throw new TransactionConflict("a unique value, a type or a property that is locked was changed")
  }

  /** A claim that stays is void after a while: failing to remove it is no failure of its own. */
  async #release({ column, row, target, time }: Held): Promise<void> {
    for (let attempt = 0; attempt < this.#options.retries; attempt++) {
      try {
        const now = this.#clock.now()
        // Later than what it removes, also where the clock was set back.
        const timestamp = now > time + 2n ? now : time + 2n
        const mutation = { table: lockTables[target.table], key: row, additions: [], deletions: [column] }
        await this.#columns.mutate([mutation], timestamp, "system")
        return
      } catch {
        // Once more.
      }
    }
  }
}

const nameOf = ({ column, key, table }: LockTarget): string =>
  `${table} ${Buffer.from(key).toString("latin1")} ${key.length} ${Buffer.from(column).toString("latin1")}`

/** The row of the claims of a cell: the length of its key, the key and the column. */
export const lockRow = ({ column, key }: Pick<LockTarget, "key" | "column">): Buffer => {
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(key.length)
  return Buffer.concat([length, key, column])
}

/** The first column behind this one. */
const behind = (column: Uint8Array): Uint8Array => {
  const next = new Uint8Array(column.length + 1)
  next.set(column)
  return next
}

/** Does all of them, some at the same time; fails with the first error once none is under way any more. */
const inWindow = async <A>(items: ReadonlyArray<A>, work: (item: A) => Promise<void>): Promise<void> => {
  let at = 0
  let failure: { readonly error: unknown } | undefined
  const lane = async (): Promise<void> => {
    while (at < items.length && failure === undefined) {
      const item = items[at++]!
      try {
        await work(item)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(WINDOW, items.length) }, lane))
  if (failure !== undefined) throw failure.error
}
