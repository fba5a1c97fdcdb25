import { setTimeout as sleep } from "node:timers/promises"

/** A traversal that never ends. Its request needs evaluationTimeout 0. */
export const ENDLESS = "g.inject(1).repeat(__.identity()).until(__.is(2))"

const LIMIT_MS = 10_000

/** Waits until a server has so many requests, in all of its workers. Throws when it does not get them, or has lost some. */
export const expectRunning = async (port: number, count: number): Promise<void> => {
  let running = Number.NaN
  for (const limit = performance.now() + LIMIT_MS; performance.now() < limit; await sleep(10)) {
    const answer = await fetch(`http://127.0.0.1:${port}/gremlin/status`)
    running = ((await answer.json()) as { readonly acceptedQueryCount: number }).acceptedQueryCount
    if (running === count) return
  }
  throw new Error(`the server has ${running} requests instead of ${count}`)
}
