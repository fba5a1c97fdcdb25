import type { ConnectionOptions as TlsConnectionOptions } from "node:tls"
import cassandra, { type Client, type types as DriverTypes } from "cassandra-driver"
import type { ConsistencyLevel, CqlOptions, CqlTlsOptions } from "./CqlOptions.ts"
import { placeOf } from "./CqlOptions.ts"
import { openingFailure } from "./Failures.ts"

const { policies, types } = cassandra

/** Milliseconds after which a node that has not answered is not waited for alone: the next one is asked, too. */
const SPECULATE = 400
/** Nodes that are asked beside the first one, at most. */
const BESIDE = 2
/** Milliseconds that one node has for its answer, where there are others to be asked. */
const LONGEST_OF_ONE = 3000
/** Nodes that are asked one after the other, at most. */
const ATTEMPTS = 3

/**
 * Tries on the next node, but not on all of them: every request of this server can be made twice, because what it writes
 * carries its own time.
 */
class FewRetries extends policies.retry.RetryPolicy {
  override onRequestError(info: { readonly nbRetry: number }, consistency: DriverTypes.consistencies) {
    return info.nbRetry < ATTEMPTS - 1 ? this.retryResult(consistency, false) : this.rethrowResult()
  }

  override onWriteTimeout(info: { readonly nbRetry: number }, consistency: DriverTypes.consistencies) {
    return info.nbRetry === 0 ? this.retryResult(consistency, false) : this.rethrowResult()
  }
}

const NOT_AGAIN = { nextExecution: () => -1 }

/** Asks a second node when the first one is slow; with one node there is nobody else, and no timer is wasted. */
class Impatience extends policies.speculativeExecution.ConstantSpeculativeExecutionPolicy {
  #client: Client | undefined

  constructor() {
    super(SPECULATE, BESIDE)
  }

  override init(client: Client): void {
    this.#client = client
  }

  override newPlan(keyspace: string, queryInfo: string | Array<object>) {
    return (this.#client?.hosts.length ?? 0) > 1 ? super.newPlan(keyspace, queryInfo) : NOT_AGAIN
  }
}

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

/** The driver's number of a consistency level. */
export const consistencyOf = (level: ConsistencyLevel): DriverTypes.consistencies => consistencies[level]

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
    // Numbers of 64 bits as they are; cells are copied once, when they are packed.
    encoding: { useBigIntAsLong: true, copyBuffer: false },
    pooling: {
      coreConnectionsPerHost: { [types.distance.local]: 1, [types.distance.remote]: 1 },
      // One request of the driver's own beside those that are counted.
      maxRequestsPerConnection: Math.min(backPressureLimit + 64, 32_000)
    },
    policies: { retry: new FewRetries(), speculativeExecution: new Impatience() },
    socketOptions: { connectTimeout: connectionTimeout, readTimeout: oneNodesTime(options) },
    monitorReporting: { enabled: false }
  })
}

/** Milliseconds that one of several nodes has for an answer. */
export const oneNodesTime = ({ requestTimeout }: CqlOptions): number =>
  Math.max(1, Math.min(LONGEST_OF_ONE, Math.floor(requestTimeout / 2)))

/** Connects to the cluster. Fails with StorageFailure, and says what to do, when none of its nodes answers. */
export const connect = async (options: CqlOptions): Promise<Client> => {
  const client = clientOf(options)
  // What the driver tells of nodes that come and go is in its errors.
  client.on("error", () => undefined)
  try {
    await client.connect()
    return client
  } catch (cause) {
    await client.shutdown().catch(() => undefined)
    throw openingFailure(placeOf(options), cause)
  }
}
