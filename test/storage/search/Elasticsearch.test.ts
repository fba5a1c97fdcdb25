import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import type { DocumentField } from "../../../src/storage/janusgraph/schema/Schema.ts"
import { takesTrees } from "../../../src/storage/search/EngineVersion.ts"
import { RestEngine } from "../../../src/storage/search/RestEngine.ts"
import { searchOptions } from "./StandIn.ts"

/**
 * Answers of Elasticsearch as its reference describes them, with the members in which the versions differ. They were not recorded from
 * a running engine.
 */
interface Version {
  readonly name: string
  readonly type: string
  /** Members of each document and outcome that version 8 does not have. */
  readonly typed: Readonly<Record<string, unknown>>
  /** The error of a document that does not fit the mapping. */
  readonly unfit: string
  /** The error of a document in an index that does not exist. */
  readonly noIndex: Readonly<Record<string, unknown>>
}

const versions: ReadonlyArray<Version> = [
  {
    name: "7.17",
    type: "application/json; charset=UTF-8",
    typed: { _type: "_doc" },
    unfit: "mapper_parsing_exception",
    noIndex: {
      _index: "janusgraph_gone",
      _type: null,
      _id: "c",
      error: {
        root_cause: [
          { type: "index_not_found_exception", reason: "no such index [janusgraph_gone]", index: "janusgraph_gone" }
        ],
        type: "index_not_found_exception",
        reason: "no such index [janusgraph_gone]"
      }
    }
  },
  {
    name: "8.15",
    type: "application/json",
    typed: {},
    unfit: "document_parsing_exception",
    noIndex: {
      _index: "janusgraph_gone",
      _id: "c",
      error: {
        root_cause: [{ type: "index_not_found_exception", reason: "no such index [janusgraph_gone]" }],
        type: "index_not_found_exception",
        reason: "no such index [janusgraph_gone]",
        index_uuid: "_na_"
      }
    }
  }
]

const shards = { total: 2, successful: 1, failed: 0 }

/** An engine that gives the answers in their order, and records the requests. */
const answering = async (version: Version, answers: ReadonlyArray<readonly [status: number, body: unknown]>) => {
  const asked: Array<string> = []
  const left = [...answers]
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      asked.push(`${request.method} ${request.url} ${Buffer.concat(parts)}`.trim())
      const [status, body] = left.shift()!
      response.writeHead(status, { "content-type": version.type, "x-elastic-product": "Elasticsearch" })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const engine = new RestEngine(
    searchOptions((server.address() as AddressInfo).port, { pageSize: 2, refresh: "wait_for" })
  )
  onTestFinished(async () => {
    engine.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { asked, engine }
}

describe.each(versions)("Elasticsearch $name", (version) => {
  const { noIndex, typed, unfit } = version
  const named = { _index: "janusgraph_people", ...typed }

  it("is searched page by page", async () => {
    const total = { value: 3, relation: "eq" }
    const page = (scroll: string, ids: ReadonlyArray<string>) => {
      const hits = ids.map((_id, at) => ({ ...named, _id, _score: null, sort: [at] }))
      const searched = { total: 1, successful: 1, skipped: 0, failed: 0 }
      return {
        _scroll_id: scroll,
        took: 3,
        timed_out: false,
        _shards: searched,
        hits: { total, max_score: null, hits }
      }
    }
    const released = { succeeded: true, num_freed: 1 }
    const { asked, engine } = await answering(version, [
      [200, page("s1", ["a", "b"])],
      [200, page("s2", ["c"])],
      [200, released]
    ])
    const first = await engine.search("People", '{"match_all":{}}')
    expect(first).toEqual({ ids: ["a", "b"], cursor: "s1" })
    expect(await engine.more("s1")).toEqual({ ids: ["c"], cursor: undefined })
    expect(asked.slice(0, 2)).toEqual([
      'POST /janusgraph_people/_search?scroll=60s {"size":2,"query":{"match_all":{}},"_source":false,"sort":["_doc"]}',
      'POST /_search/scroll {"scroll":"60s","scroll_id":"s1"}'
    ])
  })

  it("gives versions and documents", async () => {
    const found = { ...named, _id: "a", _version: 4, _seq_no: 7, _primary_term: 2, found: true }
    const docs = [found, { ...named, _id: "b", found: false }, noIndex]
    const { engine } = await answering(version, [
      [200, { docs }],
      [200, { docs: [{ ...found, _source: { age: 3 } }, ...docs.slice(1)] }]
    ])
    const names = ["a", "b", "c"].map((id) => ({ store: "people", id }))
    const problem = { problem: expect.stringContaining("no such index [janusgraph_gone]"), isTemporary: false }
    expect(await engine.versions(names)).toEqual([{ sequence: 7, term: 2 }, undefined, problem])
    expect(await engine.read(names)).toEqual([{ fields: { age: 3 } }, undefined, problem])
  })

  it("takes, refuses and delays the documents of one write", async () => {
    const done = { ...named, _version: 1, _shards: shards, _seq_no: 0, _primary_term: 1 }
    const refused = (status: number, type: string) => ({ ...named, status, error: { type, reason: "no" } })
    const items = [
      { create: { ...done, _id: "a", result: "created", status: 201 } },
      { index: { ...done, _id: "b", result: "updated", status: 200 } },
      { delete: { ...done, _id: "c", result: "deleted", status: 200 } },
      { create: { _id: "d", ...refused(409, "version_conflict_engine_exception") } },
      { delete: { ...done, _id: "e", result: "not_found", status: 404 } },
      { index: { _id: "f", ...refused(400, unfit) } },
      { index: { _id: "g", ...refused(429, "es_rejected_execution_exception") } },
      { index: { _id: "h", ...refused(403, "cluster_block_exception") } },
      { index: { _id: "i", ...refused(503, "unavailable_shards_exception") } }
    ]
    const { asked, engine } = await answering(version, [[200, { took: 30, errors: true, items }]])
    const known = { sequence: 1, term: 1 }
    const outcomes = await engine.write(
      items.map((item) => {
        const [[kind, { _id }]] = Object.entries(item) as [[string, { readonly _id: string }]]
        const version = kind === "create" ? undefined : known
        return { store: "people", id: _id, json: kind === "delete" ? undefined : '{"age":1}', version }
      })
    )
    const kinds = ["done", "done", "done", "changed", "changed", "refused", "later", "later", "later"]
    expect(outcomes.map(({ kind }) => kind)).toEqual(kinds)
    expect(asked[0]!.split("\n").slice(0, 4)).toEqual([
      'POST /_bulk?refresh=wait_for {"create":{"_index":"janusgraph_people","_id":"a"}}',
      '{"age":1}',
      '{"index":{"_index":"janusgraph_people","_id":"b","if_seq_no":1,"if_primary_term":1}}',
      '{"age":1}'
    ])
  })

  it("gets a new index, and an alias", async () => {
    const acknowledged = { acknowledged: true }
    const { asked, engine } = await answering(version, [
      [404, undefined],
      [200, { ...acknowledged, shards_acknowledged: true, index: "janusgraph_people" }],
      [200, acknowledged],
      [200, { ...acknowledged, errors: false }],
      [200, acknowledged],
      [200, acknowledged],
      [404, { error: { type: "index_not_found_exception" }, status: 404 }]
    ])
    await engine.register("People", [])
    await engine.discard("People")
    await engine.discard("People")
    expect(asked.map((request) => request.split(" {")[0])).toEqual([
      "HEAD /janusgraph_people",
      "PUT /janusgraph_people",
      "PUT /janusgraph_people/_settings",
      "POST /_aliases",
      "PUT /janusgraph_people/_mapping",
      "DELETE /janusgraph_people",
      "DELETE /janusgraph_people"
    ])
  })

  it("gets no new index with a field of a prefix tree, if its version has none", async () => {
    const field = { key: { name: "area", dataType: { name: "Geoshape" } }, name: "area", mapping: "PREFIX_TREE" }
    const fields = [{ ...field, tree: { levels: 20, error: 0.01 } } as unknown as DocumentField]
    const described = { name: "node", version: { number: `${version.name}.0`, build_flavor: "default" }, tagline: "" }
    const { asked, engine } = await answering(version, [
      [404, undefined],
      [200, described],
      [200, {}],
      [200, {}],
      [200, {}],
      [200, {}]
    ])
    const registered = engine.register("People", fields)
    if (version.name.startsWith("7")) {
      await registered
      expect(asked.at(-1)).toContain('"tree":"quadtree"')
    } else {
      await expect(registered).rejects.toThrow("The key area cannot have the mapping PREFIX_TREE")
      expect(asked).toEqual(["HEAD /janusgraph_people", "GET /"])
    }
  })

  it("says that it needs a login", async () => {
    const reason = "missing authentication credentials for REST request [/janusgraph_people/_search]"
    const error = { root_cause: [{ type: "security_exception", reason }], type: "security_exception", reason }
    const { engine } = await answering(version, [[401, { error, status: 401 }]])
    await expect(engine.search("people", "{}")).rejects.toThrow(reason)
  })
})

it("OpenSearch, and an engine that is not understood, takes prefix trees", () => {
  const opensearch = { version: { distribution: "opensearch", number: "9.1.0" } }
  for (const text of [JSON.stringify(opensearch), "<html>", "{}", "null"]) expect(takesTrees(text)).toBe(true)
})
