import { describe, expect, it } from "vitest"
import { isOption } from "../../../src/layers/config/JanusGraphOptions.ts"
import { optionReader } from "../../../src/layers/config/OptionReader.ts"
import { searchEngines } from "../../../src/layers/config/SearchEngineOptions.ts"

const folders = { home: "/", cwd: "/", library: undefined, installation: "/" }

const read = (options: Readonly<Record<string, string>>) => {
  const problems: Array<string> = []
  const values = new Map(Object.entries({ "storage.backend": "cql", ...options }))
  const reader = optionReader(values, (key, reason) => {
    problems.push(`${key} ${reason}`)
    return undefined
  })
  return { engines: searchEngines(reader, "/graph.properties", folders), problems }
}

describe("The options of a search engine", () => {
  it("have JanusGraph's defaults", () => {
    const { engines, problems } = read({ "index.search.backend": "elasticsearch" })
    expect(problems).toEqual([])
    expect(engines).toMatchObject([
      {
        backend: "search",
        hosts: ["127.0.0.1"],
        port: 9200,
        indexName: "janusgraph",
        pageSize: 50,
        refresh: "false",
        connectTimeout: 1000,
        socketTimeout: 30_000,
        keepAliveSeconds: 60,
        createSettings: {},
        createPause: 200,
        usesAllField: true,
        login: undefined,
        tls: undefined
      }
    ])
  })

  it("are read for each index backend that is a search engine, in a graph in Cassandra", () => {
    const options = {
      "index.a.backend": "opensearch",
      "index.a.hostname": "one, two:9201",
      "index.a.elasticsearch.http.auth.type": "basic",
      "index.a.elasticsearch.http.auth.basic.username": "ann",
      "index.a.elasticsearch.http.auth.basic.password": "secret",
      "index.a.elasticsearch.create.ext.number_of_shards": "3",
      "index.b.backend": "es",
      "index.c.backend": "lucene"
    }
    const { engines, problems } = read(options)
    expect(problems).toEqual([])
    expect(engines.map(({ backend, hosts, login }) => [backend, hosts, login])).toEqual([
      ["a", ["one", "two:9201"], { username: "ann", password: "secret" }],
      ["b", ["127.0.0.1"], undefined]
    ])
    expect(engines.map(({ createSettings }) => createSettings)).toEqual([{ number_of_shards: "3" }, {}])
    for (const key of Object.keys(options)) expect(isOption(key), key).toBe(true)
    expect(read({ ...options, "storage.backend": "lmdb" }).engines).toEqual([])
  })

  it.each([
    ["interface", "TRANSPORT_CLIENT", "must be REST_CLIENT"],
    ["use-mapping-for-es7", "true", "must be false"],
    ["http.auth.type", "CUSTOM", "must be NONE or BASIC"],
    ["bulk-refresh", "maybe", "must be one of false, true, wait_for"],
    ["retry-error-codes", "429,soon", "must be a list of HTTP status codes"],
    ["socket-timeout", "0", "must be a whole number above 0"]
  ])("refuse elasticsearch.%s=%s", (option, value, problem) => {
    const key = `index.search.elasticsearch.${option}`
    const { problems } = read({ "index.search.backend": "elasticsearch", [key]: value })
    expect(problems).toEqual([expect.stringContaining(`${key} ${problem}`)])
  })

  it.each([
    ["*", "janusgraph"],
    ["a,b", "a_b"],
    ["<now>", "now_"],
    ["my graph", "my_graph"],
    ["_all", "all"],
    ["-x", "x"]
  ])("refuse the index-name %s", (name, suggested) => {
    const key = "index.search.index-name"
    const engine = { "index.search.backend": "elasticsearch" }
    const allowed = expect.stringMatching(new RegExp(`Set, for example, ${suggested}$`))
    expect(read({ ...engine, [key]: name }).problems).toEqual([allowed])
    expect(read({ ...engine, "graph.graphname": name }).problems).toEqual([allowed])
    expect(read({ ...engine, [key]: suggested, "graph.graphname": name }).problems).toEqual([])
  })

  it("need a user name for BASIC", () => {
    const { problems } = read({
      "index.search.backend": "elasticsearch",
      "index.search.elasticsearch.http.auth.type": "BASIC"
    })
    expect(problems).toEqual([
      "index.search.elasticsearch.http.auth.basic.username is missing; the authentication BASIC needs it"
    ])
  })
})
