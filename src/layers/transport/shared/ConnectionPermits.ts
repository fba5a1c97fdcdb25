import type { Socket } from "node:net"
import type { SharedCount } from "../../../services/SharedLimits.ts"

/** The permits of open connections: as many as `maxConnections` says, in all workers of the server together. */
export interface ConnectionPermits {
  /** Gives the connection a permit, which is free again when it closes. False when there is none. */
  readonly take: (socket: Socket) => boolean
}

/**
 * Makes the permits of a server.
 *
 * @param max the setting `maxConnections`; 0 = no limit
 * @param shared the connections of all workers; undefined in a server of one process
 */
export const connectionPermits = (max: number, shared: SharedCount | undefined): ConnectionPermits => {
  const bound = max === 0 ? Number.POSITIVE_INFINITY : max
  const count = shared ?? ownCount()
  return {
    take: (socket) => {
      if (!count.take(bound)) return false
      socket.once("close", count.release)
      return true
    }
  }
}

const ownCount = (): SharedCount => {
  let open = 0
  return {
    take: (bound) => {
      if (open >= bound) return false
      open++
      return true
    },
    release: () => void open--,
    total: () => open
  }
}
