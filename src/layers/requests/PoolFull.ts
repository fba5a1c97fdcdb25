import { TooManyRequests } from "../../services/Errors.ts"
import type { ServerSettings } from "../../services/Settings.ts"

/** The refusal of a request for which the pool and its queue have no room. Nothing of the request has run. */
export const poolFull = ({
  enginePool,
  maxWorkQueueSize
}: Pick<ServerSettings, "enginePool" | "maxWorkQueueSize">): TooManyRequests =>
  new TooManyRequests(
    `Rate limiting: ${enginePool} requests are being evaluated and ${maxWorkQueueSize} are waiting, which is all that ` +
      "enginePool and maxWorkQueueSize allow. Send the request again later."
  )
