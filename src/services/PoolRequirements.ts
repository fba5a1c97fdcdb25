import * as Effect from "effect/Effect"
import { IllegalStateException } from "./RequestPool.ts"
import type { ServerSettings } from "./Settings.ts"

/** The first version of Node.js with lanes on demand. It corresponds to the first JVM that does not pin virtual threads. */
const MIN_NODE_VERSION_FOR_LANES_ON_DEMAND = 24

/** Lanes that worker processes can share: the largest `enginePool` of a server with workers. */
export const MAX_SHARED_LANES = 4_096

/**
 * Fails for a request pool that cannot be made. Call it before any part of the server: the first parts write data.
 *
 * @param isShared worker processes share the lanes of the pool
 */
export const refuseImpossiblePool = (
  { enginePool, enginePoolVirtualThreads }: ServerSettings,
  isShared: boolean
): Effect.Effect<void, IllegalStateException> => {
  const node = process.versions.node
  if (enginePoolVirtualThreads && Number.parseInt(node, 10) < MIN_NODE_VERSION_FOR_LANES_ON_DEMAND) {
    return new IllegalStateException({
      message:
        `enginePoolVirtualThreads needs Node ${MIN_NODE_VERSION_FOR_LANES_ON_DEMAND} or later, and this is Node ${node}. ` +
        "Start the server with a newer Node, or remove the setting."
    })
  }
  if (isShared && enginePool > MAX_SHARED_LANES) {
    return new IllegalStateException({
      message: `enginePool is ${enginePool}, and worker processes share at most ${MAX_SHARED_LANES} lanes. Lower it, or set 'workers: 1'.`
    })
  }
  return Effect.void
}
