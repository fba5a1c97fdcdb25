import { setTimeout as sleep } from "node:timers/promises"
import {
  DynamicGraphError,
  type DynamicGraphStatus,
  type DynamicGraphs,
  GRAPH_NAME
} from "../../../services/DynamicGraphs.ts"
import type { TraversalSource } from "../../../services/GraphRegistry.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"
import type { Note } from "../../config/Report.ts"
import { type ConfigurationGraph, FROM_TEMPLATE } from "./ConfigurationGraph.ts"
import { dataLocationsOf } from "./DataLocations.ts"
import { deleteGraph, isShared, othersGone, storageIsReadOnly } from "./GraphData.ts"
import { GraphDrops } from "./GraphDrops.ts"
import { SOURCE_SUFFIX } from "./GraphNames.ts"
import { logNotes } from "./GraphNotes.ts"
import { GraphOpener, type OpeningParts } from "./GraphOpener.ts"
import { type GraphRules, notDropped } from "./GraphRules.ts"
import { KnownConfigurations } from "./KnownConfigurations.ts"
import type { OtherWorkers } from "./OtherWorkers.ts"
import { SerialWork } from "./SerialWork.ts"
import { NO_CONFIGURATION, NO_TEMPLATE, StoredConfigurations } from "./StoredConfigurations.ts"

/** The dependencies of {@link DynamicGraphList}. */
interface DynamicGraphParts extends OpeningParts {
  readonly graph: ConfigurationGraph
  readonly rules: GraphRules
  /** True for names of the configuration file and of the language. */
  readonly taken: (name: string) => boolean
  readonly allowed: boolean
  readonly maxGraphs: number
  readonly deleteData: (settings: GraphSettings) => Promise<void>
  readonly log: (level: "info" | "warning" | "error", text: string) => void
  /** Undefined in a server of one process. */
  readonly others?: OtherWorkers | undefined
}

/** Time after which the configurations are read again, when a change of this worker ran at the same time, ms. */
const AGAIN_MS = 10

/** The dynamic graphs of one server. Texts of errors are JanusGraph's where it has the error. */
export class DynamicGraphList implements DynamicGraphs {
  readonly allowed: boolean
  readonly #parts: DynamicGraphParts
  readonly #known: KnownConfigurations
  readonly #graph: ConfigurationGraph
  readonly configurations: StoredConfigurations
  /** Changes of one graph happen one after another. */
  readonly #serial = new SerialWork()
  readonly #opener: GraphOpener
  readonly #drops: GraphDrops
  /** No script has opened a graph before the list of these graphs sets this. */
  scriptGraphWithIndex: DynamicGraphs["scriptGraphWithIndex"] = () => false

  constructor(parts: DynamicGraphParts) {
    this.#parts = parts
    this.allowed = parts.allowed
    this.#graph = parts.graph
    this.#known = new KnownConfigurations(parts)
    this.#opener = new GraphOpener(parts, this.#serial)
    this.#drops = new GraphDrops(parts.others)
    this.configurations = new StoredConfigurations({ ...parts, known: this.#known, serial: this.#serial })
  }

  get revision(): number {
    return this.#parts.open.revision + this.#known.revision
  }

  get sources(): ReadonlyMap<string, TraversalSource> {
    return this.#parts.open.sources
  }

  get hasClosed(): boolean {
    return this.#known.size > this.#parts.open.size
  }

  closedGraphOf(name: string): string | undefined {
    const graph = name.endsWith(SOURCE_SUFFIX) ? name.slice(0, -SOURCE_SUFFIX.length) : name
    if (!this.#known.has(graph)) return undefined
    return this.#parts.open.get(graph) === undefined ? graph : undefined
  }

  // ---- graphs

  async create(name: string): Promise<GraphStore> {
    const store = await this.#serial.run(name, async () => {
      const { log, open } = this.#parts
      const template = await this.#graph.template()
      if (template === null) throw new DynamicGraphError("missing", NO_TEMPLATE)
      const options = new Map([...template, [GRAPH_NAME, name], [FROM_TEMPLATE, true]])
      let opened: { readonly store: GraphStore; readonly settings: GraphSettings } | undefined
      try {
        await this.configurations.add(name, options, async (settings) => {
          opened = { store: await this.#opener.open(settings), settings }
        })
      } catch (error) {
        await opened?.store.close()
        throw error
      }
      const { settings, store } = opened!
      open.add(name, store, settings)
      log("info", `The graph '${name}' was created`)
      return store
    })
    await this.#parts.others?.changed()
    return store
  }

  async open(name: string): Promise<GraphStore> {
    return this.#parts.open.use(name) ?? this.#serial.run(name, () => this.#opened(name))
  }

  async #opened(name: string): Promise<GraphStore> {
    const open = this.#parts.open.use(name)
    if (open !== undefined) return open
    this.#drops.assertKept(name)
    const configuration = await this.#graph.find(name)
    if (configuration === null) throw new DynamicGraphError("missing", NO_CONFIGURATION)
    const notes: Array<Note> = []
    const settings = this.#known.usable(name, configuration, notes)
    const store = await this.#opener.open(settings)
    logNotes(this.#parts.log, `The graph '${name}'`, notes)
    this.#parts.open.add(name, store, settings)
    return store
  }

  async close(name: string): Promise<boolean> {
    return this.#serial.run(name, async () => {
      const open = this.#parts.open.get(name)
      if (open === undefined) return false
      if (!open.store.features.persistent) {
        throw new DynamicGraphError(
          "invalid",
          `The graph '${name}' is in memory, so closing it would delete its data. Drop it instead.`
        )
      }
      await this.#parts.open.close(name)
      return true
    })
  }

  async drop(name: string, begun: () => void = () => undefined): Promise<void> {
    try {
      await this.#serial.run(name, () => this.#drops.run(name, () => this.#drop(name, begun)))
    } finally {
      await this.#parts.others?.changed(name)
    }
  }

  async #drop(name: string, begun: () => void): Promise<void> {
    const { deleteData, log, open } = this.#parts
    // The graph is opened first: a folder that another server uses is not deleted.
    const store = await this.#opened(name)
    const graph = open.get(name)!
    if (storageIsReadOnly(graph.settings)) {
      throw new DynamicGraphError(
        "invalid",
        `The graph '${name}' is read-only (storage.read-only=true): it is not dropped.`
      )
    }
    const other = this.#parts.rules.servedNear(graph.settings) ?? this.graphNear(graph.settings)
    if (other !== undefined) throw notDropped(`The graph '${name}'`, other)
    await this.#drops.release(name)
    open.remove(name)
    begun()
    await open.unused(graph)
    if (isShared(graph.settings)) {
      await this.configurations.forget(name)
      const others = await othersGone(store)
      if (others.length > 0)
        log("warning", `The graph '${name}' is dropped while these have it open: ${others.join(", ")}`)
    }
    const ownerOf = (index: string): string | undefined => this.#ownerOf(index)
    await deleteGraph({ store, deleteData: () => deleteData(graph.settings), ownerOf, log })
    if (!isShared(graph.settings)) await this.configurations.forget(name)
    log("info", `The graph '${name}' was dropped`)
  }

  // ---- names

  async names(): Promise<ReadonlyArray<string>> {
    await this.refresh()
    return this.#known.names()
  }

  list(): ReadonlyArray<DynamicGraphStatus> {
    return this.#known.names().map((name) => {
      const reason = this.#known.failureOf(name)
      const isOpen = this.#parts.open.get(name) !== undefined
      return { name, state: isOpen ? "open" : reason === undefined ? "closed" : "failed", reason }
    })
  }

  settingsOf(name: string): GraphSettings | undefined {
    return this.#parts.open.get(name)?.settings
  }

  graphWithData(settings: GraphSettings): string | undefined {
    const locations = dataLocationsOf(settings)
    const name = this.#known.nameAt(locations.cells)
    if (name === undefined) this.#known.assertFree(settings.name, locations)
    return name
  }

  graphWithIndex(index: string): string | undefined {
    return this.configurations.graphWithIndex(index)
  }

  /** The graph of a drop is not configured any more. */
  #ownerOf(index: string): string | undefined {
    const name = this.#parts.rules.graphWithIndex(index) ?? this.graphWithIndex(index)
    if (name !== undefined) return `the graph '${name}'`
    return this.scriptGraphWithIndex(index) ? "a graph that a script has opened" : undefined
  }

  graphNear(settings: GraphSettings): string | undefined {
    return this.#known.otherNear(settings.name, dataLocationsOf(settings).cells)
  }

  // ---- the life of the server

  /** Reads the configurations, which other servers may have changed. Closes graphs whose configuration is new or gone. */
  async refresh(): Promise<void> {
    await Promise.all(this.#closed((await this.#known.refresh()) ?? []))
  }

  /**
   * Learns what exists when the server or the worker starts. The questions of other workers must reach this list already. Rejects when
   * the configuration graph cannot be read.
   */
  async begin(): Promise<void> {
    await this.#drops.learn()
    await this.refresh()
  }

  /**
   * Another worker has changed configurations. Resolves when requests find the graphs as they are now.
   *
   * @param worker the other worker
   * @param dropped the graph whose drop has ended
   */
  async changed(worker: number, dropped?: string): Promise<void> {
    if (dropped !== undefined) this.#drops.ended(dropped, worker)
    let outdated = await this.#known.refresh()
    while (outdated === undefined) {
      await sleep(AGAIN_MS)
      outdated = await this.#known.refresh()
    }
    // New requests no longer find these graphs. Their transactions may take some time to end.
    for (const closed of this.#closed(outdated)) closed.catch(() => undefined)
  }

  /** Another worker drops a graph: see {@link GraphDrops.begun}. */
  release(name: string, worker: number): Promise<"closed" | "dropping"> {
    return this.#drops.begun(name, worker, () => this.#serial.run(name, () => this.#parts.open.close(name)))
  }

  #closed(outdated: ReadonlyArray<string>): ReadonlyArray<Promise<void>> {
    return outdated.map((name) =>
      this.#serial.run(name, async () => {
        // New options do not empty a graph in memory.
        const isKept = this.#known.has(name) && this.#parts.open.get(name)?.store.features.persistent === false
        if (!isKept) await this.#parts.open.close(name)
      })
    )
  }

  /** Closes graphs that no request has used for `time` ms. The next request that names one opens it. */
  async closeIdle(time: number): Promise<void> {
    for (const name of this.#parts.open.idleFor(time)) {
      await this.#serial.run(name, async () => {
        if (this.#parts.open.idleFor(time).includes(name)) await this.#parts.open.close(name)
      })
    }
  }

  /** Closes all graphs at the end of the server. Changes in progress end before. */
  async end(): Promise<void> {
    this.#opener.end()
    await this.#serial.ended()
    const names = Array.from(this.#parts.open.entries(), ([name]) => name)
    await Promise.all(names.map((name) => this.#parts.open.remove(name)!.store.close()))
  }
}
