import type { TransportContext } from "../shared/TransportContext.ts"
import { ownFaults } from "./HealthRoutes.ts"
import { cancelOwnLoad, ownLoads } from "./Loader.ts"
import { ownActivity } from "./RecentActivity.ts"
import { cancelOwn, ownRequests } from "./RunningRequests.ts"

/** Answers what other workers of the server ask about this one. Does nothing in a server of one process. */
export const answerPeers = (context: TransportContext): void => {
  const { log, peers } = context
  if (peers === undefined) return
  peers.onAsk("faults", () => ownFaults(context))
  peers.onAsk("running", (owned) => ownRequests(owned, context))
  peers.onAsk("recent", (owned) => ownActivity(owned, context))
  peers.onAsk("cancel", (asked) => cancelOwn(asked, context))
  peers.onAsk("loads", (owned) => ownLoads(owned, context))
  peers.onAsk("cancelLoad", (asked) => cancelOwnLoad(asked, context))
  peers.onAsk("logLevel", (level) => {
    log?.change(level ?? log.configured)
    return null
  })
}
