import { version } from "../../config/OwnPackage.ts"
import { replyJson } from "./HttpReply.ts"
import type { Handler } from "./ManagementRequest.ts"

/** The version of TinkerPop whose language and protocol this server has. */
const TINKERPOP_VERSION = "3.8.2"

/** `GET /status`: the server in the form that tools for Amazon Neptune read. */
export const serverStatus: Handler = ({ headers, response }, { dispatcher, health, settings, startedAt }) => {
  const faults = health.graphs().flatMap(({ fault, name }) => (fault === undefined ? [] : [{ name, ...fault }]))
  const status = dispatcher.stopping() ? "stopping" : faults.length > 0 ? "unhealthy" : "healthy"
  replyJson(response, 200, headers, {
    status,
    startTime: startedAt.toISOString(),
    dbEngineVersion: version(),
    role: "writer",
    gremlin: { version: `tinkerpop-${TINKERPOP_VERSION}` },
    labMode: {},
    features: {},
    settings: { clusterQueryTimeoutInMs: String(settings.evaluationTimeout) },
    ...(faults.length === 0 ? {} : { graphs: faults })
  })
}
