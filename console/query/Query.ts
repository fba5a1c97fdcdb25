import { signal } from "@preact/signals"
import { evaluate, type Job, source } from "../shell/Server.ts"
import { remember } from "../shell/Storage.ts"
import { texts } from "../texts.ts"
import { parseWritten, typed } from "../wire/Decode.ts"
import { OWN_SOURCE, type ServerFailure } from "../wire/Requests.ts"
import type { Value } from "../wire/Values.ts"
import { changingCall, endedBy, onlyReads, scriptOn, traversalOf, withOwnLine } from "./Script.ts"
import { beginsTransaction, endsTransaction, forgetSession, noteLoss, session, sessionSource, warn } from "./Session.ts"

/** A variable of the query, as the form has it. */
interface Binding {
  readonly name: string
  /** JSON, or a string without quotes. */
  readonly value: string
}

/** What a run returns: results, a plan, or times. */
export type RunKind = "results" | "explain" | "profile"

/** The state of the last run. */
export interface Run {
  readonly kind: RunKind
  readonly state: "running" | "done" | "stopped" | "failed"
  /** Milliseconds. */
  readonly elapsed: number
  readonly error: string
  /** Results so far. The array grows while the run streams; `count` says how far. */
  readonly values: Array<Value>
  readonly count: number
  /** Results that came after the page had {@link MAX_KEPT_RESULTS}. They are not kept. */
  readonly dropped: number
  /** Milliseconds of the same traversal without profile(). */
  readonly plain?: number
}

const FIRST_TEXT = "g.V().limit(25)"

/** The text of the editor. */
export const text = signal(FIRST_TEXT)
/** Values of variables of the query. */
export const bindings = signal<ReadonlyArray<Binding>>([])
/** Whether the server refuses changes by the query. */
export const isReadOnly = signal(false)
/** The last query; null before the first. */
export const run = signal<Run | null>(null)
/** Results that the page keeps: millions would end it. A query is not stopped by that, because it may change the graph. */
const MAX_KEPT_RESULTS = 100_000

/** Results in one message: small ones keep each task of the page short. */
const RESULTS_PER_MESSAGE = 256

let job: Pick<Job, "cancel"> | null = null
let frame = 0

/** The bindings in GraphSON. A value that is not JSON is a text. */
const boundValues = (): Record<string, unknown> => {
  const values: Record<string, unknown> = {}
  for (const { name, value } of bindings.value) {
    if (name === "") continue
    try {
      values[name] = typed(parseWritten(value))
    } catch {
      values[name] = value
    }
  }
  return values
}

const refuse = (kind: RunKind, error: string): void => {
  run.value = { kind, state: "failed", elapsed: 0, error, values: [], count: 0, dropped: 0 }
}

/** Runs the query of the editor. A query that runs is stopped first. */
export const start = (kind: RunKind = "results"): void => {
  stop()
  const script = text.value
  if (script.trim() === "") return
  const call = isReadOnly.value ? changingCall(script) : undefined
  if (call !== undefined) return refuse(kind, texts.query.readOnlyRefused(call))
  const traversal = kind === "results" ? script : traversalOf(script)
  if (traversal === undefined) return refuse(kind, texts.query.notProfiled)
  remember(script)
  if (kind === "profile") void profileWithoutMeasuring(traversal)
  else perform(kind, kind === "explain" ? endedBy(traversal, "explain") : traversal)
}

/** Measures a traversal without profile(), and then runs it with profile(). */
const profileWithoutMeasuring = (traversal: string): void => {
  const begun = performance.now()
  if (changingCall(traversal) !== undefined) return perform("profile", endedBy(traversal, "profile"))
  perform("profile", endedBy(traversal, "iterate"), () => {
    const plain = performance.now() - begun
    perform("profile", endedBy(traversal, "profile"), undefined, plain)
  })
}

const perform = (kind: RunKind, script: string, then?: () => void, plain?: number): void => {
  const begun = performance.now()
  const values: Array<Value> = []
  let dropped = 0
  const show = (state: Run["state"], error = ""): void => {
    cancelAnimationFrame(frame)
    frame = 0
    const elapsed = performance.now() - begun
    const counts = { count: values.length, dropped }
    run.value = { kind, state, elapsed, error, values, ...counts, ...(plain === undefined ? {} : { plain }) }
  }
  const tick = (): void => {
    frame = requestAnimationFrame(() => {
      show("running")
      tick()
    })
  }
  show("running")
  tick()
  let isStopped = false
  const [own, on] = [session.value, session.value === null ? source.value : sessionSource()]
  const bound = boundValues()
  const isRead = onlyReads(script, new Set(Object.keys(bound)))
  const gremlin = scriptOn(script, own, isReadOnly.value)
  const inSession = own === null ? {} : { session: own }
  const running = evaluate(
    { gremlin, source: on, bindings: bound, batchSize: RESULTS_PER_MESSAGE, ...inSession },
    {
      data: (more) => {
        if (isStopped) return
        const kept = more.slice(0, MAX_KEPT_RESULTS - values.length)
        for (const value of kept) values.push(value)
        dropped += more.length - kept.length
      },
      done: (warnings) => {
        warn(warnings)
        // A query that was stopped too late has run.
        if (own !== null && own === session.value) beginsTransaction(on, isRead)
        if (isStopped) return
        job = null
        if (then === undefined) show("done")
        else then()
      },
      failed: (error: ServerFailure) => {
        noteLoss(error, own)
        if (isStopped) return
        job = null
        show("failed", gremlin === script ? error.message : withOwnLine(error.message))
      }
    }
  )
  job = {
    cancel: () => {
      isStopped = true
      running.cancel()
      show("stopped")
    }
  }
}

/** Cancels the running query on the server. */
export const stop = (): void => {
  const running = job
  job = null
  running?.cancel()
}

/** Ends and forgets the last run: what it shows is for a user who may see it. */
export const forgetRun = (): void => {
  stop()
  run.value = null
}

/** Forgets the query, the last run and the session: the user has left. */
export const forgetQuery = (): void => {
  forgetRun()
  text.value = FIRST_TEXT
  bindings.value = []
  isReadOnly.value = false
  if (SHARED.test(location.hash)) history.replaceState(null, "", location.href.split("#")[0])
  forgetSession()
}

/** The method of a transaction that a button calls. */
const methods = { begin: "open", commit: "commit", rollback: "rollback" } as const

/** Begins, commits or rolls back the transaction of the session. A query begins one by itself. */
export const control = (how: keyof typeof methods): void => {
  const [own, on] = [session.value, sessionSource()]
  if (own === null) return
  evaluate(
    { gremlin: `${OWN_SOURCE}.tx().${methods[how]}()`, source: on, session: own },
    {
      data: () => {},
      done: (warnings) => {
        warn(warnings)
        if (own !== session.value) return
        if (how === "begin") beginsTransaction(on, false)
        else endsTransaction()
      },
      failed: (error) => {
        noteLoss(error, own)
        refuse("results", error.message)
      }
    }
  )
}

/** The part of an address that has a query. */
const SHARED = /^#q=(.*)$/

/** The address of this page with the query. The query is after `#`, which browsers do not send. */
export const shareAddress = (): string => `${location.href.split("#")[0]}#q=${encodeURIComponent(text.value)}`

/** Takes the query of the address into the editor. It is not run: another person may have written the address. */
export const readSharedQuery = (): void => {
  const shared = SHARED.exec(location.hash)?.[1]
  if (shared === undefined) return
  try {
    text.value = decodeURIComponent(shared)
  } catch {
    // A broken address has no query.
  }
}
