import * as Effect from "effect/Effect"
import { ServerStopping } from "../../services/Errors.ts"
import { HttpConnection } from "./http/HttpConnection.ts"
import type { TransportContext } from "./shared/TransportContext.ts"
import { WebSocketConnection } from "./websocket/WebSocketConnection.ts"

/** How often the shutdown checks whether the last answers are sent. */
const SENDING_CHECK_MS = 10

/** Time for the answers of evaluations that the shutdown cancels: each must reach its next slice. */
const LAST_ANSWERS_WAIT_MS = 500

/** How often the shutdown looks for WebSockets whose requests are answered. */
const IDLE_CHECK_MS = 20

/** Close code of WebSocket for the end of the server: RFC 6455, "Going Away". */
const GOING_AWAY = 1001

/** Closes a WebSocket because the server ends. */
export const sayGoodbye = (connection: WebSocketConnection): void =>
  connection.goodbye(GOING_AWAY, "server is shutting down")

/** Closes the WebSockets whose requests are answered, including those that wait or are arriving, and whose answers are sent. */
const leaveIdle = ({ connections }: TransportContext): void => {
  for (const connection of [...connections])
    if (connection instanceof WebSocketConnection && connection.isIdle && connection.isSent) sayGoodbye(connection)
}

/**
 * Waits for the answers of accepted requests, at most `shutdownTimeout`. Then the remaining requests are cancelled, and
 * answered so. The outcome of a running commit is waited for without a limit: the graph closes after it, too. A WebSocket is closed
 * as soon as its answers are sent: its driver then connects to another server, and none of its requests is refused here.
 */
export const drain = (context: TransportContext): Effect.Effect<void> =>
  Effect.async((resume) => {
    const leaving = setInterval(() => leaveIdle(context), IDLE_CHECK_MS)
    const done = (): void => {
      clearTimeout(timer)
      clearInterval(leaving)
      resume(Effect.void)
    }
    const cut = (): void => {
      for (const evaluation of [...context.dispatcher.running()]) evaluation.cancel(new ServerStopping("running"))
      timer = setTimeout(lastAnswers, LAST_ANSWERS_WAIT_MS)
    }
    const lastAnswers = (): void => {
      const isSettling = [...context.dispatcher.running()].some(({ settles }) => settles)
      if (isSettling) timer = setTimeout(lastAnswers, SENDING_CHECK_MS)
      else done()
    }
    const until = performance.now() + context.settings.shutdownTimeout
    let timer = setTimeout(cut, context.settings.shutdownTimeout)
    context.dispatcher.stop(() => {
      clearTimeout(timer)
      whenSent(context, until, done)
    })
    leaveIdle(context)
  })

/** Waits until evaluated answers are sent: long ones are sent as fast as their clients read. */
const whenSent = (context: TransportContext, until: number, then: () => void): void => {
  const isSending = [...context.connections].some(
    (connection) =>
      (connection instanceof HttpConnection && connection.isAnswering) ||
      (connection instanceof WebSocketConnection && !connection.isSent)
  )
  if (!isSending || performance.now() >= until) then()
  else setTimeout(() => whenSent(context, until, then), SENDING_CHECK_MS)
}
