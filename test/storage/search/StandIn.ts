import { createServer, type IncomingMessage, type Server } from "node:http"
import { createServer as createTlsServer, type ServerOptions } from "node:https"
import type { AddressInfo } from "node:net"
import type { SearchOptions } from "../../../src/storage/search/SearchOptions.ts"

interface Stored {
  readonly source: Readonly<Record<string, unknown>>
  /** The source as it was written. */
  readonly json: string
  readonly sequence: number
}

type Clause = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A request that the stand-in has received. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly authorization: string | undefined
}

/** How an engine listens. */
interface StandInOptions {
  readonly host?: string
  readonly tls?: ServerOptions
}

/**
 * A search engine in this process: documents with versions, and the requests and queries that the server sends. Its answers have the
 * form of those of OpenSearch 2.11.
 */
export class StandIn {
  readonly #server: Server
  readonly #indexes = new Map<string, Map<string, Stored>>()
  readonly #scrolls = new Map<string, ReadonlyArray<string>>()
  #sequence = 0
  readonly received: Array<Received> = []
  /** The bodies of the requests that made indexes, and the properties of their mappings. */
  readonly settings = new Map<string, string>()
  readonly mappings = new Map<string, Readonly<Record<string, unknown>>>()
  /**
   * Answers a request itself: with a status and a body, `silent` for no answer, or `reset` to close the connection. Undefined: the
   * engine answers.
   */
  fault: (request: Received) => { readonly status: number; readonly body?: string } | "silent" | "reset" | undefined =
    () => undefined
  /** As {@link fault}, after the engine has done what the request asks for. */
  late: StandIn["fault"] = () => undefined
  /** The shards that answer a search. */
  shards = { total: 1, successful: 1, skipped: 0, failed: 0 }
  /** Called before each answer. */
  pause: () => Promise<void> = async () => undefined
  /** Called before a write is applied. */
  beforeWrite: () => Promise<void> = async () => undefined

  private constructor(server: Server) {
    this.#server = server
  }

  /** Starts an engine on a port; 0: any. `tls`: its key and certificate, and the authority of clients. */
  static async start(port = 0, { host = "127.0.0.1", tls }: StandInOptions = {}): Promise<StandIn> {
    const server = tls === undefined ? createServer() : createTlsServer(tls)
    const engine = new StandIn(server)
    server.on("request", (request, response) => {
      void engine.#receive(request).then((answer) => {
        if (answer === "silent") return
        if (answer === "reset") {
          request.socket.resetAndDestroy()
          return
        }
        response.writeHead(answer.status, { "content-type": "application/json" })
        response.end(answer.body ?? "{}")
      })
    })
    await new Promise<void>((resolve) => server.listen(port, host, resolve))
    return engine
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Makes an index, as JanusGraph does. */
  make(...indexes: ReadonlyArray<string>): this {
    for (const index of indexes) this.#indexes.set(index, new Map())
    return this
  }

  /** The names of all indexes. */
  get indexes(): ReadonlyArray<string> {
    return [...this.#indexes.keys()]
  }

  /** A document; undefined if there is none. */
  document(index: string, id: string): Readonly<Record<string, unknown>> | undefined {
    return this.#indexes.get(index)?.get(id)?.source
  }

  /** All documents of an index. */
  documents(index: string): ReadonlyArray<Readonly<Record<string, unknown>>> {
    return [...(this.#indexes.get(index)?.values() ?? [])].map(({ source }) => source)
  }

  /** Writes a document as another program does. */
  put(index: string, id: string, source: Readonly<Record<string, unknown>>): void {
    this.putJson(index, id, JSON.stringify(source))
  }

  /** Writes a document, with all digits of its numbers. */
  putJson(index: string, id: string, json: string): void {
    this.#indexes.get(index)!.set(id, { source: JSON.parse(json), json, sequence: this.#sequence++ })
  }

  /** A document as it was written. */
  json(index: string, id: string): string {
    return this.#indexes.get(index)!.get(id)!.json
  }

  /** Removes a document as another program does. */
  forget(index: string, id: string): void {
    this.#indexes.get(index)!.delete(id)
  }

  /** Removes an index as another program does. */
  lose(index: string): void {
    this.#indexes.delete(index)
    this.mappings.delete(index)
  }

  /** The names of all documents of an index. */
  names(index: string): ReadonlyArray<string> {
    return [...this.#indexes.get(index)!.keys()]
  }

  paths(): ReadonlyArray<string> {
    return this.received.map(({ method, path }) => `${method} ${path.split("?")[0]}`)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #receive(
    request: IncomingMessage
  ): Promise<{ readonly status: number; readonly body?: string } | "silent" | "reset"> {
    const parts: Array<Buffer> = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const { authorization } = request.headers
    const body = Buffer.concat(parts).toString()
    const received = { method: request.method!, path: request.url!, body, authorization }
    this.received.push(received)
    await this.pause()
    const fault = this.fault(received)
    if (fault !== undefined) return fault
    const answer = await this.#answer(received)
    return this.late(received) ?? answer
  }

  async #answer(received: Received): Promise<{ readonly status: number; readonly body?: string }> {
    const { body } = received
    const path = received.path.split("?")[0]!
    if (path === "/_mget") return { status: 200, body: `{"docs":[${this.#get(body).join(",")}]}` }
    if (path === "/_bulk") {
      await this.beforeWrite()
      return { status: 200, body: JSON.stringify({ errors: false, items: this.#bulk(body) }) }
    }
    if (path === "/_search/scroll") return this.#scroll(received)
    if (path === "/_aliases") return { status: 200 }
    if (path.endsWith("/_search")) return this.#search(decodeURIComponent(path.slice(1, -"/_search".length)), body)
    return this.#administer(received.method, path, body)
  }

  /** Makes, changes and removes indexes. */
  #administer(method: string, path: string, body: string): { readonly status: number; readonly body?: string } {
    const [index, part] = path.slice(1).split("/").map(decodeURIComponent) as [string, string | undefined]
    if (method === "GET" || method === "POST") return { status: 400 }
    const isThere = this.#indexes.has(index)
    if (part === undefined && method === "PUT") {
      if (isThere) return { status: 400, body: '{"error":{"type":"resource_already_exists_exception"}}' }
      this.make(index)
      this.settings.set(index, body)
      return { status: 200 }
    }
    if (!isThere) return { status: 404 }
    if (part === "_mapping") {
      const { properties } = JSON.parse(body) as { properties: Record<string, unknown> }
      this.mappings.set(index, { ...this.mappings.get(index), ...properties })
    }
    if (part === undefined && method === "DELETE") this.#indexes.delete(index)
    return { status: 200 }
  }

  #get(body: string): ReadonlyArray<string> {
    const { docs } = JSON.parse(body) as { docs: ReadonlyArray<{ _index: string; _id: string; _source: boolean }> }
    return docs.map(({ _id, _index, _source }) => {
      const index = this.#indexes.get(_index)
      if (index === undefined) return JSON.stringify({ _index, _id, error: { type: "index_not_found_exception" } })
      const found = index.get(_id)
      if (found === undefined) return JSON.stringify({ _index, _id, found: false })
      const answer = JSON.stringify({ _index, _id, _seq_no: found.sequence, _primary_term: 1, found: true })
      return _source ? answer.replace(/}$/, () => `,"_source":${found.json}}`) : answer
    })
  }

  #bulk(body: string): ReadonlyArray<unknown> {
    const lines = body.trimEnd().split("\n")
    const items: Array<unknown> = []
    while (lines.length > 0) {
      const [[action, { _id, _index, if_seq_no }]] = Object.entries(
        JSON.parse(lines.shift()!) as Record<string, { _id: string; _index: string; if_seq_no?: number }>
      ) as [[string, { _id: string; _index: string; if_seq_no?: number }]]
      const json = action === "delete" ? undefined : lines.shift()!
      const source = json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>)
      const index = this.#indexes.get(_index)!
      const found = index.get(_id)
      if (found?.sequence !== if_seq_no) {
        items.push({ [action]: { _id, status: 409, error: { type: "version_conflict_engine_exception" } } })
      } else if (source !== undefined && "bad" in source) {
        items.push({ [action]: { _id, status: 400, error: { type: "mapper_parsing_exception" } } })
      } else {
        if (json === undefined) index.delete(_id)
        else this.putJson(_index, _id, json)
        items.push({ [action]: { _id, status: found === undefined ? 201 : 200 } })
      }
    }
    return items
  }

  #search(index: string, body: string): { readonly status: number; readonly body: string } {
    const { query, size, sort } = JSON.parse(body) as { query: Clause; size: number; sort: ReadonlyArray<Sorting> }
    const documents = this.#indexes.get(index)
    if (documents === undefined) return { status: 404, body: '{"error":{"type":"index_not_found_exception"}}' }
    const found = [...documents].filter(([, { source }]) => meets(source, query))
    const [by] = sort
    if (typeof by === "object") sortBy(found, by)
    return this.#page(
      found.map(([id]) => id),
      size
    )
  }

  /** A page of a search. Each page moves the cursor on, which keeps its name. */
  #page(
    ids: ReadonlyArray<string>,
    size: number,
    cursor = `${size} ${this.#scrolls.size}`
  ): { readonly status: number; readonly body: string } {
    this.#scrolls.set(cursor, ids.slice(size))
    const hits = ids.slice(0, size).map((_id) => ({ _id, _score: null }))
    return {
      status: 200,
      body: JSON.stringify({ _scroll_id: cursor, timed_out: false, _shards: this.shards, hits: { hits } })
    }
  }

  #scroll({ body, method }: Received): { readonly status: number; readonly body?: string } {
    const { scroll_id } = JSON.parse(body) as { scroll_id: string }
    if (method === "DELETE") return { status: 200 }
    return this.#page(this.#scrolls.get(scroll_id)!, Number(scroll_id.split(" ")[0]), scroll_id)
  }
}

const wordsOf = (text: unknown): ReadonlyArray<string> => String(text).toLowerCase().split(/\W+/)

const valuesOf = (source: Readonly<Record<string, unknown>>, field: string): ReadonlyArray<unknown> =>
  Array.isArray(source[field]) ? (source[field] as Array<unknown>) : field in source ? [source[field]] : []

/** How the documents of a search are sorted: `_doc` for any order. */
type Sorting = "_doc" | Readonly<Record<string, { readonly order: "asc" | "desc" }>>

const sortBy = (found: Array<[string, Stored]>, by: Exclude<Sorting, "_doc">): void => {
  const [[field, { order }]] = Object.entries(by) as [[string, { readonly order: "asc" | "desc" }]]
  const sign = order === "asc" ? 1 : -1
  found.sort(([, one], [, other]) =>
    isBefore(one.source[field], other.source[field])
      ? -sign
      : isBefore(other.source[field], one.source[field])
        ? sign
        : 0
  )
}

/** The order of an engine, in which -0.0 comes before 0.0. */
const isBefore = (one: unknown, other: unknown): boolean =>
  (one as never) < (other as never) || (Object.is(one, -0) && Object.is(other, 0))

/** True for a document that meets a query. A place is a list, which counts as one value. */
const meets = (source: Readonly<Record<string, unknown>>, query: Clause): boolean => {
  const [[kind, content]] = Object.entries(query) as [[string, Readonly<Record<string, unknown>>]]
  if (kind === "match_all") return true
  if (kind === "bool") return (content.filter as ReadonlyArray<Clause>).every((part) => meets(source, part))
  if (kind === "exists") return String(content.field) in source
  const [[field, operand]] = Object.entries(content) as [[string, never]]
  const values = valuesOf(source, field)
  switch (kind) {
    case "terms":
      return values.some((value) => (operand as Array<unknown>).includes(value))
    case "prefix":
      return values.some(
        (value) => String(value).startsWith(operand) || wordsOf(value).some((word) => word.startsWith(operand))
      )
    case "match":
      return wordsOf((operand as { query: string }).query).every((word) =>
        values.some((value) => wordsOf(value).includes(word))
      )
    case "range": {
      const { gte, lte } = operand as { gte?: unknown; lte?: unknown }
      return values.some(
        (value) => (gte === undefined || !isBefore(value, gte)) && (lte === undefined || !isBefore(lte, value))
      )
    }
    case "geo_bounding_box": {
      const { bottom_right, top_left } = operand as { bottom_right: [number, number]; top_left: [number, number] }
      const [longitude, latitude] = values as [number, number]
      return (
        longitude >= top_left[0] &&
        longitude <= bottom_right[0] &&
        latitude <= top_left[1] &&
        latitude >= bottom_right[1]
      )
    }
    case "geo_shape":
      // All shapes: the server tests what an engine finds.
      return values.length > 0
    default:
      throw new Error(`the stand-in has no query ${kind}`)
  }
}

/** Options of a client of the stand-in. */
export const searchOptions = (port: number, options: Partial<SearchOptions> = {}): SearchOptions => ({
  backend: "search",
  hosts: ["127.0.0.1"],
  port,
  indexName: "janusgraph",
  pageSize: 50,
  refresh: "false",
  connectTimeout: 1000,
  socketTimeout: 30_000,
  keepAliveSeconds: 60,
  chunkBytes: 100_000_000,
  createSettings: {},
  createPause: 0,
  usesAllField: true,
  retries: { limit: 0, codes: [429, 503], first: 1, longest: 10 },
  login: undefined,
  tls: undefined,
  ...options
})
