import { StorageUnavailable, TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import { sameBytes } from "../../janusgraph/cells/Cells.ts"
import { after } from "../../janusgraph/schema/SchemaRead.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import { inWindow } from "../ConcurrentWork.ts"
import { NotApplied, notClaimed } from "../Failures.ts"
import { type Clock, micros, timeBytes } from "./Clock.ts"
import { EndedSiblings, noSiblings, type SiblingEnds } from "./EndedSiblings.ts"
import { type LockTarget, lockRow, lockTables, nameOf } from "./LockTargets.ts"

/** Options of the lock protocol. All of them except `instance` must be equal in all instances that share the keyspace. */
export interface LockOptions {
  readonly instance: string
  /**
   * Longest time that the write of a claim may take, and the time before claims are read, ms (`storage.lock.wait-time`).
   */
  readonly wait: number
  /** Milliseconds after which a claim expires (`storage.lock.expiry-time`). */
  readonly expiry: number
  /** Attempts to write a claim in time (`storage.lock.retries`). */
  readonly retries: number
  /** The workers of the same server. Default: there are none. */
  readonly siblings?: SiblingEnds
}

/** Claims that are written or read concurrently. */
const CLAIMS_IN_FLIGHT = 32

/** The value that JanusGraph writes for a claim. It has no meaning. */
const CLAIM_VALUE = new Uint8Array(4)
/** A column that sorts after every claim, because the first byte of a claim's time is lower. */
const CLAIMS_END = new Uint8Array(9).fill(255)

/** A claim that was written, or whose failed write may have been applied. */
interface Claim {
  readonly target: LockTarget
  readonly row: Buffer
  /**
   * The columns to remove with the claim. The last one is that of the claim. The others are of workers that have ended, and of earlier
   * attempts to write the claim: a failed attempt may have left its column.
   */
  readonly columns: Array<Buffer>
  /** The time of the last attempt. */
  time: bigint
}

/** The locks of one transaction within this process. `until` is a time of the clock's elapsed(). */
interface LocalHold {
  readonly until: number
  /** "uncertain": the transaction has ended with an unknown outcome. Its write may have been applied, or may be applied later. */
  state: "held" | "writing" | "uncertain"
}

/**
 * Work under locks. It calls `beginWrite` directly before it writes; `beginWrite` throws TransactionConflict when the locks
 * have expired. When the work fails after that call with any error but NotApplied, its write may still arrive, so the locks
 * are kept until they expire.
 */
type LockedWork<A> = (beginWrite: () => void) => Promise<A>

/**
 * JanusGraph's lock protocol among processes that share a keyspace. An instance writes a claim, waits until concurrent claims must
 * be visible, and reads all claims. The oldest claim that has not expired holds the lock. The instance then checks that the cell
 * has the expected value. The protocol is correct as long as clocks differ by less than the wait minus the duration of a write.
 * All transactions of this process claim under one name, so a map in memory decides among them.
 */
export class Locks {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #options: LockOptions
  readonly #instance: Buffer
  readonly #ended: EndedSiblings
  /** Locks held within this process, by cell. */
  readonly #local = new Map<string, LocalHold>()

  constructor(columns: ColumnStore, clock: Clock, options: LockOptions) {
    this.#columns = columns
    this.#clock = clock
    this.#options = options
    this.#instance = Buffer.from(options.instance, "utf8")
    this.#ended = new EndedSiblings(options.siblings ?? noSiblings, clock)
  }

  /**
   * Runs work under locks. Fails with TransactionConflict, before the work, if another transaction holds one of the locks or a
   * cell does not have the expected value. Fails with StorageUnavailable if a claim could not be written in time. Fails with the
   * error of the work if the work fails.
   */
  async during<A>(targets: ReadonlyArray<LockTarget>, work: LockedWork<A>): Promise<A> {
    if (targets.length === 0) return work(() => undefined)
    const held: Array<Claim> = []
    return this.#holding(targets, held, async (hold, begun) => {
      await inWindow(targets, CLAIMS_IN_FLIGHT, (target) => this.#claim(target, held))
      await this.#clock.sleep(this.#options.wait)
      await inWindow(held, CLAIMS_IN_FLIGHT, (each) => this.#check(each))
      await inWindow(held, CLAIMS_IN_FLIGHT, ({ target }) => this.#compare(target))
      const assertHeld = (): void => {
        // Measured with the clock of this process. Twice the wait is subtracted: once for clocks of others that are ahead, and
        // once for the duration of the write.
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
   * As during(), but for the only instance of a keyspace. It writes no claims. Commits of one process detect conflicts with each
   * other, except with a commit whose outcome is unknown. Only a commit with an unknown outcome leaves local locks.
   */
  async alone<A>(targets: ReadonlyArray<LockTarget>, work: LockedWork<A>): Promise<A> {
    if (targets.length === 0) return work(() => undefined)
    const names = targets.map(nameOf)
    const now = this.#clock.elapsed()
    for (const name of names) if (this.#local.get(name)?.state === "uncertain") this.#refuse(name, now)
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

  /**
   * Takes the locks within this process, and releases them and the claims afterwards, unless the outcome of the work is
   * unknown.
   */
  async #holding<A>(
    targets: ReadonlyArray<LockTarget>,
    held: ReadonlyArray<Claim>,
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
        await inWindow(held, CLAIMS_IN_FLIGHT, (each) => this.#release(each))
        for (const name of names) if (this.#local.get(name) === hold) this.#local.delete(name)
      }
    }
  }

  /** Keeps locks whose work has an unknown outcome until they expire. */
  #doubt(names: ReadonlyArray<string>, hold: LocalHold, now: number): void {
    hold.state = "uncertain"
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
      other.state === "uncertain"
        ? "an earlier commit of this server has an unknown outcome and may have written the same unique value or type, which " +
            `stays locked for another ${Math.ceil((other.until - now) / 1000)} s (storage.lock.expiry-time)`
        : "another transaction of this server is committing the same unique value or type"
    )
  }

  /** Writes a claim. It is added to `held` before the write, because a failed write may have been applied. */
  async #claim(target: LockTarget, held: Array<Claim>): Promise<void> {
    const row = lockRow(target)
    let claim: Claim | undefined
    let took = 0
    for (let attempt = 0; attempt < this.#options.retries; attempt++) {
      const begun = this.#clock.elapsed()
      const time = this.#clock.now()
      const column = this.#claimColumn(time)
      const deletions: ReadonlyArray<Buffer> = claim === undefined ? [] : [...claim.columns]
      if (claim === undefined) {
        claim = { target, row, columns: [column], time }
        held.push(claim)
      } else {
        claim.columns.push(column)
        claim.time = time
      }
      const additions = [{ column, value: CLAIM_VALUE }]
      const mutation = { table: lockTables[target.table], key: row, additions, deletions }
      await this.#columns.mutate([mutation], time, "system").catch((cause: unknown) => {
        throw notClaimed(cause)
      })
      took = this.#clock.elapsed() - begun
      // A slower write does not count: another instance may have read the claims before this one was visible.
      if (took <= this.#options.wait) return
    }
    throw new StorageUnavailable(
      `A lock could not be written to ${this.#columns.location} in time: the write took ${Math.round(took)} ms, and the limit is ` +
        `${this.#options.wait} ms (storage.lock.wait-time, which must be the same for all instances).`
    )
  }

  #claimColumn(time: bigint): Buffer {
    return Buffer.concat([timeBytes(time), this.#instance])
  }

  /**
   * Throws unless the claim is the oldest one that has not expired. The claim of a worker of this server that has ended does not count.
   * If there is one, waits until no write of that worker can arrive.
   */
  async #check({ columns, row, target, time }: Claim): Promise<void> {
    // Cassandra would skip the tombstones of all earlier claims one by one, and refuses to read a row with too many of them.
    const start = timeBytes(time - micros(this.#options.expiry))
    const query = { table: lockTables[target.table], key: row, start, end: CLAIMS_END }
    const claims = await this.#columns.slice(query, "system")
    const at = claims.findIndex((claim) => sameBytes(claim.column, columns.at(-1)!))
    const oldest = this.#clock.now() - micros(this.#options.expiry)
    let wait = 0
    const dead: Array<Buffer> = []
    for (const claim of at < 0 ? claims : claims.slice(0, at)) {
      const bytes = Buffer.from(claim.column.buffer, claim.column.byteOffset, claim.column.length)
      if (bytes.readBigInt64BE(0) < oldest) continue
      const owner = bytes.subarray(8)
      // An older claim of this process that was not removed. The map in memory has already decided.
      if (sameBytes(owner, this.#instance)) continue
      const name = owner.toString("utf8")
      const left = this.#ended.msLeft(name)
      if (left === undefined) {
        throw new TransactionConflict(`the instance ${name} is committing the same unique value or type`)
      }
      wait = Math.max(wait, left)
      dead.push(Buffer.from(bytes))
    }
    if (at < 0) {
      throw new StorageUnavailable(
        `A lock was written to ${this.#columns.location} but not found when it was read: reads and writes must share a ` +
          "replica (QUORUM)."
      )
    }
    if (wait > 0) await this.#clock.sleep(wait)
    // Other servers do not know that they have ended. Until now, their writes could arrive, so their claims must not be removed.
    columns.unshift(...dead)
  }

  /** Throws unless the cell has the value that was read before it was locked. */
  async #compare({ column, expected, key, table }: LockTarget): Promise<void> {
    const [found] = await this.#columns.slice({ table, key, start: column, end: after(column), limit: 1 }, "system")
    const isSame =
      expected === undefined ? found === undefined : found !== undefined && sameBytes(found.value, expected)
    if (!isSame) throw new TransactionConflict("a unique value, a type or a property that is locked was changed")
  }

  /** Removes a claim. A failure is ignored, because the claim expires. */
  async #release({ columns, row, target, time }: Claim): Promise<void> {
    for (let attempt = 0; attempt < this.#options.retries; attempt++) {
      try {
        const now = this.#clock.now()
        // Later than the claim, even when the clock was set back.
        const timestamp = now > time + 2n ? now : time + 2n
        const mutation = { table: lockTables[target.table], key: row, additions: [], deletions: columns }
        await this.#columns.mutate([mutation], timestamp, "system")
        return
      } catch {
        // Retried.
      }
    }
  }
}
