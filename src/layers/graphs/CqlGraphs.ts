import { setTimeout as sleep } from "node:timers/promises"
import { errorOf } from "../../scheduling/Pending.ts"
import type { CellGraphSettings, CqlTlsSettings, GraphSettings, StorageOptions } from "../../services/GraphSettings.ts"
import { lateModule } from "../../services/LateModules.ts"
import {
  type ConsistencyLevel,
  type CqlOptions,
  type CqlTlsOptions,
  cqlDefaults
} from "../../storage/cassandra/CqlOptions.ts"
import { type CqlStore, dropKeyspace, openCqlStore } from "../../storage/cassandra/CqlStore.ts"
import type { CoordinationEvents } from "../../storage/cassandra/coordination/Coordination.ts"
import { coordinationDefaults } from "../../storage/cassandra/coordination/CoordinationOptions.ts"
import { isUnreachable } from "../../storage/cassandra/Failures.ts"
import { rarely, type Warned } from "../../storage/cassandra/Warnings.ts"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { readKeyFile } from "../keys/KeyFiles.ts"
import { type GraphLog, type Opening, openCells } from "./CellGraphs.ts"
import { newOptions, withStoredOptions } from "./StoredOptions.ts"

const tlsOptions = async (settings: CqlTlsSettings): Promise<CqlTlsOptions> => {
  const { hostnameValidation, keyPassword, keyStore, keyStorePassword, trustStore, trustStorePassword } = settings
  const trusted =
    trustStore === undefined
      ? undefined
      : await readKeyFile("storage.cql.ssl.truststore.location", trustStore, trustStorePassword)
  const shown =
    keyStore === undefined
      ? undefined
      : await readKeyFile("storage.cql.ssl.keystore.location", keyStore, keyStorePassword)
  return {
    ca: trusted?.certificates,
    certificate: shown?.certificates.join("\n"),
    key: shown?.key,
    passphrase: keyPassword ?? keyStorePassword,
    hostnameValidation
  }
}

const optionsOf = async (storage: StorageOptions, worker?: Opening["worker"]): Promise<CqlOptions> => {
  const { cql, hostname, keyspace, mustExist = false, password, port, readOnly, username } = storage
  return {
    ...cqlDefaults,
    ...cql,
    readConsistency: (cql?.readConsistency ?? cqlDefaults.readConsistency) as ConsistencyLevel,
    writeConsistency: (cql?.writeConsistency ?? cqlDefaults.writeConsistency) as ConsistencyLevel,
    hosts: hostname,
    port: port ?? cqlDefaults.port,
    keyspace: keyspace!,
    username,
    password,
    readOnly,
    mustExist,
    ...(worker?.workers === undefined ? {} : { workers: worker.workers }),
    tls: cql?.tls === undefined ? undefined : await tlsOptions(cql.tls)
  }
}

/** Time in which a repeated failure is logged once: background work is retried every few seconds. */
const REPEAT_LOG_MS = 60_000

/** Logs events of the instances that share the keyspace. */
const eventsOf = (name: string, log: GraphLog): CoordinationEvents & { readonly warned: Warned } => {
  let logged = ""
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    others: (instances) => {
      const names = instances.map(({ name: other, started }) => `${other} (since ${started ?? "an unknown time"})`)
      log("info", `The graph '${name}' is also open in other instances: ${names.join(", ")}`)
    },
    notice: (text) => log("info", `The graph '${name}': ${text}`),
    reregistered: () =>
      log(
        "error",
        `The registration of this server for the graph '${name}' was removed from outside; it was written again`
      ),
    failed: (error) => {
      const reason = errorOf(error).message
      if (reason === logged && performance.now() - loggedAt < REPEAT_LOG_MS) return
      logged = reason
      loggedAt = performance.now()
      log("error", `Background work for the graph '${name}' failed, and is retried: ${reason}`)
    },
    warned: rarely((text) =>
      log("warning", `A node of Cassandra warns of a statement for the graph '${name}': ${text}`)
    ),
    unlogged: (table, error) =>
      log(
        "error",
        `A transaction of the graph '${name}' is committed, but a message about it is missing in the log ${table}: ${errorOf(error).message}`
      )
  }
}

/** Time between two attempts to reach a cluster. */
const RETRY_MS = 1_000

/** Opens a store. When no node answers, repeats that for `wait` ms, and then fails with the last failure. */
const whenReachable = async <A>(open: () => Promise<A>, wait: number, log: (text: string) => void): Promise<A> => {
  const start = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await open()
    } catch (failure) {
      const waited = performance.now() - start
      if (!isUnreachable(failure) || wait === 0) throw failure
      const { message } = errorOf(failure)
      if (waited >= wait) {
        const seconds = Math.round(waited / 1000)
        throw new StorageFailure(`${message} The start waited ${seconds} s for the storage (storage.setup-wait).`, {
          cause: failure
        })
      }
      if (attempt === 1) log(`the start waits at most ${wait} ms for the storage: ${message}`)
      await sleep(Math.min(RETRY_MS, wait - waited))
    }
  }
}

/**
 * Opens the graph of a keyspace, or creates it. Fails with StorageFailure when the cluster cannot be reached, or its data
 * cannot be read.
 */
export const openCqlGraph = async (
  settings: Pick<GraphSettings, "file" | "name" | "options">,
  storage: StorageOptions,
  cells: CellGraphSettings,
  { log, worker }: Omit<Opening, "signal">
): Promise<GraphStore> => {
  const { name } = settings
  const wanted = {
    partitionBits: Math.log2(cells.partitions),
    idBlockSize: cells.idBlockSize,
    userVertexIds: cells.userVertexIds,
    textVertexIds: cells.textVertexIds,
    more: newOptions(settings.options)
  }
  const coordination = { ...coordinationDefaults, ...storage.cql?.instance, worker, readOnly: storage.readOnly }
  const options = await optionsOf(storage, worker)
  const open = (): Promise<CqlStore> => openCqlStore(options, wanted, coordination, eventsOf(name, log))
  const store = await whenReachable(open, storage.cql?.setupWait ?? 0, (text) =>
    log("info", `The graph '${name}': ${text}`)
  )
  // The options with which the keyspace was created take precedence over those of the file.
  const { partitionBits, ...fixed } = store.coordination.settings
  const stored = await closingOnFailure(store, () =>
    withStoredOptions({ ...settings, cells }, store.coordination.stored, store.location)
  )
  for (const notice of stored.notices) log("warning", `The graph '${name}': ${notice}`)
  const known: CellGraphSettings = {
    ...stored.cells,
    partitions: 2 ** partitionBits,
    idBlockSize: fixed.idBlockSize,
    userVertexIds: fixed.userVertexIds,
    textVertexIds: fixed.textVertexIds
  }
  const engines = await closingOnFailure(store, () => searchEnginesOf(stored.cells))
  return openCells(store, name, storage.readOnly, known, { log, engines })
}

/** Closes the store if `work` throws. */
const closingOnFailure = async <A>(store: CqlStore, work: () => A | Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (cause) {
    await store.close()
    throw cause
  }
}

/** Loads the client of search engines only for a graph that has one. Fails with StorageFailure for wrong files of keys. */
const searchEnginesOf = async ({ searchEngines }: CellGraphSettings) => {
  if (searchEngines.length === 0) return undefined
  const { openEngines } = await lateModule(import("./SearchEngines.ts"))
  return openEngines(searchEngines)
}

/** Deletes the keyspace of a graph, with all data. Fails with StorageFailure when the cluster cannot be reached. */
export const dropCqlGraph = async (storage: StorageOptions): Promise<void> => dropKeyspace(await optionsOf(storage))
