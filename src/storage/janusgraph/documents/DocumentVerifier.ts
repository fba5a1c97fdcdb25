import { setTimeout as sleep } from "node:timers/promises"
import type { GraphCore } from "../GraphCore.ts"
import type { GraphIndex } from "../schema/Schema.ts"
import type { DocumentDifference } from "./DocumentCheck.ts"
import { elementNames } from "./ElementNames.ts"

/** A document that differs from its element, with its index. */
export interface DocumentFinding extends DocumentDifference {
  readonly index: GraphIndex
}

/** Time after which a difference is looked at again, ms: a commit writes its documents after its elements. */
const SECOND_LOOK_MS = 1000

/** Documents that are compared at once. */
const DOCUMENTS_PER_LOOK = 500

/** The mixed indexes of a graph that search engines keep and this server writes. */
export const servedIndexes = ({ documents, schema }: GraphCore): ReadonlyArray<GraphIndex> =>
  documents === undefined ? [] : schema.engineIndexes.filter(documents.isServed)

/**
 * Compares the documents of mixed indexes with the elements of the graph, in both directions: each element must have its document, and
 * each document its element.
 */
export class DocumentVerifier {
  readonly #core: GraphCore
  readonly #find: (finding: DocumentFinding) => void
  /** The number of comparisons so far. */
  compared = 0

  /** `core` must know the newest schema. */
  constructor(core: GraphCore, find: (finding: DocumentFinding) => void) {
    this.#core = core
    this.#find = find
  }

  /** Compares the documents of an index. Yields after some of them. Fails with EngineUnavailable. */
  async *work(index: GraphIndex): AsyncGenerator<void> {
    // A document without an element is found by the second part.
    yield* this.#parts(index, elementNames(this.#core, index.element as "vertex" | "edge"), false)
    yield* this.#parts(index, this.#core.documents!.check(index).names(index), true)
  }

  async *#parts(
    index: GraphIndex,
    pages: AsyncGenerator<{ readonly names: ReadonlyArray<string> }>,
    isExtra: boolean
  ): AsyncGenerator<void> {
    let waiting: Array<string> = []
    for await (const { names } of pages) {
      waiting.push(...names)
      for (; waiting.length >= DOCUMENTS_PER_LOOK; waiting = waiting.slice(DOCUMENTS_PER_LOOK)) {
        await this.#look(index, waiting.slice(0, DOCUMENTS_PER_LOOK), isExtra)
        yield
      }
    }
    if (waiting.length > 0) await this.#look(index, waiting, isExtra)
    yield
  }

  async #look(index: GraphIndex, names: ReadonlyArray<string>, isExtra: boolean): Promise<void> {
    this.compared += names.length
    const wanted = ({ kind }: DocumentDifference): boolean => (kind === "extra") === isExtra
    const check = this.#core.documents!.check(index)
    const found = (await check.differences(index, names)).filter(wanted)
    if (found.length === 0) return
    await sleep(SECOND_LOOK_MS)
    const again = await check.differences(
      index,
      found.map(({ name }) => name)
    )
    for (const difference of again.filter(wanted)) this.#find({ ...difference, index })
  }
}
