/** Why what a client sent is refused: status and message. */
export type ErrorAnswer = readonly [status: number, message: string]

/** The client sent something that is not HTTP, or sent too slowly. */
export interface Broken {
  readonly state: "broken"
  /** The error for the client, which is sent when all earlier requests are answered; null when it has been sent. */
  error: ErrorAnswer | null
  /** The last request had already come. */
  readonly wasLast: boolean
  /** The answer under way is the last one. */
  isClosing: boolean
}

/** What a connection still accepts. */
export type Intake =
  /** Further requests. */
  | { readonly state: "open" }
  /** Nothing: the client said that its last request is the last one. */
  | { readonly state: "last" }
  /** Nothing: the answer under way ends the connection, and requests that wait after it are dropped. */
  | { readonly state: "closing" }
  | Broken

/** Further requests. */
export const OPEN: Intake = { state: "open" }
/** The last request has come. */
export const LAST: Intake = { state: "last" }
/** The last answer is under way. */
export const CLOSING: Intake = { state: "closing" }
