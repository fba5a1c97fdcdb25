import { join } from "node:path"
import { isInside } from "../../../process/io/DataFiles.ts"
import { type DynamicGraphError, GRAPH_NAME, type GraphConfiguration } from "../../../services/DynamicGraphs.ts"
import type { GraphSettings, StorageOptions } from "../../../services/GraphSettings.ts"
import { OPENED_GRAPH } from "../../../services/ScriptGraphs.ts"
import type { ServerSettings } from "../../../services/Settings.ts"
import { canonical } from "../../../storage/shared/CanonicalPath.ts"
import { decodeGraphFile } from "../../config/GraphFile.ts"
import type { Note } from "../../config/Report.ts"
import { mayShareData, sameStorage } from "../../config/SameStorage.ts"
import { isInMemory, notShared } from "../../config/WorkerCount.ts"
import { invalid, ownKeys } from "./ConfigurationOptions.ts"
import {
  documentLocationsOf,
  indexNamesOf,
  lower,
  mayHaveIndex,
  mayShareDocuments,
  storageOf
} from "./DataLocations.ts"

/** What is fixed while the server runs: its folder, hosts, and the graphs that no configuration may name. */
export class GraphRules {
  readonly #settings: ServerSettings
  readonly #configurationGraph: GraphSettings | undefined
  /** With links resolved. */
  readonly #folder: string
  readonly #hosts: ReadonlySet<string>

  readonly #hasWorkers: boolean

  /**
   * @param configurationGraph undefined for none
   * @param hasWorkers several processes serve the graphs
   */
  constructor(settings: ServerSettings, configurationGraph: GraphSettings | undefined, hasWorkers = false) {
    this.#settings = settings
    this.#hasWorkers = hasWorkers
    this.#configurationGraph = configurationGraph
    this.#folder = canonical(settings.dynamicGraphs.directory)
    this.#hosts = new Set([...settings.dynamicGraphs.hosts, ...hostsOf(configurationGraph)].map(lower))
    const io = canonical(settings.ioDirectory)
    if (isInside(io, this.#folder) || isInside(this.#folder, io)) {
      throw invalid(
        `dynamicGraphs.directory (${this.#folder}) and ioDirectory (${io}) must not contain each other: io() could read and replace graphs`
      )
    }
  }

  /**
   * The settings of a graph. Throws DynamicGraphError for options that are wrong, and for data that a configuration must not
   * name: outside the folder, on other hosts, of users, of configurations, or of a graph of the configuration file. `notes` gets the
   * notes about its options.
   */
  settingsOf(name: string, configuration: GraphConfiguration, notes: Array<Note> = []): GraphSettings {
    const options = this.#withDefaults(name, configuration)
    const settings: GraphSettings = { ...this.decoded(name, options, null, notes), file: undefined }
    if (this.#hasWorkers && isInMemory(settings)) throw invalid(`${notShared(name)}.`)
    return this.checked(settings)
  }

  /** The folder below which all data and files are, with links resolved. */
  get folder(): string {
    return this.#folder
  }

  /**
   * The settings that options mean, or those of a properties file. Relative paths are below the folder. Throws DynamicGraphError
   * for options that are wrong. Nothing says yet that a configuration may name its data: see {@link checked}. `notes` gets the notes
   * about the options.
   */
  decoded(
    name: string,
    options: ReadonlyMap<string, string>,
    file: { readonly path: string; readonly text: string } | null = null,
    notes: Array<Note> = []
  ): GraphSettings {
    const home = this.#folder
    const overrides = Array.from(options, ([key, value]) => ({ key, value, origin: { kind: "default" } as const }))
    const folders = { home, cwd: home, library: undefined, installation: home }
    // Without a file its name is only needed for messages.
    const path = file?.path ?? join(home, "configuration")
    const decoded = decodeGraphFile(
      name,
      { file: path, text: file?.text ?? "", overrides, environment: undefined },
      folders
    )
    for (const { level, text } of decoded.notes) {
      notes.push({ level, text: file === null ? text.replace(`${path}: `, "") : text })
    }
    if (decoded.graph !== undefined) return decoded.graph
    const reasons = decoded.problems.map(({ reason, setting }) => `${setting} ${reason}`).join("; ")
    throw invalid(`The configuration of the graph '${name}' cannot be used: ${reasons}.`)
  }

  /**
   * The settings with a share of the cache, and with the folder of the data without links: a link that another process changes after
   * the check leads nowhere else. Throws DynamicGraphError for data that a configuration must not name.
   */
  checked(settings: GraphSettings): GraphSettings {
    const followed = withoutLinks(settings)
    this.#check(settings.name, followed)
    return this.#withCacheShare(followed)
  }

  /** The graph of the configuration file with the data of a graph; undefined for none. Throws for data of users or configurations. */
  servedGraph(settings: GraphSettings): string | undefined {
    this.#checkClosed(settings)
    return [...this.#settings.graphs.values()].find((other) => sameStorage(settings, other))?.name
  }

  /** A graph of the configuration file that may have the data of a graph, on whatever hosts; undefined for none. */
  servedNear(settings: GraphSettings): string | undefined {
    return [...this.#settings.graphs.values()].find((other) => mayShareData(settings, other))?.name
  }

  /** As JanusGraph: the name of the graph is its keyspace, and its folder below storage.root. */
  #withDefaults(name: string, configuration: GraphConfiguration): ReadonlyMap<string, string> {
    const options = new Map<string, string>()
    for (const [key, value] of configuration) {
      const own = key.startsWith("gremlin.") ? `engine.${key.slice("gremlin.".length)}` : key
      if (!ownKeys.has(key)) options.set(own, String(value))
    }
    options.set(GRAPH_NAME, name)
    if (!options.has("engine.graph")) options.set("engine.graph", "JanusGraphFactory")
    const backend = options.get("storage.backend")?.toLowerCase()
    const isOnDisk = backend === "lmdb" || backend === "berkeleyje"
    if (isOnDisk && !options.has("storage.directory") && !options.has("storage.root")) {
      options.set("storage.root", this.#folder)
    }
    return options
  }

  #check(name: string, settings: GraphSettings): void {
    const { factory } = settings
    if (factory.kind !== "JanusGraphFactory") {
      throw invalid(`engine.graph of the graph '${name}' must be JanusGraphFactory, not ${factory.kind}.`)
    }
    const { cells, storage } = factory
    const { cql, directory } = storage
    const schemaFile = cells?.schemaInit?.file
    const paths = { "storage.directory": directory, "schema.init.json.file": schemaFile }
    for (const [option, path] of Object.entries(paths)) this.#checkPath(name, option, path)
    const own = this.#configurationGraph && storageOf(this.#configurationGraph)?.cql?.tls
    for (const file of [cql?.tls?.keyStore, cql?.tls?.trustStore]) {
      if (file !== own?.keyStore && file !== own?.trustStore) this.#checkPath(name, "storage.cql.ssl", file)
    }
    for (const host of storage.backend === "cql" ? storage.hostname : []) this.#checkHost(name, host, storage.port)
    for (const { backend, hosts, port, tls } of cells?.searchEngines ?? []) {
      const option = `index.${backend}`
      for (const host of hosts) this.#checkEngine(name, host, port, `${option}.hostname`)
      for (const file of [tls?.keyStore, tls?.trustStore]) this.#checkPath(name, `${option}.elasticsearch.ssl`, file)
    }
    this.#checkData(name, settings)
  }

  #checkPath(name: string, option: string, path: string | undefined): void {
    if (path === undefined || isInside(this.#folder, canonical(path))) return
    throw invalid(
      `${option} of the graph '${name}' must be below ${this.#folder}, the setting dynamicGraphs.directory. ` +
        (name === OPENED_GRAPH
          ? "Name a folder below it, such as storage.directory=mine."
          : "Leave storage.directory out: the graph then has a folder of its own there.")
    )
  }

  #checkHost(name: string, host: string, port: number | undefined): void {
    if (this.#hosts.has(lower(host)) || this.#hosts.has(`${lower(host)}:${port ?? DEFAULT_PORT}`)) return
    throw invalid(
      `storage.hostname of the graph '${name}' is ${JSON.stringify(host)}, which is neither a host of the configuration graph nor ` +
        "in the setting dynamicGraphs.hosts."
    )
  }

  /** The hosts of the configuration graph are databases: a configuration must not send requests to their other ports. */
  #checkEngine(name: string, host: string, port: number, option: string): void {
    const allowed = new Set(this.#settings.dynamicGraphs.hosts.map(lower))
    if (allowed.has(lower(host)) || allowed.has(`${lower(host)}:${port}`)) return
    throw invalid(
      `${option} of the graph '${name}' is ${JSON.stringify(host)}, which is not in the setting dynamicGraphs.hosts.`
    )
  }

  /** Throws for the data of the server's users or configurations. */
  #checkClosed(settings: GraphSettings): void {
    const closed = [this.#configurationGraph, this.#settings.authentication.credentialsDb]
    if (!closed.some((it) => it && mayShareData(settings, it))) return
    throw invalid(
      `The graph '${settings.name}' would have the data of the server's users or configurations. Name another place.`
    )
  }

  #checkData(name: string, settings: GraphSettings): void {
    const served = this.servedGraph(settings)
    if (served !== undefined) throw sharedData(name, served, false)
    const own = documentLocationsOf(settings)
    const other = this.#documentsThat((place) => own.includes(place))
    if (other !== undefined) throw sharedData(name, other, true)
  }

  /** A graph of the configuration file that may have one of these documents, under the name of another index; undefined for none. */
  documentsNear(documents: ReadonlyArray<string>): string | undefined {
    return this.#documentsThat((place) => documents.some((each) => mayShareDocuments(each, place)))
  }

  #documentsThat(meets: (place: string) => boolean): string | undefined {
    return this.#served().find((other) => documentLocationsOf(other).some(meets))?.name
  }

  /** A graph of the configuration file that may have an index of a search engine, on whatever hosts; undefined for none. */
  graphWithIndex(index: string): string | undefined {
    return this.#served().find((other) => mayHaveIndex(indexNamesOf(other), index))?.name
  }

  #served(): ReadonlyArray<GraphSettings> {
    const configurations = this.#configurationGraph === undefined ? [] : [this.#configurationGraph]
    return [...configurations, ...this.#settings.graphs.values()]
  }

  /** All open graphs share the memory for cached rows. */
  #withCacheShare(settings: GraphSettings): GraphSettings {
    const { factory } = settings
    if (factory.kind !== "JanusGraphFactory" || factory.cells === undefined) return settings
    const { cacheBytes, maxOpenGraphs } = this.#settings.dynamicGraphs
    const share = Math.floor(cacheBytes / maxOpenGraphs)
    const cells = { ...factory.cells, cacheBytes: Math.min(factory.cells.cacheBytes, share) }
    return { ...settings, factory: { ...factory, cells, storage: withCache(factory.storage, share) } }
  }
}

/** Graphs in Cassandra have a cache of their own. */
const withCache = (storage: StorageOptions, most: number): StorageOptions => {
  const { cql } = storage
  if (cql === undefined) return storage
  return { ...storage, cql: { ...cql, cache: { ...cql.cache, bytes: Math.min(cql.cache.bytes, most) } } }
}

const withoutLinks = (settings: GraphSettings): GraphSettings => {
  const { factory } = settings
  if (factory.kind !== "JanusGraphFactory" || factory.storage.directory === undefined) return settings
  const storage = { ...factory.storage, directory: canonical(factory.storage.directory) }
  return { ...settings, factory: { ...factory, storage } }
}

/** The port of CQL. */
const DEFAULT_PORT = 9042

const hostsOf = (settings: GraphSettings | undefined): ReadonlyArray<string> =>
  (settings && storageOf(settings)?.hostname) ?? []

/** The error of a graph whose data, or whose documents in a search engine, would be those of another one. */
export const sharedData = (name: string, other: string, isDocuments: boolean): DynamicGraphError =>
  invalid(
    isDocuments
      ? `The graph '${name}' would have the documents of the graph '${other}' in a search engine. Set another index.<name>.index-name.`
      : `The graph '${name}' would have the data of the graph '${other}'. Name another place.`
  )

/** The note about a graph that shares documents with another one if their indexes have certain names. JanusGraph takes such graphs. */
export const nearDocuments = (other: string): Note => ({
  level: "warn",
  text:
    `an index of it can have the name of an index of the graph '${other}' in a search engine, and the same documents, because the index-name of ` +
    "one, followed by _, begins that of the other. Set another index.<name>.index-name before the graph has an index there, or give its indexes " +
    "other names: the index b_c of a graph a and the index c of a graph a_b have one name."
})

/** The error of a drop that may delete the data of another graph, whose keyspace has the same name on other hosts. */
export const notDropped = (graph: string, other: string): DynamicGraphError =>
  invalid(
    `${graph} is not dropped: the graph '${other}' has a keyspace of the same name, and different hosts may be of one cluster. ` +
      "Drop the keyspace in Cassandra if no other graph is in it."
  )
