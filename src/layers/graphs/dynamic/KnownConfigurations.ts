import { DynamicGraphError, GRAPH_NAME, type GraphConfiguration } from "../../../services/DynamicGraphs.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import type { Note } from "../../config/Report.ts"
import { type ConfigurationGraph, TEMPLATE } from "./ConfigurationGraph.ts"
import {
  areSameCells,
  type CellLocation,
  type DataLocations,
  dataLocationsOf,
  mayBeSameCells,
  mayHaveIndex,
  mayShareDocuments
} from "./DataLocations.ts"
import { assertName } from "./GraphNames.ts"
import { type GraphRules, sharedData } from "./GraphRules.ts"

interface Known {
  /** The configuration as text, to notice changes. */
  readonly text: string
  /** Undefined if the configuration cannot be used here. */
  readonly locations: DataLocations | undefined
  /** Each index-name of its search engines, also if the configuration cannot be used here. */
  readonly indexNames: ReadonlyArray<string>
  /** Why the configuration cannot be used here. */
  readonly failure: string | undefined
}

interface Parts {
  readonly graph: ConfigurationGraph
  readonly rules: GraphRules
  readonly taken: (name: string) => boolean
  readonly log: (level: "info" | "warning" | "error", text: string) => void
}

/** The text without the mark of the template, which a configuration gets only when it is stored. */
const textOf = (options: GraphConfiguration): string =>
  JSON.stringify(
    Array.from(options, ([key, value]) => [key, String(value)])
      .filter(([key]) => key !== TEMPLATE)
      .sort()
  )

/** Each index-name that a configuration may mean which cannot be used here. */
const indexNamesIn = (name: string, options: GraphConfiguration): ReadonlyArray<string> => {
  const given = [...options].filter(([key]) => /^index\.[^.]+\.index-name$/.test(key))
  return [name, ...given.map(([, value]) => String(value))]
}

/** The configurations of the configuration graph, as this server last read them. */
export class KnownConfigurations {
  readonly #parts: Parts
  readonly #known = new Map<string, Known>()
  /** Number of changes of this server that run. A read during a change may be outdated. */
  #running = 0
  /** Number of changes of this server that have ended. A read that began before the end of a change may be outdated. */
  #changes = 0
  revision = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#known.size
  }

  has(name: string): boolean {
    return this.#known.has(name)
  }

  names(): ReadonlyArray<string> {
    return [...this.#known.keys()].sort()
  }

  failureOf(name: string): string | undefined {
    return this.#known.get(name)?.failure
  }

  /** Throws DynamicGraphError for the name of a new graph that is wrong, or differs only in case from another one. */
  assertNew(name: string): void {
    assertName(name, this.#parts.taken)
    const same = this.names().find((other) => other.toLowerCase() === name.toLowerCase())
    if (same === undefined) return
    throw new DynamicGraphError(
      "exists",
      same === name
        ? `Configuration for graph ${name} already exists.`
        : `There is a graph '${same}', which differs from '${name}' only in case.`
    )
  }

  /** Throws DynamicGraphError when another graph has its data, or documents in a search engine, at one of the locations. */
  assertFree(name: string, { cells, documents }: DataLocations): void {
    for (const [other, { locations }] of this.#known) {
      if (other === name || locations === undefined) continue
      if (areSameCells(locations.cells, cells)) throw sharedData(name, other, false)
      if (documents.some((place) => locations.documents.includes(place))) throw sharedData(name, other, true)
    }
  }

  /** Another graph that may have documents in the indexes at a place that is new for the graph `name`; undefined for none. */
  documentsNear(name: string, { documents }: DataLocations): string | undefined {
    const before = this.#known.get(name)?.locations?.documents ?? []
    const added = documents.filter((place) => !before.includes(place))
    const isNear = (place: string): boolean => added.some((each) => mayShareDocuments(each, place))
    const others = [...this.#known].filter(([other]) => other !== name)
    const [near] = others.find(([, { locations }]) => locations?.documents.some(isNear)) ?? []
    return near ?? this.#parts.rules.documentsNear(added)
  }

  /** The graph whose configuration names the data at a place; undefined for none. */
  nameAt(cells: CellLocation | undefined): string | undefined {
    for (const [name, { locations }] of this.#known) if (areSameCells(locations?.cells, cells)) return name
    return undefined
  }

  /** Another graph than `name` whose configuration may name the data at a place, on whatever hosts; undefined for none. */
  otherNear(name: string, cells: CellLocation | undefined): string | undefined {
    for (const [other, { locations }] of this.#known) {
      if (other !== name && mayBeSameCells(locations?.cells, cells)) return other
    }
    return undefined
  }

  /** A graph that may have an index of a search engine, on whatever hosts; undefined for none. */
  graphWithIndex(index: string): string | undefined {
    for (const [name, { indexNames }] of this.#known) if (mayHaveIndex(indexNames, index)) return name
    return undefined
  }

  /**
   * The settings of a stored configuration, which another server may have written. `notes` gets the notes about its options. Throws
   * DynamicGraphError.
   */
  usable(name: string, configuration: GraphConfiguration, notes: Array<Note> = []): GraphSettings {
    assertName(name, this.#parts.taken)
    const settings = this.#parts.rules.settingsOf(name, configuration, notes)
    this.assertFree(name, dataLocationsOf(settings))
    return settings
  }

  /** Runs a change of the configuration graph and of this copy. */
  async changing(change: () => Promise<void>): Promise<void> {
    this.#running++
    try {
      await change()
    } finally {
      this.#running--
      this.#changes++
    }
  }

  add(name: string, options: GraphConfiguration, locations: DataLocations): void {
    this.#known.set(name, { text: textOf(options), locations, indexNames: locations.indexNames, failure: undefined })
    this.revision++
  }

  remove(name: string): void {
    if (this.#known.delete(name)) this.revision++
  }

  /**
   * Reads the configuration graph. Returns the graphs whose configuration is gone or has changed; undefined when a change of
   * this server ran meanwhile, so that the read may be outdated and was not used.
   */
  async refresh(): Promise<ReadonlyArray<string> | undefined> {
    const changes = this.#changes
    const all = await this.#parts.graph.all()
    if (this.#running > 0 || changes !== this.#changes) return undefined
    const outdated: Array<string> = []
    const found = new Set<string>()
    for (const options of all) {
      const name = options.get(GRAPH_NAME)
      if (typeof name !== "string") continue
      found.add(name)
      const before = this.#known.get(name)
      if (before?.text === textOf(options)) continue
      if (before !== undefined) outdated.push(name)
      this.#known.delete(name)
      this.#learn(name, options)
    }
    for (const name of this.names()) {
      if (found.has(name)) continue
      outdated.push(name)
      this.remove(name)
    }
    return outdated
  }

  #learn(name: string, options: GraphConfiguration): void {
    const text = textOf(options)
    this.revision++
    try {
      const locations = dataLocationsOf(this.usable(name, options))
      this.#known.set(name, { text, locations, indexNames: locations.indexNames, failure: undefined })
    } catch (error) {
      const failure = (error as Error).message
      this.#known.set(name, { text, locations: undefined, indexNames: indexNamesIn(name, options), failure })
      this.#parts.log(
        "error",
        `The graph ${JSON.stringify(name.slice(0, 100))} of the configuration graph is not served: ${failure}`
      )
    }
  }
}
