import { texts } from "../texts.ts"
import type { Value } from "./Values.ts"

/** The name and password, or the token, of the user. They stay in memory. */
export interface Credentials {
  readonly name: string
  readonly password: string
  /** The token that stands for the password in HTTP requests; undefined where the server gives none. */
  readonly token?: string
}

/** The chosen traversal source in the scripts of a session, where `g` may be a variable of the user. */
export const OWN_SOURCE = "console_g"

/** A script that is to be evaluated. */
export interface Evaluation {
  readonly gremlin: string
  /** Name of the traversal source that `g` means. */
  readonly source: string
  /** Values of variables, in GraphSON. */
  readonly bindings?: Readonly<Record<string, unknown>>
  /** Id of a session. */
  readonly session?: string
  /** Results in one message. */
  readonly batchSize?: number
}

/** The callbacks of an evaluation. None is called after `done` or `failed`. */
export interface Listener {
  readonly data: (values: ReadonlyArray<Value>) => void
  /** `warnings`: what the user should know of a success, such as changes that were not kept. */
  readonly done: (warnings: ReadonlyArray<string>) => void
  readonly failed: (error: ServerFailure) => void
}

/** A running evaluation. */
export interface Running {
  readonly requestId: string
}

/** An answer that is an error. */
export class ServerFailure extends Error {
  readonly status: number
  /** The names of the error on the server; empty where it gives none. */
  readonly exceptions: ReadonlyArray<string>
  constructor(status: number, message: string, exceptions: ReadonlyArray<string> = []) {
    super(message)
    this.status = status
    this.exceptions = exceptions
  }
}

const utf8 = new TextEncoder()

const base64 = (text: string): string => {
  let binary = ""
  for (const byte of utf8.encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The response of SASL PLAIN. */
export const saslPlain = ({ name, password }: Credentials): string => base64(`\0${name}\0${password}`)

/** The Authorization header of HTTP requests. */
const authorizationOf = ({ name, password, token }: Credentials): string =>
  token === undefined ? `Basic ${base64(`${name}:${password}`)}` : `Token ${token}`

/** The address of a path of the server. The console is at `console/`, below the server's own prefix if it has one. */
export const addressOf = (path: string): URL => new URL(`../${path}`, location.href.split("#")[0])

/**
 * Asks the server by HTTP. The browser adds no password of its own, and shows no dialog for one. Fails with
 * {@link ServerFailure} when the answer is an error.
 */
export const ask = async (path: string, credentials: Credentials | null, init: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(init.headers)
  if (credentials !== null) headers.set("authorization", authorizationOf(credentials))
  const response = await fetch(addressOf(path), { ...init, headers, credentials: "omit", cache: "no-store" }).catch(
    () => {
      throw new ServerFailure(0, texts.wire.silent)
    }
  )
  if (response.ok) return response
  const text = await response.text()
  throw new ServerFailure(response.status, messageOf(text) ?? texts.wire.status(response.status))
}

const messageOf = (text: string): string | undefined => {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown }
    return typeof message === "string" ? message : undefined
  } catch {
    return undefined
  }
}
