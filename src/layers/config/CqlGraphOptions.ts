import type { CqlSettings, CqlTlsSettings, InstanceSettings } from "../../services/GraphSettings.ts"
import { consistencyLevels, cqlDefaults as defaults } from "../../storage/cassandra/CqlOptions.ts"
import { coordinationDefaults } from "../../storage/cassandra/coordination/Coordination.ts"
import { list } from "./Lists.ts"
import type { OptionReader } from "./OptionReader.ts"
import { locate, type Places } from "./Places.ts"

/** A whole number above 0; a time may have its unit, as JanusGraph writes it: `12000` or `12000 ms`. */
const wholeNumber = (reader: OptionReader, key: string, otherwise: number, unit = ""): number => {
  const text = reader.get(key)
  if (text === undefined) return otherwise
  const given = unit !== "" && text.trim().endsWith(unit) ? text.trim().slice(0, -unit.length).trim() : text.trim()
  const value = given === "" ? Number.NaN : Number(given)
  if (Number.isSafeInteger(value) && value > 0 && value <= 2 ** 31 - 1) return value
  reader.fail(key, `must be a whole number above 0${unit === "" ? "" : ` (${unit})`}, not '${text}'`)
  return otherwise
}

const optionalNumber = (reader: OptionReader, key: string, unit: string): number | undefined => {
  const text = reader.get(key)
  if (text === undefined) return undefined
  const given = /^(\d{1,9})\s*(\w*)$/.exec(text.trim())
  if (given !== null && (given[2] === "" || given[2] === unit)) return Number(given[1])
  return reader.fail(key, `must be a whole number${unit === "" ? "" : ` (${unit})`}, not '${text}'`)
}

const instance = (reader: OptionReader): InstanceSettings => ({
  instance: reader.get("graph.unique-instance-id"),
  replaceInstance: reader.flag("graph.replace-instance-if-exists", coordinationDefaults.replaceInstance),
  idTag: optionalNumber(reader, "ids.authority.conflict-avoidance-tag", "") ?? coordinationDefaults.idTag,
  idTimeout: wholeNumber(reader, "ids.renew-timeout", coordinationDefaults.idTimeout, "ms"),
  lockWait: optionalNumber(reader, "storage.lock.wait-time", "ms"),
  lockRetries: optionalNumber(reader, "storage.lock.retries", ""),
  newsInterval: wholeNumber(reader, "log.janusgraph.read-interval", coordinationDefaults.newsInterval, "ms")
})

/** JanusGraph reads 0 as "choose one". */
const backPressure = (reader: OptionReader): number =>
  reader.get("storage.cql.back-pressure-limit")?.trim() === "0"
    ? defaults.backPressureLimit
    : wholeNumber(reader, "storage.cql.back-pressure-limit", defaults.backPressureLimit)

/** Names and values, one after the other. */
const pairs = (reader: OptionReader, key: string): ReadonlyArray<string> => {
  const found = list(reader.get(key))
  if (found.length % 2 === 1) reader.fail(key, "must be names and values, one after the other: dc1,3,dc2,2")
  return found
}

const tls = (reader: OptionReader, file: string, places: Places): CqlTlsSettings | undefined => {
  const option = (name: string): string => `storage.cql.ssl.${name}`
  if (!reader.flag(option("enabled"), false)) return undefined
  const found = (name: string): string | undefined => {
    const given = reader.get(option(name))
    if (given === undefined) return undefined
    const located = locate(places, file, given)
    return "reason" in located ? reader.fail(option(name), located.reason) : located.found
  }
  const shows = reader.flag(option("client-authentication-enabled"), false)
  if (shows && reader.get(option("keystore.location")) === undefined) {
    reader.fail(option("keystore.location"), "is missing; storage.cql.ssl.client-authentication-enabled=true needs it")
  }
  return {
    trustStore: found("truststore.location"),
    trustStorePassword: reader.get(option("truststore.password")),
    keyStore: shows ? found("keystore.location") : undefined,
    keyStorePassword: reader.get(option("keystore.storepassword")),
    keyPassword: reader.get(option("keystore.keypassword")),
    hostnameValidation: reader.flag(option("hostname_validation"), false)
  }
}

/** `storage.cql.*`, with JanusGraph's names and defaults; `file` is the properties file that they are in. */
export const cqlOptions = (reader: OptionReader, file: string, places: Places): CqlSettings => {
  const { schema } = defaults
  const level = (key: string, otherwise: (typeof consistencyLevels)[number]) =>
    reader.oneOf(key, consistencyLevels, otherwise)
  return {
    instance: instance(reader),
    localDatacenter: reader.get("storage.cql.local-datacenter") ?? defaults.localDatacenter,
    readConsistency: level("storage.cql.read-consistency-level", defaults.readConsistency),
    writeConsistency: level("storage.cql.write-consistency-level", defaults.writeConsistency),
    localSystemOperations: reader.flag(
      "storage.cql.only-use-local-consistency-for-system-operations",
      defaults.localSystemOperations
    ),
    requestTimeout: wholeNumber(reader, "storage.cql.request-timeout", defaults.requestTimeout, "ms"),
    connectionTimeout: wholeNumber(reader, "storage.connection-timeout", defaults.connectionTimeout, "ms"),
    backPressureLimit: backPressure(reader),
    batchSize: wholeNumber(reader, "storage.cql.batch-statement-size", defaults.batchSize),
    loggedBatches: reader.flag("storage.cql.atomic-batch-mutate", defaults.loggedBatches),
    schema: {
      replicationStrategy: reader.get("storage.cql.replication-strategy-class") ?? schema.replicationStrategy,
      replicationOptions: pairs(reader, "storage.cql.replication-strategy-options"),
      replicationFactor: wholeNumber(reader, "storage.cql.replication-factor", schema.replicationFactor),
      compactionStrategy: reader.get("storage.cql.compaction-strategy-class"),
      compactionOptions: pairs(reader, "storage.cql.compaction-strategy-options"),
      compression: reader.flag("storage.cql.compression", schema.compression),
      compressionType: reader.get("storage.cql.compression-type") ?? schema.compressionType,
      compressionBlockSize: wholeNumber(reader, "storage.cql.compression-block-size", schema.compressionBlockSize),
      gcGraceSeconds: optionalNumber(reader, "storage.cql.gc-grace-seconds", "s"),
      speculativeRetry: reader.get("storage.cql.speculative-retry")
    },
    tls: tls(reader, file, places)
  }
}
