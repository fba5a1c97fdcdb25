import { computed, signal } from "@preact/signals"
import { about, messageOf, readJson, readText } from "../shell/Server.ts"
import { type Interval, intervalMoment, type Moment, momentOf, type Reading, readingOf } from "./Metrics.ts"

/** A running query, as `/gremlin/status` lists it. */
export interface RunningQuery {
  readonly requestId: string
  readonly state: string
  /** Milliseconds. */
  readonly elapsed: number
  readonly user: string
  readonly step: string
  readonly request: string
}

/** A query that took long, after its end. */
export interface SlowQuery {
  readonly requestId: string
  readonly user: string
  /** By the clock of the server, ms since 1970. */
  readonly endedAt: number
  /** Milliseconds. */
  readonly elapsed: number
  /** 0 when the client closed the connection first. */
  readonly status: number
  readonly rows: number
  readonly request: string
}

/** What `/console/recent` answers. */
interface Recent {
  readonly now: number
  readonly intervals: ReadonlyArray<Interval>
  readonly slow: ReadonlyArray<SlowQuery>
}

const POLL_INTERVAL_MS = 2_000
const RECENT_INTERVAL_MS = 10_000
const HISTORY_MS = 600_000

/** The last ten minutes, as the server counted them. */
const history = signal<ReadonlyArray<Moment>>([])
/** What the page saw in the last ten minutes. Only this has the delay of the event loop. */
export const seen = signal<ReadonlyArray<Moment>>([])
/** The last ten minutes: the intervals of the server, and what the page saw since the last of them. */
export const moments = computed(() => {
  const end = history.value.at(-1)?.at ?? 0
  return [...history.value, ...seen.value.filter(({ at, span }) => at - span / 2 > end)]
})
/** The queries that run now. */
export const queries = signal<ReadonlyArray<RunningQuery>>([])
/** Queries of the last ten minutes that took long, the newest first. */
export const slow = signal<ReadonlyArray<SlowQuery>>([])
/** Why the server does not answer; empty while it does. */
export const problem = signal("")

let timer = 0
let lastReading: Reading | undefined
let recentAt = 0

/** Begins to watch the server. It continues while the console is open. */
export const watch = (): void => {
  if (timer !== 0) return
  timer = window.setInterval(() => void look(), POLL_INTERVAL_MS)
  void look()
}

/** Forgets what a user saw, when the user has logged out. */
export const forgetWatched = (): void => {
  seen.value = []
  history.value = []
  queries.value = []
  slow.value = []
  problem.value = ""
  lastReading = undefined
  recentAt = 0
}

/** Reads the metrics and the running queries once. */
export const look = async (): Promise<void> => {
  const user = about.value
  if (document.hidden || user === null) return
  try {
    const [metrics, status] = await Promise.all([readText("metrics"), readJson("gremlin/status")])
    if (about.value !== user) return
    const now = Date.now()
    const reading = readingOf(metrics, now)
    seen.value = [...seen.value.filter(({ at }) => now - at < HISTORY_MS), momentOf(reading, lastReading)]
    lastReading = reading
    const running = (status as { readonly queries: ReadonlyArray<RunningQuery> }).queries
    const ids = new Set(running.map(({ requestId }) => requestId))
    const hasEnded = queries.value.some(({ requestId }) => !ids.has(requestId))
    queries.value = running
    if (hasEnded || now - recentAt >= RECENT_INTERVAL_MS) await lookBack(user)
    problem.value = ""
  } catch (error) {
    if (about.value === user) problem.value = messageOf(error)
  }
}

/** Reads what the server did in the last ten minutes, also before the page was open. */
const lookBack = async (user: typeof about.value): Promise<void> => {
  const recent = (await readJson("console/recent")) as Recent
  if (about.value !== user) return
  recentAt = Date.now()
  history.value = recent.intervals.map((interval) => intervalMoment(interval, recentAt - recent.now))
  slow.value = recent.slow
}
