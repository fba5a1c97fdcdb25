import { DynamicGraphError } from "../../../services/DynamicGraphs.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import { reasonOf } from "../../../structure/errors/Reason.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"
import type { OpenGraphs } from "./OpenGraphs.ts"
import type { SerialWork } from "./SerialWork.ts"

/** What {@link GraphOpener} opens graphs with. */
export interface OpeningParts {
  readonly open: OpenGraphs
  readonly maxOpenGraphs: number
  /** Whether the process may open more files. */
  readonly hasFiles: () => boolean
  readonly openStore: (settings: GraphSettings) => Promise<GraphStore>
}

const NO_FILES = "The system lets this process open no further files (ulimit -n)"

/** Opens the stores of dynamic graphs within the limits of the server, and closes unused graphs to make room. */
export class GraphOpener {
  readonly #parts: OpeningParts
  readonly #serial: SerialWork
  /** Graphs that are being opened. They count as open. */
  #opening = 0
  #isEnded = false

  /** `serial`: runs the changes of each graph one after another. */
  constructor(parts: OpeningParts, serial: SerialWork) {
    this.#parts = parts
    this.#serial = serial
  }

  /** Opens a store. Fails with DynamicGraphError: `limit` when no unused graph can be closed, `failed` for all other reasons. */
  async open(settings: GraphSettings): Promise<GraphStore> {
    if (this.#isEnded) throw new DynamicGraphError("failed", "The server is shutting down.")
    this.#opening++
    try {
      await this.#makeRoom()
      return await this.#parts.openStore(settings)
    } catch (cause) {
      if (cause instanceof DynamicGraphError) throw cause
      throw new DynamicGraphError("failed", reasonOf(cause), { cause })
    } finally {
      this.#opening--
    }
  }

  /** Makes every later call of {@link GraphOpener.open} fail. */
  end(): void {
    this.#isEnded = true
  }

  /** Closes unused graphs until one more graph may be open. */
  async #makeRoom(): Promise<void> {
    const { hasFiles, maxOpenGraphs, open } = this.#parts
    while (open.size + this.#opening > maxOpenGraphs || !hasFiles()) {
      const unused = open.leastUsed()
      if (unused === undefined) {
        const limit = hasFiles()
          ? `${maxOpenGraphs} graphs are open, the server's dynamicGraphs.maxOpenGraphs`
          : NO_FILES
        throw new DynamicGraphError(
          "limit",
          `${limit}, and all of them are in use or in memory. Drop one, or try again later.`
        )
      }
      await this.#serial.run(unused, async () => {
        if (open.leastUsed() === unused) await open.close(unused)
      })
    }
  }
}
