import type { CqlSettings, CqlTlsSettings, InstanceSettings } from "../../services/GraphSettings.ts"
import { consistencyLevels, cqlDefaults } from "../../storage/cassandra/CqlOptions.ts"
import { coordinationDefaults } from "../../storage/cassandra/coordination/CoordinationOptions.ts"
import { list } from "./Lists.ts"
import type { OptionReader } from "./OptionReader.ts"
import { locate, type Places } from "./Places.ts"

/** An option of a graph in Cassandra: how its key is read, and the value that it has without a line. */
interface CqlOption<A> {
  readonly key: string
  readonly otherwise: A
  /** Several lines of the key are joined by commas. */
  readonly isList: boolean
  readonly read: (reader: OptionReader) => A
}

/** The options that give a settings object its properties. */
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
const whole = (key: string, otherwise: number, unit = ""): CqlOption<number> =>
  option(key, otherwise, (reader) => reader.whole(key, otherwise, { unit }))

/** A whole number that may be 0. */
const count = <B extends number | undefined>(key: string, otherwise: B, unit = ""): CqlOption<number | B> =>
  option<number | B>(key, otherwise, (reader) => reader.whole(key, otherwise, { least: 0, unit }))

const level = (key: string, otherwise: (typeof consistencyLevels)[number]): CqlOption<string> =>
  option<string>(key, otherwise, (reader) => reader.oneOf(key, consistencyLevels, otherwise))

/** Names and values, one after the other. */
const pairs = (key: string, otherwise: ReadonlyArray<string>): CqlOption<ReadonlyArray<string>> =>
  option(
    key,
    otherwise,
    (reader) => {
      const found = list(reader.get(key))
      if (found.length % 2 === 1) reader.fail(key, "must be names and values, one after the other: dc1,3,dc2,2")
      return found
    },
    true
  )

/** JanusGraph chooses the limit when it is 0. */
const backPressure = (key: string, otherwise: number): CqlOption<number> =>
  option(key, otherwise, (reader) => reader.whole(key, otherwise, { least: 0 }) || otherwise)

/** How this server takes part among the instances that share a keyspace. */
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

/** How a keyspace and its tables are created. */
const schemaOptions: OptionsOf<CqlSettings["schema"]> = {
  replicationStrategy: text("storage.cql.replication-strategy-class", schemaDefaults.replicationStrategy),
  replicationOptions: pairs("storage.cql.replication-strategy-options", schemaDefaults.replicationOptions),
  replicationFactor: whole("storage.cql.replication-factor", schemaDefaults.replicationFactor),
  compactionStrategy: text("storage.cql.compaction-strategy-class", schemaDefaults.compactionStrategy),
  compactionOptions: pairs("storage.cql.compaction-strategy-options", schemaDefaults.compactionOptions),
  compression: flag("storage.cql.compression", schemaDefaults.compression),
  compressionType: text("storage.cql.compression-type", schemaDefaults.compressionType),
  compressionBlockSize: whole("storage.cql.compression-block-size", schemaDefaults.compressionBlockSize),
  gcGraceSeconds: count("storage.cql.gc-grace-seconds", schemaDefaults.gcGraceSeconds, "s"),
  speculativeRetry: text("storage.cql.speculative-retry", schemaDefaults.speculativeRetry)
}

/** How the cluster is addressed. */
const clusterOptions: OptionsOf<Omit<CqlSettings, "instance" | "schema" | "tls">> = {
  localDatacenter: text("storage.cql.local-datacenter", cqlDefaults.localDatacenter),
  readConsistency: level("storage.cql.read-consistency-level", cqlDefaults.readConsistency),
  writeConsistency: level("storage.cql.write-consistency-level", cqlDefaults.writeConsistency),
  localSystemOperations: flag(
    "storage.cql.only-use-local-consistency-for-system-operations",
    cqlDefaults.localSystemOperations
  ),
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

/** Every option that only a graph in Cassandra has, except those that say where the keyspace is. */
export const cqlGraphOptions: ReadonlyArray<Pick<CqlOption<unknown>, "key" | "otherwise" | "isList">> = [
  ...Object.values(instanceOptions),
  ...Object.values(clusterOptions),
  ...Object.values(schemaOptions),
  ...Object.values(tlsOptions)
]

const readAll = <Settings>(options: OptionsOf<Settings>, reader: OptionReader): Settings => {
  const entries = Object.entries<CqlOption<unknown>>(options).map(([name, { read }]) => [name, read(reader)])
  return Object.fromEntries(entries) as Settings
}

const tls = (reader: OptionReader, file: string, places: Places): CqlTlsSettings | undefined => {
  if (!tlsOptions.enabled.read(reader)) return undefined
  const located = ({ key, read }: CqlOption<string | undefined>): string | undefined => {
    const given = read(reader)
    if (given === undefined) return undefined
    const result = locate(places, file, given)
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
export const cqlSettings = (reader: OptionReader, file: string, places: Places): CqlSettings => ({
  instance: readAll(instanceOptions, reader),
  ...readAll(clusterOptions, reader),
  schema: readAll(schemaOptions, reader),
  tls: tls(reader, file, places)
})
