import type { ConnectionOptions as TlsConnectionOptions } from "node:tls"
import cassandra, { type Client, type types as DriverTypes } from "cassandra-driver"
import type { ConsistencyLevel, CqlOptions, CqlTlsOptions } from "./CqlOptions.ts"
import { locationOf } from "./CqlOptions.ts"
import { openingFailure } from "./Failures.ts"
import { LimitedRetries } from "./Retries.ts"

const { types } = cassandra

/** Timeout of one node when there are others. */
const MAX_NODE_TIMEOUT_MS = 3000
const consistencies: Readonly<Record<ConsistencyLevel, DriverTypes.consistencies>> = {
  ANY: types.consistencies.any,
  ONE: types.consistencies.one,
  TWO: types.consistencies.two,
  THREE: types.consistencies.three,
  QUORUM: types.consistencies.quorum,
  ALL: types.consistencies.all,
  LOCAL_QUORUM: types.consistencies.localQuorum,
  EACH_QUORUM: types.consistencies.eachQuorum,
  LOCAL_ONE: types.consistencies.localOne
}

/** The driver's constant for a consistency level. */
export const consistencyOf = (level: ConsistencyLevel): DriverTypes.consistencies => consistencies[level]

const quorums: ReadonlySet<ConsistencyLevel> = new Set(["THREE", "QUORUM", "EACH_QUORUM", "ALL"] as const)

/** True for a level of at least a quorum of all datacenters. THREE is one of up to five replicas. */
export const isQuorum = (level: ConsistencyLevel): boolean => quorums.has(level)

const tlsOptions = ({ ca, certificate, hostnameValidation, key, passphrase }: CqlTlsOptions): TlsConnectionOptions => ({
  rejectUnauthorized: true,
  ...(ca === undefined ? {} : { ca: [...ca] }),
  ...(certificate === undefined ? {} : { cert: certificate }),
  ...(key === undefined ? {} : { key }),
  ...(passphrase === undefined ? {} : { passphrase }),
  ...(hostnameValidation ? {} : { checkServerIdentity: () => undefined })
})

const clientOf = (options: CqlOptions): Client => {
  const { backPressureLimit, connectionTimeout, hosts, localDatacenter, password, port, tls, username } = options
  return new cassandra.Client({
    contactPoints: [...hosts],
    localDataCenter: localDatacenter,
    protocolOptions: { port },
    ...(username === undefined ? {} : { credentials: { username, password: password ?? "" } }),
    ...(tls === undefined ? {} : { sslOptions: tlsOptions(tls) }),
    // 64-bit integers are decoded as bigint. Cells are not copied here, because CellPacker copies them.
    encoding: { useBigIntAsLong: true, copyBuffer: false },
    pooling: {
      coreConnectionsPerHost: { [types.distance.local]: 1, [types.distance.remote]: 1 },
      // Room for requests of the driver itself, which Requests does not count.
      maxRequestsPerConnection: Math.min(backPressureLimit + 64, 32_000)
    },
    policies: { retry: new LimitedRetries() },
    socketOptions: { connectTimeout: connectionTimeout, readTimeout: nodeTimeoutMs(options) },
    monitorReporting: { enabled: false }
  })
}

/** Timeout of one node when there are several, ms. */
export const nodeTimeoutMs = ({ requestTimeout }: CqlOptions): number =>
  Math.max(1, Math.min(MAX_NODE_TIMEOUT_MS, Math.floor(requestTimeout / 2)))

/** Connects to the cluster. Fails with StorageFailure, whose message says what to do, when no node answers. */
export const connect = async (options: CqlOptions): Promise<Client> => {
  const client = clientOf(options)
  // Events about nodes are ignored: a request that fails because of them fails with its own error.
  client.on("error", () => undefined)
  try {
    await client.connect()
    return client
  } catch (cause) {
    await client.shutdown().catch(() => undefined)
    throw openingFailure(locationOf(options), cause, options.tls !== undefined)
  }
}
