import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { decodeGraphFile } from "../../../src/layers/config/GraphFile.ts"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

const VERTEX = "org.apache.tinkerpop.gremlin.structure.Vertex"
const mapping = (name: string) => [
  { key: "string-analyzer", value: "standard", parser: "string" },
  { key: "mapping", value: `org.janusgraph.core.schema.Mapping.${name}`, parser: "enum" }
]

const schema = {
  vertexLabels: [{ label: "person" }, { label: "tweet", staticVertex: true, ttl: 7_200_000 }],
  edgeLabels: [
    { label: "knows", multiplicity: "SIMPLE", unidirected: false },
    { label: "visited", multiplicity: "MULTI", consistency: "LOCK" },
    { label: "likes", ttl: 3_600_000 }
  ],
  propertyKeys: [
    { key: "name", className: "java.lang.String", cardinality: "SINGLE" },
    { key: "bio", className: "java.lang.String" },
    { key: "tags", className: "java.lang.String", cardinality: "SET" },
    { key: "when", className: "java.lang.Long", ttl: 3_600_000 },
    { key: "place", className: "org.janusgraph.core.attribute.Geoshape" }
  ],
  compositeIndexes: [
    {
      name: "byName",
      typeClass: VERTEX,
      indexOnly: "person",
      unique: true,
      consistency: "LOCK",
      keys: [{ propertyKey: "name" }],
      inlinePropertyKeys: ["bio"]
    }
  ],
  vertexCentricEdgeIndexes: [
    { name: "byTime", indexedEdgeLabel: "visited", direction: "BOTH", propertyKeys: ["when"], order: "desc" }
  ],
  vertexCentricPropertyIndexes: [{ name: "tagsByTime", indexedPropertyKey: "tags", propertyKeys: ["when"] }],
  mixedIndexes: [
    {
      name: "search",
      typeClass: VERTEX,
      indexBackend: "search",
      keys: [
        { propertyKey: "bio", parameters: mapping("TEXT") },
        { propertyKey: "tags", parameters: mapping("STRING") },
        { propertyKey: "place" }
      ]
    }
  ]
}

const opened = async (document: unknown, folder = newFolder()) => {
  const file = join(folder, "schema.json")
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document))
  const lines = ["schema.default=none", "schema.init.strategy=json", `schema.init.json.file=${file}`]
  const server = await startServer(onLmdb(folder, ...lines))
  const data = async (gremlin: string) => {
    const { json, status, text } = await post(server.authority, gremlin)
    if (status !== 200) throw new Error(text)
    return json.result.data
  }
  return { ...server, data }
}

describe("schema.init.strategy=json", () => {
  it("creates the types of JanusGraph's JSON, and only once", async () => {
    const folder = newFolder()
    const first = await opened(schema, folder)
    const printed = String(await first.data("graph.openManagement().printSchema()"))
    for (const name of ["person", "tweet", "knows", "visited", "byName", "byTime", "tagsByTime", "search", "place"]) {
      expect(printed).toContain(name)
    }
    expect(first.log.filter((line) => line.includes("has no effect"))).toEqual(
      ["bio", "tags"].map((key) =>
        expect.stringContaining(
          `The index search of the graph 'graph' is in the store of the graph: string-analyzer of its key ${key} has no effect`
        )
      )
    )
    expect(
      await first.data("mgmt = graph.openManagement(); mgmt.getTTL(mgmt.getEdgeLabel('likes')).toString()")
    ).toEqual(["PT1H"])
    expect(
      await first.data("m = graph.openManagement(); m.getConsistency(m.getGraphIndex('byName')).toString()")
    ).toEqual(["LOCK"])
    await first.data(
      "g.addV('person').property('name', 'a').property('bio', 'Likes red wine').property('tags', 'x y')" +
        ".property('place', Geoshape.point(46.9, 7.4)).iterate()"
    )
    for (const condition of [
      "has('person', 'name', 'a')",
      "has('bio', textContains('WINE'))",
      "has('tags', 'x y')",
      "has('place', geoWithin(Geoshape.circle(47, 7, 100)))"
    ]) {
      expect(await first.data(`g.V().${condition}.values('name')`)).toEqual(["a"])
      expect(JSON.stringify(await first.data(`g.V().${condition}.explain()`))).toMatch(/index (byName|search)/)
    }
    await first.end()
    const again = await opened({ ...schema, vertexLabels: [...schema.vertexLabels, { label: "new" }] }, folder)
    expect(await again.data("g.V().count()")).toEqual([1])
    expect(await again.data("graph.openManagement().containsVertexLabel('new')")).toEqual([true])
  })

  it.each<readonly [string, unknown, string]>([
    ["no JSON", "{", "schema.json: The schema is not JSON"],
    ["an unknown list", { vertices: [] }, "has the unknown list vertices"],
    [
      "an unknown member",
      { vertexLabels: [{ label: "a", colour: 1 }] },
      "vertexLabels[0] of the schema has the unknown"
    ],
    ["a member that is missing", { propertyKeys: [{ key: "a" }] }, "propertyKeys[0] of the schema has no className"],
    [
      "an unknown class",
      { propertyKeys: [{ key: "a", className: "java.util.Map" }] },
      "java.util.Map is not a data type"
    ],
    [
      "a key that is not there",
      { compositeIndexes: [{ name: "i", typeClass: VERTEX, keys: [{ propertyKey: "a" }] }] },
      'The property key "a" does not exist'
    ]
  ])("reports the place of %s, and the server does not start", async (_, document, message) => {
    await expect(opened(document)).rejects.toThrow(message)
  })

  it("takes null for a member that is absent, as programs write it", async () => {
    const keys = [{ propertyKey: "name", parameters: null }]
    const { data } = await opened({
      vertexLabels: [{ label: "person", staticVertex: null, ttl: null }],
      edgeLabels: null,
      propertyKeys: [{ key: "name", className: "java.lang.String", cardinality: null, consistency: null }],
      compositeIndexes: [
        { name: "byName", typeClass: VERTEX, keys, indexOnly: null, unique: null, inlinePropertyKeys: null }
      ],
      mixedIndexes: [{ name: "search", typeClass: VERTEX, indexBackend: "search", keys, indexOnly: null }]
    })
    await data("g.addV('person').property('name', 'a').iterate()")
    expect(JSON.stringify(await data("g.V().has('name', 'a').explain()"))).toContain("index byName")
  })

  it("reads the parameters of a field by JanusGraph's parsers, by their short and by their full names", async () => {
    const { data } = await opened({
      propertyKeys: [{ key: "bio", className: "java.lang.String" }],
      mixedIndexes: [
        {
          name: "search",
          typeClass: VERTEX,
          indexBackend: "search",
          keys: [
            {
              propertyKey: "bio",
              parameters: [
                { key: "max-result-set-size", value: 10, parser: "integer" },
                {
                  key: "mapping",
                  value: "org.janusgraph.core.schema.Mapping.STRING",
                  parser: "org.janusgraph.core.schema.json.parser.EnumJsonParameterParser"
                }
              ]
            }
          ]
        }
      ]
    })
    await data("g.addV().property('bio', 'Likes red wine').iterate()")
    expect(JSON.stringify(await data("g.V().has('bio', 'Likes red wine').explain()"))).toContain("index search")
  })

  const withParameter = (parameter: object) => ({
    propertyKeys: [{ key: "bio", className: "java.lang.String" }],
    mixedIndexes: [
      {
        name: "search",
        typeClass: VERTEX,
        indexBackend: "search",
        keys: [{ propertyKey: "bio", parameters: [parameter] }]
      }
    ]
  })

  it.each<readonly [string, object, string]>([
    [
      "a parser of the user's own",
      { key: "a", value: "1", parser: "com.example.OwnParser" },
      'mixedIndexes[0] of the schema in JSON: The parser "com.example.OwnParser" of a parameter is unknown: use one of string, enum'
    ],
    [
      "a value that is no number",
      { key: "a", value: "x", parser: "integer" },
      "parser integer does not take the value"
    ],
    [
      "a number out of range",
      { key: "a", value: "128", parser: "byte" },
      'The parser byte does not take the value "128"'
    ],
    ["a parameter without a value", { key: "a" }, "The parameter a needs a value that is a text"],
    [
      "an unknown member",
      { key: "a", value: "1", parsr: "byte" },
      "parameters[0] of keys[0] has the unknown member parsr"
    ]
  ])("refuses a parameter of a field with %s", async (_, parameter, message) => {
    await expect(opened(withParameter(parameter))).rejects.toThrow(message)
  })

  it("needs an existing file", () => {
    const decoded = (...lines: ReadonlyArray<string>) => {
      const home = newFolder()
      const folders = { home, cwd: home, library: undefined, installation: home }
      const text = ["gremlin.graph=JanusGraphFactory", "storage.backend=lmdb", "storage.directory=db", ...lines]
      const { problems } = decodeGraphFile(
        "graph",
        { file: join(home, "g.properties"), text: text.join("\n"), overrides: [], environment: {} },
        folders
      )
      return problems.map(({ reason, setting }) => `${setting} ${reason}`)
    }
    const json = "schema.init.strategy=json"
    expect(decoded(json)[0]).toContain("schema.init.json.file or schema.init.json.string must be set")
    expect(decoded(json, "schema.init.json.file=none.json")[0]).toContain("there is no file none.json")
    expect(decoded(json, "schema.init.json.string={}")).toEqual([])
    expect(decoded("schema.init.strategy=groovy")[0]).toContain("must be one of none, json")
  })
})
