import type { ActivityInterval, OperationName } from "../../../services/Metrics.ts"
import type { Owned, PeerQuestions } from "../../../services/Peers.ts"
import { replyJson } from "./HttpReply.ts"
import type { Handler } from "./ManagementRequest.ts"
import { askOthers, unansweredIn } from "./OtherWorkers.ts"
import { meant } from "./RunningRequests.ts"

/** The last ten minutes of this process. */
export const ownActivity = (
  { user }: Owned,
  { dispatcher, metrics }: Parameters<Handler>[1]
): PeerQuestions["recent"][1] => ({
  intervals: metrics.recent(),
  slow: dispatcher.slow().filter((request) => user === null || request.user === user)
})

type Operations = Partial<Record<OperationName, { readonly count: number; readonly seconds: number }>>

/** Adds the intervals of several workers that ended at the same time. */
const added = (all: ReadonlyArray<ActivityInterval>): ReadonlyArray<ActivityInterval> => {
  const byEnd = new Map<number, { readonly operations: Operations; readonly gauges: Record<string, number> }>()
  for (const { at, gauges, operations } of all) {
    const sum = byEnd.get(at) ?? { operations: {}, gauges: {} }
    byEnd.set(at, sum)
    for (const [name, value] of Object.entries(gauges)) sum.gauges[name] = (sum.gauges[name] ?? 0) + value
    for (const [op, { count, seconds }] of Object.entries(operations)) {
      const before = sum.operations[op as OperationName] ?? { count: 0, seconds: 0 }
      sum.operations[op as OperationName] = { count: before.count + count, seconds: before.seconds + seconds }
    }
  }
  return Array.from(byEnd, ([at, sum]) => ({ at, ...sum })).sort((a, b) => a.at - b.at)
}

/**
 * `GET /console/recent`: the last ten minutes of the whole server, and its slow requests, the last first. What a worker did that has
 * ended is not included. A user without the right to operate sees their own slow requests.
 */
export const recentActivity: Handler = (management, context) => {
  const owned = meant(management.user, context)
  askOthers({ management, context }, "recent", owned, (others) => {
    const { headers, response } = management
    const all = [ownActivity(owned, context), ...others.answers]
    headers.push("cache-control", "no-store")
    replyJson(response, 200, headers, {
      now: Date.now(),
      intervals: added(all.flatMap(({ intervals }) => intervals)),
      slow: all.flatMap(({ slow }) => slow).sort((a, b) => b.endedAt - a.endedAt),
      ...unansweredIn(others)
    })
  })
}
