import type { Client } from "cassandra-driver"

/**
 * The private parts of the driver that direct reads use. The version of the driver is pinned, and DriverInternals.test.ts
 * checks these parts against it. If a part is missing, all statements go through the driver.
 */

/** A connection of the driver to a node. */
export interface DriverConnection {
  /** The version of the native protocol. */
  readonly protocolVersion: number
  readonly netClient: {
    write(bytes: Uint8Array): boolean
    once(event: "close", listener: () => void): unknown
  }
  /** The first of the streams that parse what arrives. */
  readonly protocol: {
    /** The socket calls this method for each chunk. */
    write(chunk: Buffer): boolean
    /** The header of a frame whose body has not arrived completely; null between two frames. */
    readonly header: unknown
    readonly headerChunks: { readonly byteLength: number }
  }
  /** Requests without an answer in time. The driver closes a connection that has more than 64 of them. */
  timedOutOperations: number
  /** Takes a free stream id; null if there is none. */
  _getStreamId(): number | null
  /** Gives a stream id back. */
  freeStreamId(header: { readonly streamId: number }): void
}

/** A node of the cluster. */
export interface DriverHost {
  readonly address: string
  isUp(): boolean
  /** Throws if the node has no connection, or too many requests in flight. */
  borrowConnection(): DriverConnection
  /** Closes a connection with too many requests without an answer; the driver then opens another. */
  checkHealth(connection: DriverConnection): void
}

/** The private parts of a client. */
export interface DriverInternals {
  readonly keyspace: string | undefined
  readonly hosts: { readonly length: number; values(): ReadonlyArray<DriverHost> }
  readonly metadata: {
    getPreparedInfo(keyspace: string | undefined, text: string): { readonly queryId?: Buffer | null }
  }
  readonly profileManager: { getDistance(host: DriverHost): number }
  getReplicas(keyspace: string, key: Buffer): ReadonlyArray<DriverHost> | null
}

/** The private parts of a client; undefined if it does not have them. */
export const internalsOf = (client: Client): DriverInternals | undefined => {
  const { metadata, profileManager } = client as unknown as Partial<DriverInternals>
  const isKnown =
    typeof metadata?.getPreparedInfo === "function" &&
    typeof profileManager?.getDistance === "function" &&
    typeof client.getReplicas === "function"
  return isKnown ? (client as unknown as DriverInternals) : undefined
}

/** Distance.local of the driver: a node of the local datacenter. */
const LOCAL = 0

/** True for a node of the local datacenter. */
export const isLocal = ({ profileManager }: DriverInternals, host: DriverHost): boolean =>
  profileManager.getDistance(host) === LOCAL

/** The version of the native protocol that direct reads speak. */
const PROTOCOL_VERSION = 4

/** True for a connection that direct reads can use now: it has the known parts, and no frame has arrived in part. */
export const isUsable = (connection: DriverConnection): boolean =>
  connection.protocolVersion === PROTOCOL_VERSION &&
  typeof connection._getStreamId === "function" &&
  typeof connection.freeStreamId === "function" &&
  typeof connection.timedOutOperations === "number" &&
  typeof connection.netClient?.write === "function" &&
  typeof connection.protocol?.write === "function" &&
  connection.protocol.header === null &&
  connection.protocol.headerChunks?.byteLength === 0
