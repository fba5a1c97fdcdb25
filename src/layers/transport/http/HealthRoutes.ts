import { TINKERPOP_VERSION } from "../../../gremlin/script/classes/Versions.ts"
import type { ListedFault, Peers } from "../../../services/Peers.ts"
import { version } from "../../config/OwnPackage.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { replyJson } from "./HttpReply.ts"
import type { Handler, ManagementRequest } from "./ManagementRequest.ts"
import { afterPeers, unansweredIn } from "./OtherWorkers.ts"

/** Time that other workers have for an answer, ms: a probe must not wait for a worker that is busy. */
const ANSWER_MS = 1_000

/** It does not name the graph, because the path is open to everybody. */
const CLOSED_MESSAGE =
  "A graph of this server is closed. GET /metrics has its name, and the server's log has the reason."
const READ_ONLY_MESSAGE =
  "A graph of this server takes no writes any more. GET /metrics has its name, and the server's log has the reason."

/** `GET /health/live`. */
export const live: Handler = ({ headers, response }) => replyJson(response, 200, headers, { status: "live" })

/** The graphs of this process that do not work as configured. */
export const ownFaults = ({ health }: TransportContext): ReadonlyArray<ListedFault> =>
  health.graphs().flatMap(({ fault, name }) => (fault === undefined ? [] : [{ name, ...fault }]))

/**
 * Calls `use` with the faults of all workers: one for each graph, the gravest; and with members of the answer that name who did not answer.
 * Without an answer of the primary process, this worker answers for itself: it serves, and so may the others.
 */
const withFaults = (
  management: ManagementRequest,
  context: TransportContext,
  use: (faults: ReadonlyArray<ListedFault>, more: object) => void
): void => {
  let isAnswered = true
  const ask = (peers: Peers) =>
    peers.ask("faults", null, ANSWER_MS).catch(() => {
      isAnswered = false
      return []
    })
  afterPeers(management, context, ask, (others) => {
    const faults = new Map<string, ListedFault>()
    for (const fault of [...ownFaults(context), ...others.answers.flat()]) {
      if (faults.get(fault.name)?.isClosed !== true) faults.set(fault.name, fault)
    }
    use([...faults.values()], isAnswered ? unansweredIn(others) : { unansweredPrimary: true })
  })
}

/**
 * `GET /health/ready`. With `allow=read-only`, a graph that can still be read is ready. A server that has no other beside it
 * should still serve reads. A worker that does not answer is named, and does not make the server unready: the others serve.
 */
export const ready: Handler = (management, context) => {
  const { headers, query, response } = management
  if (context.dispatcher.stopping()) {
    replyJson(response, 503, headers, { status: "stopping" })
    return
  }
  withFaults(management, context, (faults, more) => {
    if (faults.some(({ isClosed }) => isClosed))
      replyJson(response, 503, headers, { status: "closed", message: CLOSED_MESSAGE, ...more })
    else if (faults.length > 0 && new URLSearchParams(query).get("allow") !== "read-only")
      replyJson(response, 503, headers, { status: "read-only", message: READ_ONLY_MESSAGE, ...more })
    else replyJson(response, 200, headers, { status: "ready", ...more })
  })
}

/** `GET /status`: the server in the form that tools for Amazon Neptune read. */
export const serverStatus: Handler = (management, context) => {
  const { dispatcher, settings, startedAt } = context
  withFaults(management, context, (faults, more) => {
    const status = dispatcher.stopping() ? "stopping" : faults.length > 0 ? "unhealthy" : "healthy"
    replyJson(management.response, 200, management.headers, {
      status,
      startTime: startedAt.toISOString(),
      dbEngineVersion: version(),
      role: "writer",
      gremlin: { version: `tinkerpop-${TINKERPOP_VERSION}` },
      labMode: {},
      features: {},
      settings: { clusterQueryTimeoutInMs: String(settings.evaluationTimeout) },
      ...(faults.length === 0 ? {} : { graphs: faults }),
      ...more
    })
  })
}
