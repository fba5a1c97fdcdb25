import {
  DynamicGraphError,
  GRAPH_NAME,
  type GraphConfiguration,
  type GraphConfigurations
} from "../../../services/DynamicGraphs.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import type { Note } from "../../config/Report.ts"
import type { ConfigurationGraph } from "./ConfigurationGraph.ts"
import { checkedKeys, checkedOptions, masked } from "./ConfigurationOptions.ts"
import { dataLocationsOf } from "./DataLocations.ts"
import { logNotes } from "./GraphNotes.ts"
import { type GraphRules, nearDocuments } from "./GraphRules.ts"
import { KeptData } from "./KeptData.ts"
import type { KnownConfigurations } from "./KnownConfigurations.ts"
import type { OpenGraphs } from "./OpenGraphs.ts"
import type { OtherWorkers } from "./OtherWorkers.ts"
import type { SerialWork } from "./SerialWork.ts"

/** JanusGraph's text for a graph without a configuration. */
export const NO_CONFIGURATION =
  "Please create configuration for this graph using the ConfigurationManagementGraph#createConfiguration API."
/** JanusGraph's text for a missing template. */
export const NO_TEMPLATE =
  "Please create a template Configuration using the ConfigurationManagementGraph#createTemplateConfiguration API."

/** The name under which the template is checked. No graph can have it. */
const TEMPLATE_NAME = "template"
/** The template in messages. */
const TEMPLATE_TEXT = "The template of graphs"

/** The dependencies of {@link StoredConfigurations}. */
interface Parts {
  readonly graph: ConfigurationGraph
  readonly rules: GraphRules
  readonly known: KnownConfigurations
  readonly open: OpenGraphs
  readonly serial: SerialWork
  readonly maxGraphs: number
  readonly log: (level: "info" | "warning", text: string) => void
  /** Undefined in a server of one process. */
  readonly others?: OtherWorkers | undefined
}

/** Reads and changes the configurations of graphs. */
export class StoredConfigurations implements GraphConfigurations {
  readonly #parts: Parts
  readonly #kept: KeptData
  /** Configurations that are being added. */
  #adding = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#kept = new KeptData(parts.rules)
  }

  async create(options: GraphConfiguration): Promise<string> {
    if (!options.has(GRAPH_NAME)) {
      throw new DynamicGraphError("invalid", `Please include the property "${GRAPH_NAME}" in your configuration.`)
    }
    const name = String(options.get(GRAPH_NAME))
    await this.#parts.serial.run(name, () => this.add(name, checkedOptions(options), async () => undefined))
    await this.#parts.others?.changed()
    return name
  }

  /**
   * Adds the configuration of a new graph. The caller is an operation on the name in {@link SerialWork}. `prepare` runs after the checks of
   * the configuration, and before it is stored.
   */
  async add<A>(
    name: string,
    options: GraphConfiguration,
    prepare: (settings: GraphSettings) => Promise<A>
  ): Promise<A> {
    const { graph, known, maxGraphs } = this.#parts
    known.assertNew(name)
    if ((await graph.find(name)) !== null) {
      throw alreadyExists(name)
    }
    const notes: Array<Note> = []
    const settings = this.#settingsOf(name, options, notes)
    if (known.size + this.#adding >= maxGraphs) {
      throw new DynamicGraphError(
        "limit",
        `${maxGraphs} graphs are configured, the server's dynamicGraphs.maxGraphs. Drop one, or raise the setting.`
      )
    }
    this.#adding++
    try {
      const prepared = await prepare(settings)
      await known.changing(async () => {
        await this.#store(name, options)
        known.add(name, options, dataLocationsOf(settings))
        this.#kept.take(name)
      })
      logNotes(this.#parts.log, `The graph '${name}'`, notes)
      return prepared
    } finally {
      this.#adding--
    }
  }

  /** Stores a new configuration. Fails with "exists" when another worker or server has stored one of this name since. */
  async #store(name: string, options: GraphConfiguration): Promise<void> {
    const { graph } = this.#parts
    try {
      await graph.add(options)
    } catch (error) {
      if ((await graph.find(name)) !== null) throw alreadyExists(name)
      throw error
    }
  }

  /** The settings of a graph, which must not have the data of another one. */
  #settingsOf(name: string, options: GraphConfiguration, notes: Array<Note>): GraphSettings {
    const settings = this.#parts.rules.settingsOf(name, options, notes)
    const locations = dataLocationsOf(settings)
    this.#parts.known.assertFree(name, locations)
    const near = this.#parts.known.documentsNear(name, locations)
    if (near !== undefined) notes.push(nearDocuments(near))
    return settings
  }

  async update(name: string, options: GraphConfiguration): Promise<void> {
    const given = options.get(GRAPH_NAME)
    if (given !== undefined && given !== name) {
      throw new DynamicGraphError(
        "invalid",
        `Supplied graphName ${name} does not match property value supplied on config: ${String(given)}.`
      )
    }
    await this.#change(name, {
      after: (before) => new Map([...before, ...checkedOptions(options)]),
      store: () => this.#parts.graph.change(name, options)
    })
  }

  async removeOptions(name: string, keys: ReadonlySet<string>): Promise<void> {
    if (keys.has(GRAPH_NAME)) {
      throw new DynamicGraphError(
        "invalid",
        `The option "${GRAPH_NAME}" is the name of the graph: it cannot be removed.`
      )
    }
    await this.#change(name, {
      after: (before) => new Map([...before].filter(([key]) => !keys.has(key))),
      store: () => this.#parts.graph.removeOptions(name, checkedKeys(keys))
    })
  }

  /** Changes a configuration: `after` makes the new one from the current one, and `store` stores it. */
  async #change(
    name: string,
    { after, store }: { after(before: GraphConfiguration): GraphConfiguration; store(): Promise<void> }
  ): Promise<void> {
    const { graph, known, open, others, serial } = this.#parts
    await serial.run(name, async () => {
      const before = await graph.find(name)
      if (before === null) throw new DynamicGraphError("missing", NO_CONFIGURATION)
      const changed = after(before)
      const notes: Array<Note> = []
      const settings = this.#settingsOf(name, changed, notes)
      this.#assertKept(name)
      await known.changing(async () => {
        await store()
        known.add(name, changed, dataLocationsOf(settings))
      })
      logNotes(this.#parts.log, `The graph '${name}'`, notes)
      await open.close(name)
    })
    await others?.changed()
  }

  /** Throws for an open graph in memory, whose data a change of its options would delete. */
  #assertKept(name: string): void {
    if (this.#parts.open.get(name)?.store.features.persistent !== false) return
    throw new DynamicGraphError(
      "invalid",
      `The graph '${name}' is in memory: drop it, and create it with other options.`
    )
  }

  async remove(name: string): Promise<void> {
    await this.#parts.serial.run(name, async () => {
      this.#assertKept(name)
      const settings = await this.#usable(name)
      await this.forget(name)
      await this.#parts.open.close(name)
      if (settings !== undefined) this.#kept.leave(name, settings)
    })
    await this.#parts.others?.changed()
  }

  keepsData(name: string): boolean {
    return this.#kept.has(name)
  }

  /** A graph that has, or had, a configuration and may have an index of a search engine, on whatever hosts; undefined for none. */
  graphWithIndex(index: string): string | undefined {
    return this.#parts.known.graphWithIndex(index) ?? this.#kept.graphWithIndex(index)
  }

  /** The settings of a stored configuration; undefined for none, and for one that cannot be used here. */
  async #usable(name: string): Promise<GraphSettings | undefined> {
    const found = await this.#parts.graph.find(name)
    try {
      return found === null ? undefined : this.#parts.known.usable(name, found)
    } catch {
      return undefined
    }
  }

  /** Removes a configuration. The caller is an operation on the name in {@link SerialWork}. */
  forget(name: string): Promise<void> {
    const { graph, known } = this.#parts
    return known.changing(async () => {
      await graph.remove(name)
      known.remove(name)
    })
  }

  async find(name: string): Promise<GraphConfiguration | null> {
    const found = await this.#parts.graph.find(name)
    return found === null ? null : masked(found)
  }

  async all(): Promise<ReadonlyArray<GraphConfiguration>> {
    return (await this.#parts.graph.all()).map(masked)
  }

  // ---- template

  createTemplate(options: GraphConfiguration): Promise<void> {
    const { graph, serial } = this.#parts
    return serial.run(TEMPLATE_NAME, async () => {
      const notes = this.#checkTemplate(options, "Your template configuration may not contain the property")
      if ((await graph.template()) !== null) {
        throw new DynamicGraphError("exists", "You may only have one template configuration and one exists already.")
      }
      await graph.addTemplate(checkedOptions(options))
      logNotes(this.#parts.log, TEMPLATE_TEXT, notes)
    })
  }

  updateTemplate(options: GraphConfiguration): Promise<void> {
    const { graph, serial } = this.#parts
    return serial.run(TEMPLATE_NAME, async () => {
      const before = await graph.template()
      if (before === null) throw new DynamicGraphError("missing", NO_TEMPLATE)
      const notes = this.#checkTemplate(
        new Map([...before, ...options]),
        "Your updated template configuration may not contain the property"
      )
      await graph.changeTemplate(checkedOptions(options))
      logNotes(this.#parts.log, TEMPLATE_TEXT, notes)
    })
  }

  /** Checks the template as the options of a graph. Returns the notes about them. */
  #checkTemplate(options: GraphConfiguration, refusal: string): ReadonlyArray<Note> {
    if (options.has(GRAPH_NAME)) throw new DynamicGraphError("invalid", `${refusal} "${GRAPH_NAME}".`)
    const notes: Array<Note> = []
    this.#parts.rules.settingsOf(TEMPLATE_NAME, checkedOptions(options), notes)
    return notes
  }

  removeTemplate(): Promise<void> {
    return this.#parts.serial.run(TEMPLATE_NAME, () => this.#parts.graph.removeTemplate())
  }

  async template(): Promise<GraphConfiguration | null> {
    const found = await this.#parts.graph.template()
    return found === null ? null : masked(found)
  }
}

const alreadyExists = (name: string): DynamicGraphError =>
  new DynamicGraphError("exists", `Configuration for graph ${name} already exists.`)
