import { existsSync } from "node:fs"
import { join } from "node:path"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import { indexNamesOf, mayHaveIndex } from "./DataLocations.ts"
import type { GraphRules } from "./GraphRules.ts"

/** The file of a graph on disk. */
const DATA_FILE = "graph.mdb"

/**
 * The data of graphs without a configuration, as far as this server knows: it has removed the configuration, or the data is in the
 * folder that a graph of this name has by default.
 */
export class KeptData {
  readonly #rules: GraphRules
  /** The settings of the removed configurations, by name of the graph. */
  readonly #removed = new Map<string, GraphSettings>()

  constructor(rules: GraphRules) {
    this.#rules = rules
  }

  /** The configuration of a graph was removed, and its data stays. */
  leave(name: string, settings: GraphSettings): void {
    this.#removed.set(name, settings)
  }

  /** A configuration has the name again. */
  take(name: string): void {
    this.#removed.delete(name)
  }

  /** A graph whose configuration was removed and that may have an index of a search engine; undefined for none. */
  graphWithIndex(index: string): string | undefined {
    for (const [name, settings] of this.#removed) if (mayHaveIndex(indexNamesOf(settings), index)) return name
    return undefined
  }

  /** True if there may be data of a graph of this name, which has no configuration. */
  has(name: string): boolean {
    const factory = this.#removed.get(name)?.factory
    if (factory?.kind === "JanusGraphFactory") {
      const { backend, directory } = factory.storage
      if (backend === "cql") return true
      if (directory !== undefined && existsSync(join(directory, DATA_FILE))) return true
    }
    return /^\w+$/.test(name) && existsSync(join(this.#rules.folder, name, DATA_FILE))
  }
}
