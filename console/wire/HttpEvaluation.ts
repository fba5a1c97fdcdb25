import { writeJson } from "./Decode.ts"
import { ask, type Credentials, type Evaluation, type Listener, ServerFailure } from "./Requests.ts"
import { StreamedList } from "./StreamedList.ts"

const CUT = "The answer was cut before its end. The server's log has the reason, or the connection broke."

/**
 * Evaluates a script by HTTP, for a server without WebSockets, and streams its results to the listener. `signal` ends the
 * request, and with it the evaluation. A session needs a WebSocket.
 */
export const evaluateByHttp = (
  evaluation: Evaluation,
  credentials: Credentials | null,
  listener: Listener,
  signal: AbortSignal
): void => {
  stream(evaluation, credentials, listener, signal).then(listener.done, (error: unknown) =>
    listener.failed(error instanceof ServerFailure ? error : new ServerFailure(0, CUT))
  )
}

const stream = async (
  { bindings = {}, gremlin, source }: Evaluation,
  credentials: Credentials | null,
  listener: Listener,
  signal: AbortSignal
): Promise<void> => {
  const body = writeJson({ gremlin, aliases: { g: source }, bindings })
  const headers = { "content-type": "application/json", accept: "application/vnd.gremlin-v3.0+json" }
  const response = await ask("gremlin", credentials, { method: "POST", headers, body, signal })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const list = new StreamedList()
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) break
    const values = list.push(decoder.decode(part.value, { stream: true }))
    if (values.length > 0) listener.data(values)
  }
  if (!list.isComplete) throw new ServerFailure(0, CUT)
}
