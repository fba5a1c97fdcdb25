import { type ServerProcess, startServer } from "../ServerProcess.ts"

/** What is measured. */
export interface Plan {
  /** Only requests whose name has one of these texts. */
  readonly only: ReadonlyArray<string>
  readonly inFlight: ReadonlyArray<number>
  readonly pools: ReadonlyArray<number>
  /** Seconds of each figure. */
  readonly seconds: number
  /** Seconds of requests of each kind before the first figure of this server. */
  readonly warm: number
  /** Worker processes of this server. */
  readonly workers: number
}

/** Conditions of a comparison. */
export interface Comparison extends Plan {
  /** Seconds of requests before the first figure of JanusGraph. */
  readonly warmPeer: number
  /** Heaps, MB. */
  readonly heap: number
  readonly cassandraHeap: number
  /** This server alone. */
  readonly noPeer: boolean
  /** `cache.db-cache` of both: one round for each of the values. */
  readonly dbCache: ReadonlyArray<boolean>
  /** Persons of the graph that is imported and scanned; 0 for none. */
  readonly imported: number
}

/** Where JanusGraph has its graph. */
export const janusGraphProperties = (port: number, keyspace: string): string =>
  `storage.backend=cql\nstorage.hostname=127.0.0.1\nstorage.port=${port}\nstorage.cql.keyspace=${keyspace}\n`

/** The properties file of a graph of this server in a keyspace. */
export const propertiesOf = (port: number, keyspace: string): string =>
  `engine.graph=JanusGraphFactory\nstorage.backend=cql\nstorage.hostname=127.0.0.1\nstorage.port=${port}\n` +
  `storage.cql.keyspace=${keyspace}\n${process.env.BENCH_PROPERTIES ?? ""}\n`

/** Node.js options of this server in measurements. */
const nodeOptions = (process.env.BENCH_NODE_OPTIONS ?? "").split(" ").filter((option) => option !== "")

/** A scan of a large graph takes longer than the time limit that is shipped, ms. */
const EVALUATION_TIMEOUT_MS = 3_600_000

/** How this server starts over a keyspace. */
export interface OurServer {
  /** Of Cassandra. */
  readonly port: number
  readonly keyspace: string
  readonly pool: number
  readonly workers: number
  /** Further lines of the properties file. */
  readonly more?: string
  /** The built checkout whose server starts. The default is this one. */
  readonly checkout?: string | undefined
}

/** Starts this server over a keyspace. */
export const startOurs = ({ checkout, keyspace, more = "", pool, port, workers }: OurServer): Promise<ServerProcess> =>
  startServer({
    checkout,
    yaml: `enginePool: ${pool}\nevaluationTimeout: ${EVALUATION_TIMEOUT_MS}\nworkers: ${workers}\n`,
    properties: propertiesOf(port, keyspace) + more,
    nodeOptions
  })
