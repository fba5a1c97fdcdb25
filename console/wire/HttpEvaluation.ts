import { texts } from "../texts.ts"
import { writeJson } from "./Decode.ts"
import { type Evaluation, type Listener, ServerFailure } from "./Requests.ts"
import { StreamedList } from "./StreamedList.ts"

/** Sends a request with a script as the user. */
type Send = (init: RequestInit) => Promise<Response>

/**
 * Evaluates a script by HTTP, for a server without WebSockets, and streams its results to the listener. `signal` ends the
 * request, and with it the evaluation. A session needs a WebSocket.
 */
export const evaluateByHttp = (evaluation: Evaluation, send: Send, listener: Listener, signal: AbortSignal): void => {
  stream(evaluation, send, listener, signal).then(listener.done, (error: unknown) =>
    listener.failed(error instanceof ServerFailure ? error : new ServerFailure(0, texts.wire.cut))
  )
}

/** The quoted texts of a header `Warning`. */
const warningsOf = (header: string): ReadonlyArray<string> =>
  Array.from(header.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, text = ""]) => text.replace(/\\(.)/g, "$1"))

const stream = async (
  { bindings = {}, gremlin, source }: Evaluation,
  send: Send,
  listener: Listener,
  signal: AbortSignal
): Promise<ReadonlyArray<string>> => {
  const body = writeJson({ gremlin, aliases: { g: source }, bindings })
  const headers = { "content-type": "application/json", accept: "application/vnd.gremlin-v3.0+json" }
  const response = await send({ method: "POST", headers, body, signal })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const list = new StreamedList()
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) break
    const values = list.push(decoder.decode(part.value, { stream: true }))
    if (values.length > 0) listener.data(values)
  }
  if (!list.isComplete) throw new ServerFailure(0, texts.wire.cut)
  return warningsOf(response.headers.get("warning") ?? "")
}
