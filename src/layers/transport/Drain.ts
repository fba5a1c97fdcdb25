import * as Effect from "effect/Effect"
import { ServerStopping } from "../../services/Errors.ts"
import { HttpConnection } from "./http/HttpConnection.ts"
import type { TransportContext } from "./shared/TransportContext.ts"

/** How often the shutdown checks whether the last answers are sent. */
const SENDING_CHECK_MS = 10

/** Time for the answers of evaluations that the shutdown cancels: each must reach its next slice. */
const LAST_ANSWERS_WAIT_MS = 500

/**
 * Waits for the answers of accepted requests, at most `shutdownTimeout`. Then the remaining requests are cancelled, and
 * answered so. The outcome of a running commit is waited for without a limit: the graph closes after it, too.
 */
export const drain = (context: TransportContext): Effect.Effect<void> =>
  Effect.async((resume) => {
    const done = (): void => {
      clearTimeout(timer)
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
      whenSent(context, until, () => resume(Effect.void))
    })
  })

/** Waits until evaluated answers are sent: long ones are sent as fast as their clients read. */
const whenSent = (context: TransportContext, until: number, then: () => void): void => {
  const isSending = [...context.connections].some(
    (connection) => connection instanceof HttpConnection && connection.isAnswering
  )
  if (!isSending || performance.now() >= until) then()
  else setTimeout(() => whenSent(context, until, then), SENDING_CHECK_MS)
}
