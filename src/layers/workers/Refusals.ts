import { RequestBlocked } from "../../services/Errors.ts"
import type { Peers } from "../../services/Peers.ts"
import type { WorkerProcessShape } from "../../services/WorkerProcess.ts"
import { keyOf } from "./BlockedRequests.ts"
import { identityOf } from "./RequestIdentity.ts"

/** Refuses in this worker what the primary process blocks. Costs nothing while no request is blocked. */
export const refusals = (peers: Peers): WorkerProcessShape["refusal"] => {
  /** Until when each is refused, ms of `performance.now()`. */
  let blocked = new Map<string, number>()
  peers.onAsk("blocked", (all) => {
    const now = performance.now()
    blocked = new Map(all.map(({ key, until, forMs = until - Date.now() }) => [key, now + forMs]))
    return null
  })
  return (request) => {
    if (blocked.size === 0) return undefined
    const until = blocked.get(keyOf(identityOf(request, true)))
    if (until === undefined) return undefined
    const forMs = until - performance.now()
    return forMs < 0 ? undefined : new RequestBlocked(new Date(Date.now() + forMs))
  }
}
