import { resolve, sep } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { isInside } from "../../../process/io/DataFiles.ts"
import { DynamicGraphError, type DynamicGraphs, type GraphConfiguration } from "../../../services/DynamicGraphs.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import { type FoundGraph, OPENED_GRAPH, type ScriptGraphs } from "../../../services/ScriptGraphs.ts"
import { canonical } from "../../../storage/shared/CanonicalPath.ts"
import { reasonOf } from "../../../structure/errors/Reason.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"
import { parseProperties } from "../../config/PropertiesFile.ts"
import type { Note } from "../../config/Report.ts"
import { DEFAULT_INDEX_NAME } from "../../config/SearchEngineOptions.ts"
import { isCassandra } from "../../config/StorageBackends.ts"
import { checkedOptions } from "./ConfigurationOptions.ts"
import { areSameCells, type CellLocation, dataLocationsOf, indexNamesOf, mayHaveIndex } from "./DataLocations.ts"
import { deleteGraph, isShared, othersGone, storageIsReadOnly } from "./GraphData.ts"
import { logNotes } from "./GraphNotes.ts"
import { type GraphRules, notDropped } from "./GraphRules.ts"
import { readProperties } from "./ScriptPropertiesFile.ts"
import { SerialWork } from "./SerialWork.ts"

/** The dependencies of {@link ScriptGraphList}. */
interface Parts {
  readonly rules: GraphRules
  readonly allowed: boolean
  /** The properties files of the graphs of the server, by name. */
  readonly files: ReadonlyMap<string, string>
  /** Undefined without a configuration graph. */
  readonly dynamic: DynamicGraphs | undefined
  readonly maxOpenGraphs: number
  /** Other processes may have the same graphs open. */
  readonly hasWorkers: boolean
  readonly openStore: (settings: GraphSettings) => Promise<GraphStore>
  readonly deleteData: (settings: GraphSettings) => Promise<void>
  readonly log: (level: "info" | "warning" | "error", text: string) => void
}

interface Opened {
  /** Undefined for a graph in memory. */
  readonly cells: CellLocation | undefined
  /** Its operations run one after another with those of graphs of the same series. */
  readonly series: string
  readonly store: GraphStore
  readonly settings: GraphSettings
  /** Requests and sessions that have opened it, each time counted. */
  uses: number
  isDropped: boolean
}

/** What a script wants to open: options with the notes about them, or the name of a graph of the server. */
type Meant = { readonly settings: GraphSettings; readonly notes: ReadonlyArray<Note> } | { readonly served: string }

/** JanusGraph's default of `storage.cql.keyspace`, for a graph without a name. */
const DEFAULT_KEYSPACE = "janusgraph"

/** Backends that JanusGraph opens by their name, and the option that what follows a colon sets. */
const shorthands: ReadonlyMap<string, string | undefined> = new Map([
  ["inmemory", undefined],
  ["lmdb", "storage.directory"],
  ["berkeleyje", "storage.directory"],
  ["cql", "storage.hostname"]
])

/** The series of graphs that may have the same data, on whatever hosts. */
const seriesOf = (cells: CellLocation): string =>
  cells.kind === "lmdb" ? `lmdb ${cells.directory}` : `cql ${cells.keyspace}`

const invalid = (message: string): DynamicGraphError => new DynamicGraphError("invalid", message)

/** Options of the location of a graph, which may have several spellings. */
const placeOptions: ReadonlySet<string> = new Set([
  "storage.backend",
  "storage.directory",
  "storage.hostname",
  "storage.port",
  "storage.cql.keyspace"
])

/** The options of a graph besides its location. */
const optionsOf = ({ factory }: GraphSettings): unknown => {
  if (factory.kind !== "JanusGraphFactory") return factory
  return { ...factory, storage: { ...factory.storage, directory: "", hostname: [], keyspace: "", port: 0 } }
}

/** Throws DynamicGraphError when an open graph has other options, such as storage.read-only or another user of the cluster. */
const assertSameOptions = (open: GraphSettings, wanted: GraphSettings): void => {
  if (isDeepStrictEqual(optionsOf(open), optionsOf(wanted))) return
  const keys = [...new Set([...open.options.keys(), ...wanted.options.keys()])].filter((key) => !placeOptions.has(key))
  const different = keys.filter((key) => open.options.get(key) !== wanted.options.get(key)).sort()
  throw invalid(
    `The graph is open with other options (${different.join(", ")}). Open it with the same options, or after all scripts have closed it.`
  )
}

/** The graphs that scripts have opened by JanusGraphFactory, each once for all that use it. */
export class ScriptGraphList implements ScriptGraphs {
  readonly allowed: boolean
  readonly #parts: Parts
  readonly #open = new Set<Opened>()
  /** Operations on graphs that may have the same data run one after another. */
  readonly #serial = new SerialWork()
  #opening = 0
  /** Number of graphs in memory so far: each is a location of its own. */
  #inMemory = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.allowed = parts.allowed
    if (parts.dynamic !== undefined) parts.dynamic.scriptGraphWithIndex = (index) => this.#hasOpen(index)
  }

  #hasOpen(index: string): boolean {
    return [...this.#open].some(({ settings }) => mayHaveIndex(indexNamesOf(settings), index))
  }

  /** Another graph that may have an index of a search engine, for messages; undefined for none. The graph of a drop is not in the list. */
  #ownerOf(index: string): string | undefined {
    const { dynamic, rules } = this.#parts
    const name = rules.graphWithIndex(index) ?? dynamic?.graphWithIndex(index)
    if (name !== undefined) return `the graph '${name}'`
    if (this.#hasOpen(index)) return "another graph that a script has opened"
    return mayHaveIndex([DEFAULT_INDEX_NAME], index) ? "graphs without graph.graphname" : undefined
  }

  async open(wanted: string | GraphConfiguration): Promise<FoundGraph> {
    const { dynamic, rules } = this.#parts
    const meant = this.#settingsOf(wanted)
    if ("served" in meant) return { kind: "served", name: meant.served }
    const served = rules.servedGraph(meant.settings)
    if (served !== undefined) return { kind: "served", name: served }
    const settings = rules.checked(meant.settings)
    const name = dynamic?.graphWithData(settings)
    if (name !== undefined) {
      await dynamic!.open(name)
      return { kind: "served", name }
    }
    const { cells } = dataLocationsOf(settings)
    const series = cells === undefined ? `memory ${this.#inMemory++}` : seriesOf(cells)
    return this.#serial.run(series, async () => {
      let opened = [...this.#open].find((each) => areSameCells(each.cells, cells))
      if (opened === undefined) {
        opened = { cells, series, store: await this.#openStore(settings), settings, uses: 0, isDropped: false }
        this.#open.add(opened)
        logNotes(this.#parts.log, "A graph that a script opens", meant.notes)
      } else assertSameOptions(opened.settings, settings)
      return this.#use(opened)
    })
  }

  async drop(store: GraphStore, begun: () => void): Promise<void> {
    const opened = [...this.#open].find((each) => each.store === store)
    if (opened === undefined) throw new DynamicGraphError("missing", "The graph is closed: open it before drop().")
    await this.#serial.run(opened.series, () => this.#drop(opened, begun))
  }

  /** Closes all graphs at the end of the server. */
  async end(): Promise<void> {
    await this.#serial.ended()
    await Promise.all(Array.from(this.#open, ({ store }) => store.close()))
    this.#open.clear()
  }

  async #drop(opened: Opened, begun: () => void): Promise<void> {
    const { settings, store } = opened
    const storage = settings.factory.kind === "JanusGraphFactory" ? settings.factory.storage : undefined
    if (opened.uses > 1) throw invalid("The graph is not dropped: another request or session has it open.")
    if (storageIsReadOnly(settings))
      throw invalid("The graph is read-only (storage.read-only=true): it is not dropped.")
    if (this.#parts.hasWorkers && storage?.backend === "lmdb") {
      throw invalid(
        "JanusGraphFactory.drop() is not available with several workers, which may have the graph open. A graph of " +
          "ConfiguredGraphFactory can be dropped."
      )
    }
    if (isShared(settings)) {
      const others = (await othersGone(store)).length
      if (others > 0) throw invalid(`The graph is not dropped: ${others} other servers have it open.`)
    }
    const { dynamic, rules } = this.#parts
    const near = rules.servedNear(settings) ?? dynamic?.graphNear(settings)
    if (near !== undefined) throw notDropped("The graph", near)
    begun()
    opened.isDropped = true
    this.#open.delete(opened)
    const { deleteData, log } = this.#parts
    const ownerOf = (index: string): string | undefined => this.#ownerOf(index)
    await deleteGraph({ store, deleteData: () => deleteData(settings), ownerOf, log })
    log("info", `A script dropped the graph in ${store.describe()}`)
  }

  /** Counts one use of an open graph. */
  #use(opened: Opened): FoundGraph {
    opened.uses++
    let isOpen = true
    const close = (): void => {
      if (!isOpen) return
      isOpen = false
      opened.uses--
      if (opened.uses === 0 && !opened.isDropped) void this.#serial.run(opened.series, () => this.#closeUnused(opened))
    }
    return { kind: "opened", store: opened.store, close }
  }

  async #closeUnused(opened: Opened): Promise<void> {
    if (opened.uses > 0 || opened.isDropped || !this.#open.has(opened)) return
    this.#open.delete(opened)
    try {
      await opened.store.close()
    } catch (error) {
      this.#parts.log("error", `A graph that a script opened was not closed: ${(error as Error).message}`)
    }
  }

  async #openStore(settings: GraphSettings): Promise<GraphStore> {
    const { maxOpenGraphs, openStore } = this.#parts
    if (this.#open.size + this.#opening >= maxOpenGraphs) {
      throw new DynamicGraphError(
        "limit",
        `Scripts have ${maxOpenGraphs} graphs open, the setting dynamicGraphs.maxOpenGraphs. Close one by graph.close().`
      )
    }
    this.#opening++
    try {
      return await openStore(settings)
    } catch (cause) {
      throw new DynamicGraphError("failed", reasonOf(cause), { cause })
    } finally {
      this.#opening--
    }
  }

  #settingsOf(wanted: string | GraphConfiguration): Meant {
    if (typeof wanted !== "string") return this.#decoded(checkedOptions(wanted))
    const colon = wanted.indexOf(":")
    const backend = colon === -1 ? wanted : wanted.slice(0, colon)
    if (shorthands.has(backend)) {
      const option = shorthands.get(backend)
      const options = new Map<string, unknown>([["storage.backend", backend]])
      if (option !== undefined && colon !== -1) options.set(option, wanted.slice(colon + 1))
      return this.#decoded(options)
    }
    return this.#fromFile(wanted)
  }

  #decoded(options: GraphConfiguration, file: { readonly path: string; readonly text: string } | null = null): Meant {
    const texts = new Map<string, string>()
    for (const [key, value] of options) if (!/^(?:gremlin|engine)\.graph$/.test(key)) texts.set(key, String(value))
    texts.set("engine.graph", "JanusGraphFactory")
    const inFile = new Map(parseProperties(file?.text ?? "").map(({ key, value }) => [key, value]))
    const given = (key: string): string | undefined => texts.get(key) ?? inFile.get(key)
    const isCql = isCassandra(given("storage.backend"))
    if (isCql && given("storage.cql.keyspace") === undefined && given("graph.graphname") === undefined) {
      texts.set("storage.cql.keyspace", DEFAULT_KEYSPACE)
    }
    const notes: Array<Note> = []
    const { fromOptions: _, ...settings } = this.#parts.rules.decoded(OPENED_GRAPH, texts, file, notes)
    // The options that a keyspace stores do not apply: scripts share a graph only if they open it with the same options.
    return { settings: { ...settings, file: undefined }, notes }
  }

  /** A properties file below the folder, or that of a graph of the server. */
  #fromFile(path: string): Meant {
    const { files, rules } = this.#parts
    for (const [name, file] of files) {
      if (canonical(resolve(path)) === canonical(file) || (!path.startsWith(sep) && file.endsWith(sep + path))) {
        return { served: name }
      }
    }
    const file = canonical(resolve(rules.folder, path))
    if (!isInside(rules.folder, file)) {
      throw invalid(
        `open(${JSON.stringify(path)}): the file must be below ${rules.folder}, the setting dynamicGraphs.directory, or be the ` +
          "properties file of a graph of the server."
      )
    }
    const text = readProperties(file)
    return this.#decoded(new Map(), { path: file, text })
  }
}
