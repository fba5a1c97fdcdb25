import { describe, expect, it } from "vitest"
import { http } from "../../support/HttpClient.ts"
import { endless, eventually, modern, startServer } from "../../support/TestServers.ts"

// The queries that graph-explorer 3.2 sends, on TinkerPop's graph "modern".

const headers = { "content-type": "application/json", accept: "application/vnd.gremlin-v3.0+json" }

const ask = (authority: string, gremlin: string, queryId: string) =>
  http(authority, { method: "POST", path: "/gremlin", headers }, JSON.stringify({ gremlin, queryId }))

const long = (value: number) => ({ "@type": "g:Int64", "@value": value })
const int = (value: number) => ({ "@type": "g:Int32", "@value": value })
const map = (...entries: ReadonlyArray<unknown>) => ({ "@type": "g:Map", "@value": entries })
const list = (...items: ReadonlyArray<unknown>) => ({ "@type": "g:List", "@value": items })

/** A vertex or an edge of an answer, by its label. */
const element = (type: "g:Vertex" | "g:Edge", label: string) =>
  expect.objectContaining({ "@type": type, "@value": expect.objectContaining({ label }) })

const ends = (sourceType: string, targetType: string) => map("sourceType", sourceType, "targetType", targetType)

/** The queries, and in typed GraphSON 3 the list of results, or the map whose entries are the results. */
const queries: ReadonlyArray<readonly [query: string, result: unknown]> = [
  ["g.V().groupCount().by(label)", map("person", long(4), "software", long(2))],
  ["g.E().groupCount().by(label)", map("created", long(4), "knows", long(2))],
  [
    "g.V().limit(1).project('person','software').by(V().hasLabel('person').limit(1)).by(V().hasLabel('software').limit(1))",
    map("person", element("g:Vertex", "person"), "software", element("g:Vertex", "software"))
  ],
  [
    "g.V().limit(1).project('created','knows').by(V().bothE('created').limit(1)).by(V().bothE('knows').limit(1))",
    map("created", element("g:Edge", "created"), "knows", element("g:Edge", "knows"))
  ],
  [
    "g.E().hasLabel('created','knows').group().by(label()).by(limit(10000).project('sourceType','targetType').by(outV().label()).by(inV().label()).dedup().fold())",
    map("created", list(ends("person", "software")), "knows", list(ends("person", "person")))
  ],
  [
    "g.V().hasLabel('person').or(has(id,containing('51')),has('name',containing('mark'))).range(0,10)",
    [element("g:Vertex", "person")]
  ],
  [
    "g.V(1L,3L).group().by(id).by(both().dedup().groupCount().by(label))",
    map(int(1), map("person", long(2), "software", long(1)), int(3), map("person", long(3)))
  ],
  [
    "g.V(6L).project('vertices','edges').by(both().dedup().range(0,10).fold()).by(bothE().dedup().fold())",
    map("edges", list(element("g:Edge", "created")), "vertices", list(element("g:Vertex", "software")))
  ]
]

/** A map with its entries in a fixed order: their order has no meaning. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== "object" || value === null) return value
  if (!("@type" in value) || !("@value" in value) || value["@type"] !== "g:Map") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ordered(item)]))
  }
  const flat = value["@value"] as ReadonlyArray<unknown>
  const entries = flat.flatMap((key, at) => (at % 2 === 0 ? [[ordered(key), ordered(flat[at + 1])] as const] : []))
  entries.sort(([a], [b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return { "@type": "g:Map", "@value": entries.flat() }
}

describe("graph-explorer", () => {
  it("gets its queries answered in typed GraphSON 3, each with its own id", async () => {
    const { authority } = await startServer(modern)
    for (const [at, [query, result]] of queries.entries()) {
      const id = `41d2e28a-20a4-4ab0-b379-d810dede37${String(at).padStart(2, "0")}`
      const { json, status } = await ask(authority, query, id)
      expect([query, status, json.requestId]).toEqual([query, 200, id])
      const found = json.result.data["@value"] as ReadonlyArray<{ readonly "@value": ReadonlyArray<unknown> }>
      // The entries of a map are results by themselves.
      const whole = Array.isArray(result) ? found : map(...found.flatMap((entry) => entry["@value"]))
      expect([query, ordered(whole)]).toEqual([query, result])
    }
  })

  it("cancels a query by its id when its tab is closed, and reads the labels from the summary", async () => {
    const { authority } = await startServer(modern)
    const id = "41d2e28a-20a4-4ab0-b379-d810dede3786"
    const running = ask(authority, endless, id)
    const count = async () => (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount
    await eventually(async () => (await count()) === 1)
    const cancelled = await http(authority, { path: `/gremlin/status?cancelQuery=&queryId=${encodeURIComponent(id)}` })
    expect(cancelled.status).toBe(200)
    expect((await running).status).toBe(500)
    const { graphSummary } = (await http(authority, { path: "/pg/statistics/summary?mode=basic" })).json.payload
    expect(graphSummary).toMatchObject({ nodeLabels: ["person", "software"], edgeLabels: ["created", "knows"] })
  })
})
