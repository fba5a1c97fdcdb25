import { effect, signal } from "@preact/signals"
import { closeSession, evaluate, type Job, lostConnections, source } from "../shell/Server.ts"
import { remember } from "../shell/Storage.ts"
import { texts } from "../texts.ts"
import { parseJson, typed } from "../wire/Decode.ts"
import type { ServerFailure } from "../wire/Requests.ts"
import type { Value } from "../wire/Values.ts"
import { changingCall, endedBy, readOnlyScript, traversalOf, withOwnLine } from "./Script.ts"

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
  /** Milliseconds of the same traversal without profile(). */
  readonly plain?: number
}

/** The text of the editor. */
export const text = signal("g.V().limit(25)")
/** Values of variables of the query. */
export const bindings = signal<ReadonlyArray<Binding>>([])
/** Whether the server refuses changes by the query. */
export const isReadOnly = signal(false)
/** The last query; null before the first. */
export const run = signal<Run | null>(null)
/** Id of the open session; null without one. */
export const session = signal<string | null>(null)
/** Whether a query ran in the session since the last commit or rollback. */
export const isDirty = signal(false)
/** Whether the last session ended because its connection broke. */
export const hasLostSession = signal(false)

/** Results in one message: small ones keep each task of the page short. */
const RESULTS_PER_MESSAGE = 256

let job: Job | null = null
let frame = 0

/** The bindings in GraphSON. A value that is not JSON is a text. */
const boundValues = (): Record<string, unknown> => {
  const values: Record<string, unknown> = {}
  for (const { name, value } of bindings.value) {
    if (name === "") continue
    try {
      values[name] = typed(parseJson(value))
    } catch {
      values[name] = value
    }
  }
  return values
}

const refuse = (kind: RunKind, error: string): void => {
  run.value = { kind, state: "failed", elapsed: 0, error, values: [], count: 0 }
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
  const show = (state: Run["state"], error = ""): void => {
    cancelAnimationFrame(frame)
    frame = 0
    const elapsed = performance.now() - begun
    run.value = { kind, state, elapsed, error, values, count: values.length, ...(plain === undefined ? {} : { plain }) }
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
  const inSession = session.value === null ? {} : { session: session.value }
  const gremlin = isReadOnly.value ? readOnlyScript(script) : script
  const running = evaluate(
    { gremlin, source: source.value, bindings: boundValues(), batchSize: RESULTS_PER_MESSAGE, ...inSession },
    {
      data: (more) => {
        for (const value of more) values.push(value)
      },
      done: () => {
        if (isStopped) return
        job = null
        if (session.value !== null) isDirty.value = true
        if (then === undefined) show("done")
        else then()
      },
      failed: (error: ServerFailure) => {
        if (isStopped) return
        job = null
        show("failed", isReadOnly.value ? withOwnLine(error.message) : error.message)
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

/** Forgets the last run and the session: the user has logged out. */
export const forgetRun = (): void => {
  stop()
  run.value = null
  session.value = null
  isDirty.value = false
  hasLostSession.value = false
}

/** Ends the session of a connection that has broken: the server has ended it, too. */
export const followConnection = (): void => {
  effect(() => {
    if (lostConnections.value === 0 || session.peek() === null) return
    session.value = null
    isDirty.value = false
    hasLostSession.value = true
  })
}

/** Opens a session, or ends the open one. */
export const toggleSession = (): void => {
  if (session.value !== null) closeSession(session.value)
  session.value = session.value === null ? `console-${Math.random().toString(36).slice(2)}` : null
  isDirty.value = false
  hasLostSession.value = false
}

/** The method of a transaction that a button calls. */
const methods = { begin: "open", commit: "commit", rollback: "rollback" } as const

/** Begins, commits or rolls back the transaction of the session. A query begins one by itself. */
export const control = (how: keyof typeof methods): void => {
  if (session.value === null) return
  evaluate(
    { gremlin: `g.tx().${methods[how]}()`, source: source.value, session: session.value },
    {
      data: () => {},
      done: () => {
        isDirty.value = how === "begin"
      },
      failed: (error) => refuse("results", error.message)
    }
  )
}

/** The address of this page with the query. The query is after `#`, which browsers do not send. */
export const shareAddress = (): string => `${location.href.split("#")[0]}#q=${encodeURIComponent(text.value)}`

/** Takes the query of the address into the editor. It is not run: another person may have written the address. */
export const readSharedQuery = (): void => {
  const shared = /^#q=(.*)$/.exec(location.hash)?.[1]
  if (shared === undefined) return
  try {
    text.value = decodeURIComponent(shared)
  } catch {
    // A broken address has no query.
  }
}
