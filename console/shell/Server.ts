import { signal } from "@preact/signals"
import { texts } from "../texts.ts"
import { GremlinSocket } from "../wire/GremlinSocket.ts"
import { evaluateByHttp } from "../wire/HttpEvaluation.ts"
import { ask, type Credentials, type Evaluation, type Listener, ServerFailure } from "../wire/Requests.ts"
import type { Value } from "../wire/Values.ts"

/** What the server says about itself to a user. */
interface About {
  readonly sources: ReadonlyArray<{ readonly name: string; readonly graph: string }>
  readonly webSocket: boolean
  readonly user: string
  readonly givesTokens: boolean
  readonly operates: boolean
}

/** Null until the server has answered. */
export const about = signal<About | null>(null)
/** Whether the server asks for a password. */
export const needsLogin = signal(false)
/** How many users have left: they have logged out, or another one has logged in after them. */
export const departures = signal(0)
/** Why the server cannot be used; empty while it can. */
export const trouble = signal("")
/** The name of the traversal source that `g` means. */
export const source = signal("g")

/** How many connections have broken. What belongs to a connection, such as a session, is gone with it. */
export const lostConnections = signal(0)

/** In memory only: a reload forgets it. */
let credentials: Credentials | null = null
/** The user whose password the server has refused. What this user wrote is kept for the next login. */
let refusedUser: string | undefined
const socket = new GremlinSocket(
  () => credentials,
  () => {
    lostConnections.value++
  }
)

/** The last question to the server what it has. */
let connecting: Promise<void> = Promise.resolve()

/** Asks the server what it has. Shows the login form when it wants a password. */
export const connect = (): Promise<void> => {
  connecting = askAbout()
  return connecting
}

const askAbout = async (): Promise<void> => {
  try {
    const found = (await (await askAsUser("console/sources")).json()) as About
    about.value = found
    needsLogin.value = false
    trouble.value = ""
    const isKnown = found.sources.some(({ name }) => name === source.value)
    if (!isKnown) source.value = found.sources[0]?.name ?? "g"
  } catch (error) {
    if (isRefusedLogin(error)) needsLogin.value = true
    else trouble.value = messageOf(error)
  }
}

/** Logs in. Returns why it failed; undefined when it did not. */
export const login = async (name: string, password: string): Promise<string | undefined> => {
  const given: Credentials = { name, password }
  try {
    const found = (await (await ask("console/sources", given)).json()) as About
    credentials = found.givesTokens ? { ...given, token: await tokenFor(given) } : given
    if (refusedUser !== undefined && refusedUser !== found.user) departures.value++
    refusedUser = undefined
    await connect()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** A token takes the password: a token gives no other one. */
const tokenFor = async ({ name, password }: Credentials): Promise<string> => {
  const { token } = (await (await ask("session", { name, password })).json()) as { readonly token: string }
  return token
}

/**
 * Asks the server as the user. A token lives shorter than a page, so a refused one is replaced. A user whose password is
 * refused, too, must log in again.
 */
const askAsUser = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const given = credentials
  try {
    return await ask(path, given, init)
  } catch (error) {
    if (given === null || !isRefusedLogin(error)) throw error
    return await askAgain(path, init, given).catch((refusal: unknown) => {
      if (isRefusedLogin(refusal) && credentials?.password === given.password) askForPassword()
      throw refusal
    })
  }
}

const askAgain = async (path: string, init: RequestInit, given: Credentials): Promise<Response> => {
  if (given.token === undefined) throw new ServerFailure(401, texts.login.again)
  const renewed = { ...given, token: await tokenFor(given) }
  if (credentials === given) credentials = renewed
  return ask(path, renewed, init)
}

const isRefusedLogin = (error: unknown): boolean => error instanceof ServerFailure && error.status === 401

/** Forgets the user, and ends what runs. */
export const logout = (): void => {
  forgetUser()
  departures.value++
  void connect()
}

const forgetUser = (): void => {
  credentials = null
  socket.close()
  about.value = null
}

const askForPassword = (): void => {
  refusedUser = about.value?.user ?? refusedUser
  forgetUser()
  needsLogin.value = true
}

/** A running evaluation. */
export interface Job {
  /** Ends it, at the price of the connection and its sessions if the server does not take the cancellation. */
  readonly cancel: () => void
  /** Ends it only if the server takes the cancellation. */
  readonly abandon: () => void
}

/**
 * Evaluates a script, by WebSocket where the server has it. A script that is run before the server has said what it has waits
 * for that.
 */
export const evaluate = (evaluation: Evaluation, listener: Listener): Job => {
  if (about.value !== null) return send(evaluation, listener)
  let job: Job = { cancel: () => {}, abandon: () => {} }
  let isCancelled = false
  const sendWhenKnown = async (): Promise<void> => {
    await connecting
    if (about.value === null && !needsLogin.value) await connect()
    if (isCancelled) return
    if (about.value !== null) job = send({ ...evaluation, source: source.value }, listener)
    else listener.failed(new ServerFailure(0, needsLogin.value ? texts.login.first : trouble.value))
  }
  void sendWhenKnown()
  const end = (how: keyof Job): void => {
    isCancelled = true
    job[how]()
  }
  return { cancel: () => end("cancel"), abandon: () => end("abandon") }
}

const send = (evaluation: Evaluation, listener: Listener): Job => {
  if (about.value?.webSocket === false) {
    const abort = new AbortController()
    evaluateByHttp(evaluation, (init) => askAsUser("gremlin", init), listener, abort.signal)
    return { cancel: () => abort.abort(), abandon: () => abort.abort() }
  }
  const { requestId } = socket.evaluate(evaluation, listener)
  return {
    cancel: () => void cancelSent(requestId).then((isDone) => isDone || socket.close()),
    abandon: () => void cancelSent(requestId)
  }
}

/** Time until a cancellation is repeated, ms. */
const CANCEL_AGAIN_MS = 100

/** The server does not know the request (404), or a busy worker may cancel it later (504). */
const unsettled: ReadonlySet<number> = new Set([404, 504])

/**
 * Cancels a request of the WebSocket. The server may not know it: it has ended, and its answer is on the way; or it comes
 * after this call, which has a connection of its own. Returns whether the request has ended, or is cancelled.
 */
const cancelSent = async (requestId: string): Promise<boolean> => {
  while (socket.awaits(requestId)) {
    try {
      await cancelRequest(requestId)
      return true
    } catch (error) {
      if (!(error instanceof ServerFailure) || !unsettled.has(error.status)) return false
    }
    await new Promise((resolve) => setTimeout(resolve, CANCEL_AGAIN_MS))
  }
  return true
}

/** Ends a session. `done` gets what the user should know of it. */
export const closeSession = (session: string, done: Listener["done"]): void => {
  socket.closeSession(session, { data: () => {}, done, failed: () => {} })
}

/** Cancels a request of this server by its id. Fails when the user may not. */
export const cancelRequest = async (requestId: string): Promise<void> => {
  await askAsUser(`gremlin/status/${encodeURIComponent(requestId)}`, { method: "DELETE" })
}

/** Reads a path of the server as text. */
export const readText = async (path: string): Promise<string> => (await askAsUser(path)).text()
/** Reads a path of the server as JSON. */
export const readJson = async (path: string): Promise<unknown> => (await askAsUser(path)).json()

/** Changes something at a path of the server, and reads the JSON of the answer. */
export const changeJson = async (path: string, method: "PUT" | "DELETE", body?: unknown): Promise<unknown> => {
  const response = await askAsUser(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return response.json()
}

interface CollectOptions {
  readonly session?: string | null
  readonly from?: string
  readonly signal?: AbortSignal | undefined
  /** Called with the error of the server, also after `signal` has ended the wait for it. */
  readonly failed?: (error: ServerFailure) => void
}

/**
 * Evaluates a script, and returns all its results. In a session it sees what the session has not committed. `g` means the
 * chosen source, or the one that is named. `signal` cancels the evaluation, and never ends a session.
 */
export const collect = (
  gremlin: string,
  bindings: Readonly<Record<string, unknown>> = {},
  { session = null, from = source.value, signal, failed }: CollectOptions = {}
): Promise<Array<Value>> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const values: Array<Value> = []
    const job = evaluate(
      { gremlin, source: from, bindings, ...(session === null ? {} : { session }) },
      {
        data: (more) => values.push(...more),
        done: () => resolve(values),
        failed: (error) => {
          failed?.(error)
          reject(error)
        }
      }
    )
    signal?.addEventListener("abort", () => {
      job.abandon()
      reject(signal.reason)
    })
  })

/** The message of an error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
