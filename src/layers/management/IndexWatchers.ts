import { TraversalError } from "../../process/language/Errors.ts"
import { Pending } from "../../scheduling/Pending.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { statusOf } from "../../storage/janusgraph/management/IndexStatus.ts"
import type { Schema } from "../../storage/janusgraph/schema/Schema.ts"
import { Duration } from "../../structure/times/Temporal.ts"
import { timeUnitNanos, unitNanos } from "../../structure/times/TimeUnits.ts"
import { constantOf, numberOf, ScriptObject, Waiting } from "./ScriptObject.ts"
import { reportObject } from "./StatusReport.ts"

/** Milliseconds between two checks of an index that another process builds, unless pollInterval() sets another time. */
const POLL_INTERVAL_MS = 500

/**
 * A timer lives no longer, so that a long wait of a request that has ended holds nothing. It is also far below the longest delay of
 * setTimeout().
 */
const PART_MS = 100

/** Nanoseconds of the constants of ChronoUnit with an exact length, and of TimeUnit. */
const unitsNanos = new Map([...Object.entries(unitNanos), ...Object.entries(timeUnitNanos)])

/**
 * The milliseconds of `timeout(5, ChronoUnit.SECONDS)` or `pollInterval(Duration.ofSeconds(5))`. Fails with TraversalError for a unit
 * without an exact length.
 */
const millisecondsOf = (method: string, amount: unknown, unit: unknown): number => {
  if (amount instanceof Duration && unit === undefined) return Number(amount.seconds) * 1000 + amount.nanos / 1_000_000
  const name = constantOf(unit, ["ChronoUnit", "TimeUnit"], method)
  const nanos = unitsNanos.get(name)
  if (nanos !== undefined) return (numberOf(amount, method) * Number(nanos)) / Number(unitNanos.MILLIS)
  throw new TraversalError(
    `${method}() does not know the unit ${name}: it takes one with an exact length, such as ChronoUnit.SECONDS.`
  )
}

/** `ManagementSystem.awaitGraphIndexStatus(graph, 'x')`. */
export const graphIndexWatcher = (graph: CellGraph, name: string): ScriptObject =>
  statusWatcher(graph, { name, base: undefined }, ({ indexes }) => indexes.find((each) => each.name === name)?.id)

/** `ManagementSystem.awaitRelationIndexStatus(graph, 'x', 'knows')`. */
export const relationIndexWatcher = (graph: CellGraph, name: string, base: string): ScriptObject =>
  statusWatcher(graph, { name, base }, (schema) => {
    const type = schema.keys.get(base) ?? schema.labels.get(base)
    const full = `${type?.id}:${name}`
    return schema.relationIndexes.find((each) => each.type.name === full)?.type.id
  })

/** An index that a watcher waits for. */
interface WatchedIndex {
  readonly name: string
  /** The edge label or property key of a vertex-centric index. */
  readonly base: string | undefined
}

/** What a script wants of a watcher. */
interface Wanted {
  statuses: ReadonlyArray<string>
  /** The statuses as the report names them. */
  named: ReadonlyArray<string>
  timeoutMs: number
  pollMs: number
}

/**
 * JanusGraph's watcher: call() waits until the index has one of the wanted statuses, without a limit unless timeout() sets
 * one. An index that is being built is REGISTERED from the start; call() waits until it can be used.
 */
const statusWatcher = (
  graph: CellGraph,
  watched: WatchedIndex,
  find: (schema: Schema) => number | undefined
): ScriptObject => {
  const wanted: Wanted = {
    // JanusGraph waits for REGISTERED, which a build follows. Here the build has begun, so that the watcher waits for its end.
    statuses: ["ENABLED"],
    named: ["REGISTERED"],
    timeoutMs: Number.POSITIVE_INFINITY,
    pollMs: POLL_INTERVAL_MS
  }
  const begun = performance.now()
  const watcher: ScriptObject = new ScriptObject("index status watcher", graph.name, null, {
    status: (statuses) => {
      wanted.statuses = statuses.map((status) => constantOf(status, ["SchemaStatus"], "status"))
      wanted.named = wanted.statuses
      return watcher
    },
    timeout: ([amount, unit]) => {
      wanted.timeoutMs = millisecondsOf("timeout", amount, unit)
      return watcher
    },
    pollInterval: ([amount, unit]) => {
      wanted.pollMs = millisecondsOf("pollInterval", amount, unit)
      if (wanted.pollMs > 0) return watcher
      throw new TraversalError("pollInterval() takes a time that is greater than 0, such as 500, ChronoUnit.MILLIS.")
    },
    call: () => new IndexWait(graph, watched, find, wanted, begun).waiting
  })
  return watcher
}

/** A wait for the status of an index. It has parts, so that nothing goes on when the request of the script has ended. */
class IndexWait {
  readonly #graph: CellGraph
  readonly #watched: WatchedIndex
  readonly #find: (schema: Schema) => number | undefined
  readonly #wanted: Wanted
  readonly #begun: number
  #report: ScriptObject | undefined
  #building: Promise<void> | undefined
  /** When the index is to be checked again, `performance.now()`. */
  #checkAt = 0

  constructor(
    graph: CellGraph,
    watched: WatchedIndex,
    find: (schema: Schema) => number | undefined,
    wanted: Wanted,
    begun: number
  ) {
    this.#graph = graph
    this.#watched = watched
    this.#find = find
    this.#wanted = wanted
    this.#begun = begun
  }

  /** The result of `call()`. */
  get waiting(): Waiting {
    return new Waiting({
      later: Pending.fromPromise(this.#check()),
      value: () => this.#report?.host,
      rest: () => (this.#report === undefined ? Pending.fromPromise(this.#part()) : undefined)
    })
  }

  async #part(): Promise<void> {
    const partMs = Math.min(PART_MS, this.#checkAt - performance.now())
    const isBuilt = await endsWithin(partMs, this.#building)
    if (isBuilt || performance.now() >= this.#checkAt) await this.#check()
  }

  /** Makes the report if the wait is over. Fails if there is no such index, or if its build has failed. */
  async #check(): Promise<void> {
    const { management } = this.#graph
    const { named, pollMs, statuses, timeoutMs } = this.#wanted
    const { name } = this.#watched
    const schema = await management.schema()
    const id = this.#find(schema)
    const status = id === undefined ? undefined : statusOf(schema, id)
    const failure = management.failure(id ?? name)
    this.#building = id === undefined ? undefined : management.done(id)
    const isWaiting = status === undefined || status === "REGISTERED"
    if (failure !== undefined && this.#building === undefined && isWaiting) throw failure
    if (status === undefined && !statuses.includes("DISCARDED")) {
      throw new TraversalError(`There is no index ${name} in the graph ${this.#graph.name}.`)
    }
    const now = performance.now()
    const elapsedMs = now - this.#begun
    const success = status === undefined || meets(status, statuses)
    this.#checkAt = now + Math.min(pollMs, timeoutMs - elapsedMs)
    if (!success && elapsedMs < timeoutMs) return
    const keys = schema.indexes.find((each) => each.id === id)?.fields.map((key) => key.name) ?? []
    const known = status ?? "DISCARDED"
    const report = { ...this.#watched, keys, success, wanted: named, status: known, elapsedMs }
    this.#report = reportObject(this.#graph, report)
  }
}

/** What waits for the end of each build. A promise keeps all its reactions until it settles, and each part of a wait would add some. */
const waiters = new WeakMap<Promise<void>, Set<(isEnd: boolean) => void>>()

const waitersOf = (work: Promise<void>): Set<(isEnd: boolean) => void> => {
  const known = waiters.get(work)
  if (known !== undefined) return known
  const added = new Set<(isEnd: boolean) => void>()
  const wake = (): void => {
    // One that comes after the end must be woken, too.
    waiters.delete(work)
    for (const end of added) end(true)
  }
  work.then(wake, wake)
  waiters.set(work, added)
  return added
}

/** Waits until the work ends or the time has passed; true for its end. Fails with the error of the work. */
const endsWithin = (milliseconds: number, work: Promise<void> | undefined): Promise<boolean> =>
  new Promise((resolve) => {
    const others = work === undefined ? undefined : waitersOf(work)
    const end = (isEnd: boolean): void => {
      clearTimeout(timer)
      others?.delete(end)
      resolve(isEnd ? work!.then(() => true) : false)
    }
    const timer = setTimeout(end, milliseconds, false)
    others?.add(end)
  })

/** An enabled index also counts as registered and as installed. */
const meets = (status: string, wanted: ReadonlyArray<string>): boolean =>
  wanted.includes(status) || (status === "ENABLED" && (wanted.includes("REGISTERED") || wanted.includes("INSTALLED")))
