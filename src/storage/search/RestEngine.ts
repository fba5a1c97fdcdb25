import { setTimeout as sleep } from "node:timers/promises"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { StoredFields } from "../janusgraph/documents/DocumentComparison.ts"
import { parseExact } from "../janusgraph/documents/ExactJson.ts"
import { fieldMapping } from "../janusgraph/documents/FieldMapping.ts"
import {
  assertEngineName,
  type DocumentChange,
  type DocumentName,
  type DocumentOrder,
  type DocumentOutcome,
  type DocumentPage,
  type DocumentProblem,
  type DocumentVersion,
  EngineUnavailable,
  isOneName,
  type SearchEngine,
  type StoredDocument
} from "../janusgraph/documents/SearchEngine.ts"
import type { DocumentField } from "../janusgraph/schema/Schema.ts"
import { takesTrees } from "./EngineVersion.ts"
import { SearchClient } from "./SearchClient.ts"
import type { SearchOptions } from "./SearchOptions.ts"

/** The characters of an answer that an error quotes. */
const MAX_QUOTED_CHARS = 500

/**
 * Types of errors of one document that end by themselves: its shard has no node for now, or the engine has too much work. Others, as
 * that of an index that does not exist, do not. A write would create that index without JanusGraph's mapping.
 */
const TEMPORARY = /unavailable|no_shard_available|not_connected|disconnect|rejected_execution|circuit_breaking|timeout/

/** Answers with which an engine refuses a whole write because of its length or of one of its documents. */
const REFUSED_WRITES = new Set([400, 413])

/** JanusGraph allows searches to skip any number of results. */
const LARGEST_WINDOW = 2_147_483_647

/** Answers with which an engine refuses a write for now. 401 and 403: an administrator has to allow it, or to make space. */
const BUSY = new Set([401, 403, 408, 429, 500, 502, 503, 504])

interface Hits {
  readonly _scroll_id?: string
  readonly timed_out?: boolean
  readonly _shards?: { readonly total?: number; readonly successful?: number; readonly failed?: number }
  readonly hits: { readonly hits: ReadonlyArray<{ readonly _id: string }> }
}

interface Got {
  readonly found?: boolean
  readonly error?: { readonly type?: string }
  readonly _seq_no?: number
  readonly _primary_term?: number
  readonly _source?: StoredFields
}

interface Written {
  readonly status: number
  readonly error?: unknown
}

/** Elasticsearch 7 or 8, or OpenSearch, by their REST interface, with the names of JanusGraph's indexes. */
export class RestEngine implements SearchEngine {
  readonly #options: SearchOptions
  readonly #client: SearchClient

  constructor(options: SearchOptions) {
    this.#options = options
    this.#client = new SearchClient(options)
  }

  indexOf(store: string): string {
    return `${this.#options.indexName}_${store.toLowerCase()}`
  }

  /** The path of an index. Throws UnsupportedValue for a name in which the engine would read the names of other indexes. */
  #pathOf(store: string): string {
    const name = this.indexOf(store)
    if (isOneName(name)) return `/${encodeURIComponent(name)}`
    throw new UnsupportedValue(
      `The search engine of the index backend '${this.#options.backend}' would take the name ${name} for a list or a pattern of indexes.`
    )
  }

  #failure(what: string, body: string): EngineUnavailable {
    return new EngineUnavailable(
      `The search engine of the index backend '${this.#options.backend}' ${what}: ${body.slice(0, MAX_QUOTED_CHARS)}`
    )
  }

  async #ask<A>(method: string, path: string, body: string, parse: (json: string) => unknown = JSON.parse): Promise<A> {
    return this.#read(method, path, await this.#client.request(method, path, body), parse)
  }

  #read<A>(
    method: string,
    path: string,
    answer: { readonly status: number; readonly body: string },
    parse: (json: string) => unknown = JSON.parse
  ): A {
    if (answer.status !== 200) {
      throw this.#failure(`answered ${method} ${path.split("?")[0]} with the status ${answer.status}`, answer.body)
    }
    try {
      return parse(answer.body) as A
    } catch {
      throw this.#failure(`answered ${method} ${path.split("?")[0]} with something that is not JSON`, answer.body)
    }
  }

  async search(store: string, query: string, order?: DocumentOrder): Promise<DocumentPage> {
    const { keepAliveSeconds, pageSize } = this.#options
    const path = `${this.#pathOf(store)}/_search?scroll=${keepAliveSeconds}s`
    const body = `{"size":${pageSize},"query":${query},"_source":false,"sort":${sortOf(order)}}`
    return this.#page(await this.#ask<Hits>("POST", path, body))
  }

  async more(cursor: string): Promise<DocumentPage> {
    const body = JSON.stringify({ scroll: `${this.#options.keepAliveSeconds}s`, scroll_id: cursor })
    const [method, path] = ["POST", "/_search/scroll"]
    // A repeated request would get the page after the lost one.
    return this.#page(this.#read<Hits>(method, path, await this.#client.requestOnce(method, path, body)))
  }

  /**
   * An incomplete answer is an error: elements would be missing silently. A shard without a node is neither successful nor failed, and one
   * that the engine skips is successful.
   */
  #page(answer: Hits): DocumentPage {
    const { failed = 0, successful, total } = answer._shards ?? {}
    const cursor = answer._scroll_id
    if (answer.timed_out || failed > 0 || successful !== total) {
      if (cursor !== undefined) this.release(cursor)
      throw this.#failure("has searched only a part of the index", JSON.stringify(answer._shards ?? {}))
    }
    const ids = answer.hits.hits.map(({ _id }) => _id)
    if (ids.length === this.#options.pageSize && cursor !== undefined) return { ids, cursor }
    if (cursor !== undefined) this.release(cursor)
    return { ids, cursor: undefined }
  }

  release(cursor: string): void {
    // The engine ends the search by itself later.
    void this.#client.request("DELETE", "/_search/scroll", JSON.stringify({ scroll_id: cursor })).catch(() => undefined)
  }

  async versions(
    names: ReadonlyArray<DocumentName>
  ): Promise<ReadonlyArray<DocumentVersion | DocumentProblem | undefined>> {
    return (await this.#get(names, false)).map(
      (found) => problemOf(found) ?? (found.found === true ? versionOf(found) : undefined)
    )
  }

  async read(names: ReadonlyArray<DocumentName>): Promise<ReadonlyArray<StoredDocument | DocumentProblem | undefined>> {
    return (await this.#get(names, true)).map(
      (found) => problemOf(found) ?? (found.found === true ? { fields: found._source ?? {} } : undefined)
    )
  }

  async #get(names: ReadonlyArray<DocumentName>, withSource: boolean): Promise<ReadonlyArray<Got>> {
    if (names.length === 0) return []
    const wanted = names.map(({ id, store }) => ({ _index: this.indexOf(store), _id: id, _source: withSource }))
    const { docs } = await this.#ask<{ readonly docs: ReadonlyArray<Got> }>(
      "POST",
      "/_mget",
      JSON.stringify({ docs: wanted }),
      withSource ? parseExact : undefined
    )
    return docs
  }

  async write(changes: ReadonlyArray<DocumentChange>): Promise<ReadonlyArray<DocumentOutcome>> {
    const outcomes: Array<DocumentOutcome> = []
    let writes: Array<string> = []
    let bytes = 0
    const send = async (): Promise<void> => {
      if (writes.length > 0) outcomes.push(...(await this.#bulk(writes)))
      writes = []
      bytes = 0
    }
    for (const change of changes) {
      const action = this.#actionOf(change)
      const length = Buffer.byteLength(action) + Buffer.byteLength(change.json ?? "")
      if (bytes + length > this.#options.chunkBytes) await send()
      writes.push(change.json === undefined ? action : `${action}\n${change.json}`)
      bytes += length
    }
    await send()
    return outcomes
  }

  #actionOf({ id, json, store, version }: DocumentChange): string {
    const name = { _index: this.indexOf(store), _id: id }
    if (version === undefined) return JSON.stringify({ create: name })
    const read = { ...name, if_seq_no: version.sequence, if_primary_term: version.term }
    return JSON.stringify(json === undefined ? { delete: read } : { index: read })
  }

  /** Sends writes together. If the engine refuses that, it sends each half of them, so that only what it does not accept is refused. */
  async #bulk(writes: ReadonlyArray<string>): Promise<ReadonlyArray<DocumentOutcome>> {
    const { refresh } = this.#options
    const path = refresh === "false" ? "/_bulk" : `/_bulk?refresh=${refresh}`
    const answer = await this.#client.request("POST", path, `${writes.join("\n")}\n`, "application/x-ndjson")
    if (REFUSED_WRITES.has(answer.status)) {
      if (writes.length === 1) {
        return [{ kind: "refused", reason: `status ${answer.status} ${answer.body.slice(0, MAX_QUOTED_CHARS)}` }]
      }
      const half = writes.length >> 1
      return [...(await this.#bulk(writes.slice(0, half))), ...(await this.#bulk(writes.slice(half)))]
    }
    const { items } = this.#read<{ readonly items: ReadonlyArray<Readonly<Record<string, Written>>> }>(
      "POST",
      path,
      answer
    )
    return items.map((item) => outcomeOf(Object.values(item)[0]!))
  }

  async hasIndex(store: string): Promise<boolean> {
    const index = this.#pathOf(store)
    const { status } = await this.#client.request("HEAD", index)
    if (status !== 200 && status !== 404) throw this.#failure(`answered HEAD ${index} with the status ${status}`, "")
    return status === 200
  }

  async register(store: string, fields: ReadonlyArray<DocumentField>): Promise<void> {
    assertEngineName(store)
    const { createSettings, createPause, indexName, usesAllField } = this.#options
    const index = this.#pathOf(store)
    if (!(await this.hasIndex(store))) {
      await this.#refuseTrees(fields)
      const settings = Object.keys(createSettings).length === 0 ? {} : { settings: createSettings }
      await this.#ask("PUT", index, JSON.stringify(settings))
      await this.#ask("PUT", `${index}/_settings`, JSON.stringify({ "index.max_result_window": LARGEST_WINDOW }))
      await sleep(createPause)
    }
    const add = { index: this.indexOf(store), alias: indexName }
    await this.#ask("POST", "/_aliases", JSON.stringify({ actions: [{ add }] }))
    await this.#ask("PUT", `${index}/_mapping`, JSON.stringify(fieldMapping(fields, usesAllField)))
  }

  /** Refuses fields whose mapping the engine takes in older indexes only, before it has made a new one. */
  async #refuseTrees(fields: ReadonlyArray<DocumentField>): Promise<void> {
    const tree = fields.find(({ mapping }) => mapping === "PREFIX_TREE")
    if (tree === undefined) return
    // A user of the engine may be forbidden to ask for its version. Then the engine refuses the mapping itself.
    const { body, status } = await this.#client.request("GET", "/")
    if (status !== 200 || takesTrees(body)) return
    throw new UnsupportedValue(
      `The key ${tree.key.name} cannot have the mapping PREFIX_TREE: Elasticsearch has no such fields in new indexes since version 8. Use ` +
        "Mapping.BKD, which takes all shapes except circles."
    )
  }

  async discard(store: string): Promise<void> {
    // An engine has no index with the name of a pattern. JanusGraph may have made such an index with Lucene.
    if (!isOneName(this.indexOf(store))) return
    const index = this.#pathOf(store)
    const answer = await this.#client.request("DELETE", index)
    if (answer.status !== 404) this.#read("DELETE", index, answer)
  }

  close(): void {
    this.#client.close()
  }
}

const sortOf = (order: DocumentOrder | undefined): string => {
  if (order === undefined) return '["_doc"]'
  const { descending, field, type } = order
  return JSON.stringify([{ [field]: { order: descending ? "desc" : "asc", unmapped_type: type } }])
}

const versionOf = ({ _primary_term, _seq_no }: Got): DocumentVersion => ({ sequence: _seq_no!, term: _primary_term! })

const problemOf = ({ error }: Got): DocumentProblem | undefined =>
  error === undefined
    ? undefined
    : {
        problem: JSON.stringify(error).slice(0, MAX_QUOTED_CHARS),
        isTemporary: TEMPORARY.test(error.type ?? "")
      }

const outcomeOf = ({ error, status }: Written): DocumentOutcome => {
  if (status < 300 && error === undefined) return { kind: "done", reason: "" }
  const reason = JSON.stringify(error ?? { status }).slice(0, MAX_QUOTED_CHARS)
  // 404: the document was removed since its version was read.
  if (status === 409 || status === 404) return { kind: "changed", reason }
  return { kind: BUSY.has(status) ? "later" : "refused", reason }
}
