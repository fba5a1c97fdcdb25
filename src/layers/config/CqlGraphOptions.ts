import type { CqlSettings, CqlTlsSettings, InstanceSettings } from "../../services/GraphSettings.ts"
import { consistencyLevels, cqlDefaults } from "../../storage/cassandra/CqlOptions.ts"
import { coordinationDefaults } from "../../storage/cassandra/coordination/CoordinationOptions.ts"
import { cacheBytes } from "./CellGraphOptions.ts"
import { type ConfigFolders, locate } from "./ConfigFolders.ts"
import { list } from "./Lists.ts"
import type { DurationUnit, OptionReader } from "./OptionReader.ts"

/** An option of a graph in Cassandra, and how it is read. */
interface CqlOption<A> {
  readonly key: string
  /** The value if the properties file does not set the option. */
  readonly otherwise: A
  /** True if several lines with the same key are joined by commas. */
  readonly isList: boolean
  readonly read: (reader: OptionReader) => A
}

/** One option for each property of a settings object. */
type OptionsOf<Settings> = { readonly [Name in keyof Settings]: CqlOption<Settings[Name]> }

const option = <A>(key: string, otherwise: A, read: (reader: OptionReader) => A, isList = false): CqlOption<A> => ({
  key,
  otherwise,
  isList,
  read
})

const text = <B extends string | undefined>(key: string, otherwise: B): CqlOption<string | B> =>
  option<string | B>(key, otherwise, (reader) => reader.get(key) ?? otherwise)

const flag = (key: string, otherwise: boolean): CqlOption<boolean> =>
  option(key, otherwise, (reader) => reader.flag(key, otherwise))

/** A whole number above 0, with a unit or without. */
const whole = (key: string, otherwise: number, unit?: DurationUnit): CqlOption<number> =>
  option(key, otherwise, (reader) => reader.whole(key, otherwise, { unit }))

/** A whole number that may be 0. */
const count = <B extends number | undefined>(key: string, otherwise: B, unit?: DurationUnit): CqlOption<number | B> =>
  option<number | B>(key, otherwise, (reader) => reader.whole(key, otherwise, { least: 0, unit }))

const level = (key: string, otherwise: (typeof consistencyLevels)[number]): CqlOption<string> =>
  option<string>(key, otherwise, (reader) => reader.oneOf(key, consistencyLevels, otherwise))

/** A list in which names and values alternate. */
const pairs = (key: string, otherwise: ReadonlyArray<string>): CqlOption<ReadonlyArray<string>> =>
  option(
    key,
    otherwise,
    (reader) => {
      const found = list(reader.get(key))
      if (found.length % 2 === 1)
        reader.fail(key, "must be a list of names, each followed by its value, such as dc1,3,dc2,2")
      return found
    },
    true
  )

/** A limit for which 0 means the default, as in JanusGraph. */
const backPressure = (key: string, otherwise: number): CqlOption<number> =>
  option(key, otherwise, (reader) => reader.whole(key, otherwise, { least: 0 }) || otherwise)

/** Options of this server as one of the instances that share a keyspace. */
const instanceOptions: OptionsOf<InstanceSettings> = {
  instance: text("graph.unique-instance-id", undefined),
  replaceInstance: flag("graph.replace-instance-if-exists", coordinationDefaults.replaceInstance),
  idTag: count("ids.authority.conflict-avoidance-tag", coordinationDefaults.idTag),
  idTimeout: whole("ids.renew-timeout", coordinationDefaults.idTimeout, "ms"),
  lockWait: count("storage.lock.wait-time", undefined, "ms"),
  lockRetries: count("storage.lock.retries", undefined),
  newsInterval: whole("log.janusgraph.read-interval", coordinationDefaults.newsInterval, "ms")
}

const { schema: schemaDefaults } = cqlDefaults

/** Options for creating a keyspace and its tables. */
const schemaOptions: OptionsOf<CqlSettings["schema"]> = {
  replicationStrategy: text("storage.cql.replication-strategy-class", schemaDefaults.replicationStrategy),
  replicationOptions: pairs("storage.cql.replication-strategy-options", schemaDefaults.replicationOptions),
  replicationFactor: whole("storage.cql.replication-factor", schemaDefaults.replicationFactor),
  compactionStrategy: text("storage.cql.compaction-strategy-class", schemaDefaults.compactionStrategy),
  compactionOptions: pairs("storage.cql.compaction-strategy-options", schemaDefaults.compactionOptions),
  compression: flag("storage.cql.compression", schemaDefaults.compression),
  compressionType: text("storage.cql.compression-type", schemaDefaults.compressionType),
  compressionBlockKib: whole("storage.cql.compression-block-size", schemaDefaults.compressionBlockKib),
  gcGraceSeconds: count("storage.cql.gc-grace-seconds", schemaDefaults.gcGraceSeconds, "s"),
  speculativeRetry: text("storage.cql.speculative-retry", schemaDefaults.speculativeRetry)
}

/** How rows are grouped into statements. */
const groupingOptions: OptionsOf<CqlSettings["grouping"]> = {
  allowed: flag("storage.cql.grouping.keys-allowed", cqlDefaults.grouping.allowed),
  limit: whole("storage.cql.grouping.keys-limit", cqlDefaults.grouping.limit),
  least: whole("storage.cql.grouping.keys-min", cqlDefaults.grouping.least)
}

/** How long slices are cached. */
const cacheOptions: OptionsOf<Omit<CqlSettings["cache"], "bytes">> = {
  time: count("cache.db-cache-time", cqlDefaults.cache.time, "ms"),
  cleanWait: count("cache.db-cache-clean-wait", cqlDefaults.cache.cleanWait, "ms")
}

/** Options of requests to the cluster. */
const clusterOptions: OptionsOf<Omit<CqlSettings, "cache" | "grouping" | "instance" | "schema" | "tls">> = {
  localDatacenter: text("storage.cql.local-datacenter", cqlDefaults.localDatacenter),
  readConsistency: level("storage.cql.read-consistency-level", cqlDefaults.readConsistency),
  writeConsistency: level("storage.cql.write-consistency-level", cqlDefaults.writeConsistency),
  localSystemOperations: flag(
    "storage.cql.only-use-local-consistency-for-system-operations",
    cqlDefaults.localSystemOperations
  ),
  setupWait: count("storage.setup-wait", 0, "ms"),
  requestTimeout: whole("storage.cql.request-timeout", cqlDefaults.requestTimeout, "ms"),
  connectionTimeout: whole("storage.connection-timeout", cqlDefaults.connectionTimeout, "ms"),
  backPressureLimit: backPressure("storage.cql.back-pressure-limit", cqlDefaults.backPressureLimit),
  batchSize: whole("storage.cql.batch-statement-size", cqlDefaults.batchSize),
  loggedBatches: flag("storage.cql.atomic-batch-mutate", cqlDefaults.loggedBatches)
}

/** TLS to the cluster. The options of files are read relative to the properties file. */
const tlsOptions = {
  enabled: flag("storage.cql.ssl.enabled", false),
  clientAuthentication: flag("storage.cql.ssl.client-authentication-enabled", false),
  hostnameValidation: flag("storage.cql.ssl.hostname_validation", false),
  keyStore: text("storage.cql.ssl.keystore.location", undefined),
  keyStorePassword: text("storage.cql.ssl.keystore.storepassword", undefined),
  keyPassword: text("storage.cql.ssl.keystore.keypassword", undefined),
  trustStore: text("storage.cql.ssl.truststore.location", undefined),
  trustStorePassword: text("storage.cql.ssl.truststore.password", undefined)
}

/** All options that only graphs in Cassandra have, except the address of the cluster and the name of the keyspace. */
export const cqlGraphOptions: ReadonlyArray<Pick<CqlOption<unknown>, "key" | "otherwise" | "isList">> = [
  ...Object.values(instanceOptions),
  ...Object.values(clusterOptions),
  ...Object.values(groupingOptions),
  ...Object.values(cacheOptions),
  ...Object.values(schemaOptions),
  ...Object.values(tlsOptions)
]

const readAll = <Settings>(options: OptionsOf<Settings>, reader: OptionReader): Settings => {
  const entries = Object.entries<CqlOption<unknown>>(options).map(([name, { read }]) => [name, read(reader)])
  return Object.fromEntries(entries) as Settings
}

const tls = (reader: OptionReader, file: string, folders: ConfigFolders): CqlTlsSettings | undefined => {
  if (!tlsOptions.enabled.read(reader)) return undefined
  const located = ({ key, read }: CqlOption<string | undefined>): string | undefined => {
    const given = read(reader)
    if (given === undefined) return undefined
    const result = locate(folders, file, given)
    return "reason" in result ? reader.fail(key, result.reason) : result.found
  }
  const { clientAuthentication, keyStore } = tlsOptions
  const showsCertificate = clientAuthentication.read(reader)
  if (showsCertificate && keyStore.read(reader) === undefined) {
    reader.fail(keyStore.key, `is missing; ${clientAuthentication.key}=true needs it`)
  }
  return {
    trustStore: located(tlsOptions.trustStore),
    trustStorePassword: tlsOptions.trustStorePassword.read(reader),
    keyStore: showsCertificate ? located(keyStore) : undefined,
    keyStorePassword: tlsOptions.keyStorePassword.read(reader),
    keyPassword: tlsOptions.keyPassword.read(reader),
    hostnameValidation: tlsOptions.hostnameValidation.read(reader)
  }
}

/** Reads {@link cqlGraphOptions}, with JanusGraph's names and defaults. `file` is their properties file. */
export const cqlSettings = (reader: OptionReader, file: string, folders: ConfigFolders): CqlSettings => ({
  instance: readAll(instanceOptions, reader),
  ...readAll(clusterOptions, reader),
  grouping: readAll(groupingOptions, reader),
  cache: { bytes: cacheBytes(reader, false), ...readAll(cacheOptions, reader) },
  schema: readAll(schemaOptions, reader),
  tls: tls(reader, file, folders)
})
