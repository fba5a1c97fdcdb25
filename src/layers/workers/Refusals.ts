import { RequestBlocked } from "../../services/Errors.ts"
import type { Peers } from "../../services/Peers.ts"
import type { WorkerProcessShape } from "../../services/WorkerProcess.ts"
import { keyOf } from "./BlockedRequests.ts"
import { identityOf } from "./RequestIdentity.ts"

/** Refuses in this worker what the primary process blocks. Costs nothing while no request is blocked. */
export const refusals = (peers: Peers): WorkerProcessShape["refusal"] => {
  let blocked = new Map<string, number>()
  peers.onAsk("blocked", (all) => {
    blocked = new Map(all.map(({ key, until }) => [key, until]))
    return null
  })
  return (request) => {
    if (blocked.size === 0) return undefined
    const until = blocked.get(keyOf(identityOf(request)))
    return until === undefined || until < Date.now() ? undefined : new RequestBlocked(new Date(until))
  }
}
