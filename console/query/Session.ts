import { effect, signal } from "@preact/signals"
import { closeSession, collect, evaluate, lostConnections, source } from "../shell/Server.ts"
import { OWN_SOURCE, ServerFailure } from "../wire/Requests.ts"
import type { Value } from "../wire/Values.ts"

/** Id of the open session; null without one. */
export const session = signal<string | null>(null)
/** Whether a query ran in the session since the last commit or rollback. */
export const isDirty = signal(false)
/** Whether the open transaction may have changes, or was begun by the user: the user must say how it ends. */
export const mayHaveChanged = signal(false)
/** Whether the last session ended because its connection broke. */
export const hasLostSession = signal(false)
/** Why the server has rolled back the transaction of the session; empty if it has not. The user must roll back before a commit. */
export const lostTransaction = signal("")

/** What the server said of the last success; empty if it said nothing. */
export const warning = signal("")

/** Shows what the server said of a success. */
export const warn = (warnings: ReadonlyArray<string>): void => {
  warning.value = warnings.join(" ")
}

/** The traversal source of the transaction that may be open. */
let transactionSource = ""

/** The traversal source of the transaction of the session: that of its first query, or the chosen one. */
export const sessionSource = (): string => (isDirty.value ? transactionSource : source.value)

/** A query has run in the session, on a traversal source. A transaction may be open. `isRead`: the query has only read. */
export const beginsTransaction = (on: string, isRead: boolean): void => {
  if (!isDirty.value) transactionSource = on
  isDirty.value = true
  if (!isRead) mayHaveChanged.value = true
}

/** The transaction of the session has ended with a commit or a rollback. */
export const endsTransaction = (): void => {
  isDirty.value = false
  mayHaveChanged.value = false
  lostTransaction.value = ""
}

/** The errors of a transaction that the server has rolled back by itself. */
const LOSSES: ReadonlySet<string> = new Set(["TransactionExpired", "TransactionLost", "SessionEnded"])

/**
 * Shows that the transaction of a session is lost, if an error of a request says so. The server says it once: the next commit would
 * succeed, without the changes.
 */
export const noteLoss = (error: unknown, of: string | null): void => {
  if (of === null || of !== session.value || !isDirty.value) return
  if (error instanceof ServerFailure && error.exceptions.some((name) => LOSSES.has(name))) {
    lostTransaction.value = error.message
  }
}

/**
 * Evaluates a script of the console itself, which begins with `g` and only reads. It sees the changes of an open transaction. Without
 * one it runs outside of the session: in the session it would begin one. The session keeps the bindings: their names must be none that
 * a user writes. `signal` cancels it.
 */
export const collectWithChanges = (
  gremlin: string,
  bindings: Readonly<Record<string, unknown>>,
  signal?: AbortSignal
): Promise<Array<Value>> => {
  const own = session.value
  if (own === null || !isDirty.value || lostTransaction.value !== "") return collect(gremlin, bindings, { signal })
  return collect(gremlin.replace(/^g/, OWN_SOURCE), bindings, {
    session: own,
    from: sessionSource(),
    signal,
    // The server says it once, perhaps to a request whose results nobody needs any more.
    failed: (error) => noteLoss(error, own)
  })
}

/** Chooses the traversal source of the next queries. Ends a transaction that has only read: it belongs to the source before. */
export const chooseSource = (name: string): void => {
  const own = session.value
  if (own !== null && isDirty.value) {
    const rollback = { gremlin: `${OWN_SOURCE}.tx().rollback()`, source: sessionSource(), session: own }
    evaluate(rollback, { data: () => {}, done: () => {}, failed: () => {} })
    // Requests of a session run in their order: the next query comes after the rollback.
    endsTransaction()
  }
  source.value = name
}

const leave = (): void => {
  session.value = null
  endsTransaction()
}

/** Opens a session, or ends the open one. */
export const toggleSession = (): void => {
  const open = session.value
  forgetSession()
  if (open === null) session.value = `console-${Math.random().toString(36).slice(2)}`
  else closeSession(open, warn)
}

/** Forgets the session and what was said of it. */
export const forgetSession = (): void => {
  leave()
  hasLostSession.value = false
  warning.value = ""
}

/** Asks the browser before the page is left with a transaction that may be open. */
export const askBeforeLeaving = (): void => {
  addEventListener("beforeunload", (event) => {
    if (mayHaveChanged.value) event.preventDefault()
  })
}

/** Ends the session of a connection that has broken: the server has ended it, too. */
export const followConnection = (): void => {
  effect(() => {
    if (lostConnections.value === 0 || session.peek() === null) return
    leave()
    hasLostSession.value = true
  })
}
