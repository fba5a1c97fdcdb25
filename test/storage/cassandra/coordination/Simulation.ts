import { setImmediate } from "node:timers/promises"
import type {
  Column,
  ColumnMutation,
  ColumnSlice,
  ColumnStore,
  ColumnTable,
  Consistency,
  TimedColumn
} from "../../../../src/storage/cassandra/ColumnStore.ts"
import type { Clock } from "../../../../src/storage/cassandra/coordination/Clock.ts"
import { compareColumns } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { StorageFailure } from "../../../../src/structure/errors/StoreErrors.ts"
import { Random } from "../../../fuzz/Random.ts"

interface Event {
  readonly at: number
  readonly order: number
  readonly happen: () => void
}

/** Simulated time in milliseconds. It advances when every process waits. */
export class SimulatedTime {
  now = 0
  readonly #events: Array<Event> = []
  #order = 0

  at(time: number, happen: () => void): void {
    const event = { at: Math.max(time, this.now), order: this.#order++, happen }
    const behind = this.#events.findIndex((other) => other.at > event.at)
    this.#events.splice(behind === -1 ? this.#events.length : behind, 0, event)
  }

  /** Runs until no process waits, or until a time. */
  async run(until = Number.POSITIVE_INFINITY): Promise<void> {
    for (;;) {
      // First run the continuations of the last event.
      await setImmediate()
      const next = this.#events[0]
      if (next === undefined || next.at > until) return
      this.#events.shift()
      this.now = next.at
      next.happen()
    }
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.at(this.now + milliseconds, resolve))
  }

  /** The clock of a process that is ahead by a number of milliseconds. */
  clock(ahead = 0): Clock {
    let last = 0n
    return {
      now: () => {
        const time = BigInt(Math.floor((1_700_000_000_000 + this.now + ahead) * 1000))
        last = time > last ? time : last + 1n
        return last
      },
      elapsed: () => this.now,
      sleep: (milliseconds) => this.wait(milliseconds)
    }
  }
}

interface Cell {
  readonly column: Uint8Array
  /** Null: removed. */
  readonly value: Uint8Array | null
  readonly written: bigint
  readonly expires: number
}

/** The cells of a keyspace: the write with the latest time wins, a removal over an addition of the same time. */
export class SimulatedKeyspace {
  readonly time: SimulatedTime
  readonly #rows = new Map<string, Map<string, Cell>>()

  constructor(time: SimulatedTime) {
    this.time = time
  }

  apply(mutations: ReadonlyArray<ColumnMutation>, timestamp: bigint): void {
    for (const { additions, deletions, key, table } of mutations) {
      const name = `${table} ${Buffer.from(key).toString("hex")}`
      const row = this.#rows.get(name) ?? new Map<string, Cell>()
      this.#rows.set(name, row)
      const put = (cell: Cell): void => {
        const id = Buffer.from(cell.column).toString("hex")
        const old = row.get(id)
        const isNewer =
          old === undefined || cell.written > old.written || (cell.written === old.written && cell.value === null)
        if (isNewer) row.set(id, cell)
      }
      for (const { column, ttl, value } of additions) {
        const expires = ttl === undefined || ttl === 0 ? Number.POSITIVE_INFINITY : this.time.now + ttl * 1000
        put({ column: Uint8Array.from(column), value: Uint8Array.from(value), written: timestamp | 1n, expires })
      }
      for (const column of deletions) {
        const expires = Number.POSITIVE_INFINITY
        put({ column: Uint8Array.from(column), value: null, written: timestamp & ~1n, expires })
      }
    }
  }

  read({ end, key, limit, reverse, start, table }: ColumnSlice): ReadonlyArray<TimedColumn> {
    const row = this.#rows.get(`${table} ${Buffer.from(key).toString("hex")}`)
    const found: Array<TimedColumn> = []
    for (const { column, expires, value, written } of row?.values() ?? []) {
      if (value === null || expires <= this.time.now) continue
      if (start !== undefined && compareColumns(column, start) < 0) continue
      if (end === undefined || compareColumns(column, end) < 0) found.push({ column, value, written })
    }
    found.sort((a, b) => compareColumns(a.column, b.column))
    if (reverse) found.reverse()
    return limit === undefined ? found : found.slice(0, limit)
  }
}

/** Delays and failures of a process's requests. */
export interface Network {
  /** Milliseconds until a request arrives; also until its answer arrives. */
  readonly delay: () => number
  /** Probability that a request fails: it then arrives late, or never. */
  readonly failures?: number
  /** The table whose requests fail. Default: all tables. */
  readonly failing?: ColumnTable
}

/** What a process has asked for. */
export interface SimulatedRequest {
  readonly kind: "read" | "write"
  readonly table: ColumnTable
  readonly consistency: Consistency
}

/** The keyspace as one process sees it: a request takes time and takes effect at a moment within it. */
export class SimulatedColumns implements ColumnStore {
  readonly location = "the simulated keyspace"
  readonly #keyspace: SimulatedKeyspace
  readonly #network: Network
  readonly #random: Random
  /** Number of mutations. */
  writes = 0
  /** All requests, in their order. A mutation of several rows is a request for each of them. */
  readonly requests: Array<SimulatedRequest> = []
  /** The process has crashed: its requests no longer arrive. */
  crashed = false

  constructor(keyspace: SimulatedKeyspace, network: Network, random: Random) {
    this.#keyspace = keyspace
    this.#network = network
    this.#random = random
  }

  #request<A>(made: ReadonlyArray<SimulatedRequest>, work: () => A): Promise<A> {
    this.requests.push(...made)
    const { failing, failures = 0 } = this.#network
    const mayFail = failing === undefined || made.some(({ table }) => table === failing)
    const { time } = this.#keyspace
    return new Promise((resolve, reject) => {
      if (this.crashed) return
      const arrives = this.#network.delay()
      const answers = this.#network.delay()
      if (this.#random.chance(mayFail ? failures : 0)) {
        if (this.#random.chance(0.5)) time.at(time.now + arrives * 4, () => void work())
        time.at(time.now + arrives + answers, () => reject(new StorageFailure("the simulated request got no answer")))
        return
      }
      time.at(time.now + arrives, () => {
        const answer = work()
        time.at(time.now + answers, () => {
          if (!this.crashed) resolve(answer)
        })
      })
    })
  }

  slice(query: ColumnSlice, consistency: Consistency = "read"): Promise<ReadonlyArray<Column>> {
    return this.#request([{ kind: "read", table: query.table, consistency }], () => this.#keyspace.read(query))
  }

  timedSlice(query: ColumnSlice, consistency: Consistency = "read"): Promise<ReadonlyArray<TimedColumn>> {
    return this.#request([{ kind: "read", table: query.table, consistency }], () => this.#keyspace.read(query))
  }

  mutate(
    mutations: ReadonlyArray<ColumnMutation>,
    timestamp: bigint,
    consistency: Consistency = "write"
  ): Promise<void> {
    this.writes++
    const made = mutations.map(({ table }): SimulatedRequest => ({ kind: "write", table, consistency }))
    return this.#request(made, () => this.#keyspace.apply(mutations, timestamp))
  }

  isAtomic({ additions, deletions }: ColumnMutation): boolean {
    return additions.length + deletions.length <= 20
  }

  /** Tables need not be created. */
  async createTable(): Promise<void> {}
}

/** A simulated process: its clock, and its view of the keyspace. */
export interface SimulatedProcess {
  readonly name: string
  readonly clock: Clock
  readonly columns: SimulatedColumns
  readonly random: Random
}

export interface SimulationOptions {
  readonly processes: number
  /** Clocks are ahead by up to this many milliseconds. */
  readonly skew: number
  readonly network: (random: Random) => Network
}

/** Simulates processes that share a keyspace. The same seed gives the same run. */
export const simulate = (seed: number, options: SimulationOptions) => {
  const time = new SimulatedTime()
  const keyspace = new SimulatedKeyspace(time)
  const processes = Array.from({ length: options.processes }, (_, number): SimulatedProcess => {
    const random = new Random(seed, number)
    const columns = new SimulatedColumns(keyspace, options.network(random), random)
    return { name: `process-${number}`, clock: time.clock(random.next() * options.skew), columns, random }
  })
  return { time, keyspace, processes }
}
