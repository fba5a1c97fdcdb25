import * as Effect from "effect/Effect"
import type { PoolTask } from "../../../src/services/RequestPool.ts"

/** A task of the request pool that runs until the test ends it. */
export interface HeldTask extends PoolTask {
  readonly end: () => void
  /** What has happened to the task: `started`, `expired`, `cancelled`. */
  readonly events: Array<string>
}

/** Makes a task. `deadline`: `performance.now()` at which it expires, ms; default never. `onBegin` is called when it has started. */
export const heldTask = (
  requestId: string,
  { deadline = Number.POSITIVE_INFINITY, onBegin }: { readonly deadline?: number; readonly onBegin?: () => void } = {}
): HeldTask => {
  const events: Array<string> = []
  let ended: (() => void) | undefined
  return {
    requestId,
    events,
    deadline,
    settles: false,
    waitsIn: null,
    begin: () => {
      events.push("started")
      onBegin?.()
      return false
    },
    goOn: (then) => {
      ended = then
    },
    rest: Effect.never,
    end: () => {
      const then = ended
      ended = undefined
      then?.()
    },
    expire: () => void events.push("expired"),
    cancel: () => void events.push("cancelled"),
    describe: () => ({ request: requestId, step: "", state: "running", user: "" })
  }
}
