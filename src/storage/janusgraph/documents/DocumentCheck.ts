import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import type { GraphIndex, Schema } from "../schema/Schema.ts"
import { type Difference, differenceOf } from "./DocumentComparison.ts"
import { isOwnName } from "./DocumentNames.ts"
import { currentDocuments } from "./DocumentStates.ts"
import { EngineUnavailable, type SearchEngine } from "./SearchEngine.ts"

/** A document that differs from its element. */
export interface DocumentDifference {
  readonly name: string
  readonly kind: Difference
}

/** A query that finds all documents. */
const ALL = '{"match_all":{}}'

/** Compares the documents of one search engine with their elements. Its methods fail with EngineUnavailable. */
export class DocumentCheck {
  readonly #schema: () => Schema
  readonly #engine: SearchEngine
  readonly #begin: () => GraphTransaction

  /** `schema`: the newest known schema. `begin` begins a transaction that reads the newest state. */
  constructor(schema: () => Schema, engine: SearchEngine, begin: () => GraphTransaction) {
    this.#schema = schema
    this.#engine = engine
    this.#begin = begin
  }

  /** The documents of these names that differ from their elements. An element that cannot be read is not compared. */
  async differences(index: GraphIndex, names: ReadonlyArray<string>): Promise<ReadonlyArray<DocumentDifference>> {
    if (names.length === 0) return []
    const { fields, store } = index.documents!
    const stored = await this.#engine.read(names.map((id) => ({ store, id })))
    const wanted = names.map((name) => ({ index, name }))
    const current = await currentDocuments(this.#begin, this.#schema(), wanted)
    return names.flatMap((name, at) => {
      const there = stored[at]
      if (there !== undefined && "problem" in there) {
        throw new EngineUnavailable(`The document ${name} of the index ${index.name} cannot be read: ${there.problem}`)
      }
      const should = current[at]
      if (typeof should === "object") return []
      const kind = differenceOf({ fields, store }, should, there?.fields)
      return kind === undefined ? [] : [{ name, kind }]
    })
  }

  /** The names of all documents of an index that this server may write, in pages. */
  async *names(index: GraphIndex): AsyncGenerator<{ readonly names: ReadonlyArray<string> }> {
    const own = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
      ids.filter((id) => isOwnName(index.element as "vertex" | "edge", id))
    let page = await this.#engine.search(index.documents!.store, ALL)
    try {
      for (;;) {
        yield { names: own(page.ids) }
        if (page.cursor === undefined) return
        page = await this.#engine.more(page.cursor)
      }
    } finally {
      if (page.cursor !== undefined) this.#engine.release(page.cursor)
    }
  }
}
