import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { readFile } from "../../console/data/GraphFile.ts"
import { keysOfLists, missingEnd, type NewProperty, repeatedKey } from "../../console/data/ParsedFile.ts"
import { pointsOf, singleNumber } from "../../console/results/Chart.tsx"
import { Columns } from "../../console/results/Columns.ts"
import { csvOf, elementsOf } from "../../console/results/Exports.ts"
import { graphmlFile } from "../../console/results/Graphml.ts"
import { orderOf } from "../../console/results/RowOrder.ts"
import { decode, parseJson, parseWritten, typed, writeJson } from "../../console/wire/Decode.ts"
import { StreamedList } from "../../console/wire/StreamedList.ts"
import {
  Edge,
  Mapping,
  Other,
  Property,
  PropertyValue,
  plainOf,
  textOf,
  type Value,
  Vertex
} from "../../console/wire/Values.ts"

const id = (text: string) => ({ raw: text, text })

/** The values of new properties by their keys. */
const pairs = (properties: ReadonlyArray<NewProperty>) => properties.map(({ key, value }) => [key, value])
/** The values of new properties as they are sent. */
const sent = (properties: ReadonlyArray<NewProperty>) => properties.map((property) => property.sent)

/** Values of GraphSON 3. */
const graphson = (type: string, value: unknown) => ({ "@type": type, "@value": value })

/** The GraphML of elements, or why there is none. */
const graphmlOf = (...values: ReadonlyArray<Value>): string => {
  const { edges, vertices } = elementsOf(values)
  const file = graphmlFile(vertices, edges)
  return "loss" in file ? file.loss : file.text
}

describe("A CSV file in the console", () => {
  it("is read as the server and Neptune write it: arrays, cardinalities, types of ids, labels and escapes", () => {
    const header = "~id:Long,~label,name:String(single),tags:String[],n:Int(set)[],label,s"
    const { columns, vertices } = readFile("v.csv", `${header}\n8,a;b,x;y,p\\;q;r;\\e,1;2,plain,x\\;y\n`, "person")
    expect(columns.map(({ name }) => name)).toEqual(["~id:Long", "~label", "name", "tags", "n", "label", "s"])
    expect(vertices.map(({ key, label, properties }) => [key, label, pairs(properties)])).toEqual([
      [
        "8",
        "a::b",
        [
          ["name", "x;y"],
          ["tags", "p;q"],
          ["tags", "r"],
          ["tags", ""],
          ["n", 1],
          ["n", 2],
          ["label", "plain"],
          ["s", "x\\;y"]
        ]
      ]
    ])
    const edges = (row: string) =>
      readFile("e.csv", `~from:Long,~to:Long,~label,w:Int[],x:IGNORE\n${row}\n`, "to").edges
    expect(edges("8,16,knows,1,z")).toMatchObject([{ from: "8", to: "16", label: "knows", properties: [{ key: "w" }] }])
    expect(() => edges("8,16,knows,1;2,z")).toThrow("a property of an edge has one value")
  })

  it("is refused with a column whose type the console does not read", () => {
    for (const column of ["born:Date", "n:Byte[]", "place:Geoshape(single)", "a:Int(many)", "b:Other[]"]) {
      expect(() => readFile("v.csv", `~id,${column}\n1,2\n`, "x")).toThrow(
        `does not read the type of the column ${column}`
      )
    }
  })

  it("has values of the types that its columns name or show", () => {
    const { columns, vertices } = readFile(
      "people.csv",
      'id,name,age,zip\r\n1,"Ada ""A"", L",36,01234\r\n2,,1.5,9\r\n',
      "person"
    )
    expect(columns.map(({ type }) => type)).toEqual(["id", "string", "double", "string"])
    expect(vertices.map(({ key, label, properties }) => [key, label, pairs(properties)])).toEqual([
      [
        "1",
        "person",
        [
          ["name", 'Ada "A", L'],
          ["age", 36],
          ["zip", "01234"]
        ]
      ],
      [
        "2",
        "person",
        [
          ["age", 1.5],
          ["zip", "9"]
        ]
      ]
    ])
  })

  it("sends all values of a column with one type", () => {
    const { columns, vertices } = readFile("a.csv", "price,people\n1,5\n2.5,3000000000\n", "v")
    expect(columns.map(({ type }) => type)).toEqual(["double", "long"])
    expect(vertices.map(({ properties }) => sent(properties))).toEqual([
      [graphson("g:Double", 1), graphson("g:Int64", 5)],
      [graphson("g:Double", 2.5), graphson("g:Int64", 3_000_000_000)]
    ])
    const declared = readFile("a.csv", "a:float,b:long,c:int,d:bool\n1,2,3,true\n", "v").vertices
    expect(sent(declared[0]!.properties)).toEqual([
      graphson("g:Float", 1),
      graphson("g:Int64", 2),
      graphson("g:Int32", 3),
      true
    ])
    expect(() => readFile("a.csv", "a:int\n3000000000\n", "v")).toThrow("is no int")
  })

  it("may have one row for an id", () => {
    const { vertices } = readFile("a.csv", "id,name\n1,Ada\n2,Grace\n1,Alan\n", "person")
    expect(repeatedKey(vertices)).toBe("1")
    expect(repeatedKey(readFile("a.csv", "name\nAda\nAda\n", "person").vertices)).toBeUndefined()
  })

  it("may have the headers of Neptune and of Neo4j", () => {
    const neptune = readFile("e.csv", "~id,~from,~to,~label,since:Int\ne1,a,b,knows,1833\n", "x").edges
    const neo4j = readFile("e.csv", ":START_ID,:END_ID,:TYPE,since:int\na,b,knows,1833\n", "x").edges
    const since = { key: "since", value: 1833, sent: graphson("g:Int32", 1833) }
    const edge = { from: "a", to: "b", label: "knows", properties: [since] }
    const others = readFile("knows.csv", "Source,Target,since\na,b,1833\n", "knows").edges
    expect([neptune, neo4j, others]).toEqual([[edge], [edge], [edge]])
    // Each of the names alone is a property.
    expect(readFile("v.csv", "name,source\na,web\n", "v").vertices.map(({ properties }) => pairs(properties))).toEqual([
      [
        ["name", "a"],
        ["source", "web"]
      ]
    ])
  })

  it.each([
    "~id,~label,source,target",
    "~id,~label,source:String,target:String",
    "code:ID,kind,source,target",
    "id,label,source:string,target:string"
  ])("has the properties source and target in vertices: %s", (header) => {
    const { edges, vertices } = readFile("v.csv", `${header}\nv1,thing,web,all\n`, "v")
    expect(edges).toEqual([])
    expect(vertices.map(({ key }) => key)).toEqual(["v1"])
    expect(pairs(vertices[0]!.properties)).toEqual(
      expect.arrayContaining([
        ["source", "web"],
        ["target", "all"]
      ])
    )
  })

  it("has the types that the user chooses, and names the value that does not fit", () => {
    const text = "code,zip,note\n7,01234,x\n8,99,y\n"
    const chosen = new Map([
      ["code", "string"],
      ["zip", "int"],
      ["note", "left out"]
    ])
    expect(readFile("a.csv", text, "v", chosen).vertices.map(({ properties }) => pairs(properties))).toEqual([
      [
        ["code", "7"],
        ["zip", 1234]
      ],
      [
        ["code", "8"],
        ["zip", 99]
      ]
    ])
    expect(() => readFile("a.csv", text, "v", new Map([["note", "int"]]))).toThrow(
      'the value "x" of note is no int: choose another type'
    )
    expect(() => readFile("a.csv", "n:int\n1.5\n", "v")).toThrow('the value "1.5" of n is no int')
  })

  it("may have semicolons or tabs between its fields, as the spreadsheets of many countries write it", () => {
    for (const text of ['id;name;note\n1;"Ada; L";a,b\n', 'id\tname\tnote\n1\t"Ada; L"\ta,b\n']) {
      const [vertex] = readFile("a.csv", text, "person").vertices
      expect([text, pairs(vertex!.properties)]).toEqual([
        text,
        [
          ["name", "Ada; L"],
          ["note", "a,b"]
        ]
      ])
    }
    expect(readFile("a.csv", '"a;b",c\n1,2\n', "v").columns.map(({ name }) => name)).toEqual(["a;b", "c"])
  })

  it("without ids has vertices that no edge can name", () => {
    const { vertices } = readFile("a.csv", "name\nAda\nGrace\n", "person")
    const edges = [{ from: "0", to: "1", label: "knows", properties: [] }]
    expect(missingEnd({ vertices, edges }, new Set())).toBe("0")
    expect(missingEnd({ vertices, edges: [{ ...edges[0]!, from: "" }] }, new Set())).toBe("")
  })

  it("with more fields in a row than in the header is refused with the row", () => {
    expect(() => readFile("a.csv", "a,b\n1,2\n1,2,3\n", "v")).toThrow("row 2 below the header has 3 fields")
  })

  it("is refused with the place of an unfinished quote, and without rows", () => {
    expect(() => readFile("a.csv", 'name\n"Ada', "x")).toThrow("the field at character 6 has an unfinished quote")
    expect(() => readFile("a.csv", "name\n", "x")).toThrow("no rows")
    expect(() => readFile("a.txt", "", "x")).toThrow(".csv")
  })
})

describe("A file that the console has saved", () => {
  const elements: ReadonlyArray<Value> = [
    new Vertex(id("1"), "person", new Map([["name", [new PropertyValue("Ada")]]])),
    new Vertex(id("2"), "person", new Map([["name", [new PropertyValue("Grace")]]])),
    new Edge(
      id("7"),
      "knows",
      [
        { id: id("1"), label: "person" },
        { id: id("2"), label: "person" }
      ],
      new Map([["since", [new PropertyValue(1833, "g:Int32")]]])
    )
  ]

  it("is read as vertices and edges from CSV", () => {
    const { edges, vertices } = readFile("results.csv", csvOf(elements), "x")
    expect(vertices.map(({ key, label, properties }) => [key, label, pairs(properties)])).toEqual([
      ["1", "person", [["name", "Ada"]]],
      ["2", "person", [["name", "Grace"]]]
    ])
    expect(edges.map((edge) => ({ ...edge, properties: pairs(edge.properties) }))).toEqual([
      { from: "1", to: "2", label: "knows", properties: [["since", 1833]] }
    ])
    // A row without ends in a file of edges is a mistake, which the import says.
    for (const csv of ["from,to,w\n1,2,3\n,,4\n", "id,from,to\n7,1,2\n8,,\n", "id,From,To,label\n7,1,2,a\n8,,,a\n"]) {
      expect(readFile("e.csv", csv, "x")).toMatchObject({ vertices: [], edges: [{}, { from: "" }] })
    }
    const properties = "id,label,name,from,to,since\n1,person,Ada,,,\n7,knows,,1,1,1833\n"
    expect(readFile("results.csv", properties, "x")).toMatchObject({ vertices: [{ key: "1" }], edges: [{ from: "1" }] })
  })

  it("is refused from CSV if two columns have one meaning", () => {
    const vertex = new Vertex(id("1"), "a", new Map([["from", [new PropertyValue("home")]]]))
    expect(() => readFile("results.csv", csvOf([vertex, ...elements]), "x")).toThrow("another column with the meaning")
  })

  it("is refused from JSON, which has no types, and which is no GraphSON", () => {
    const [vertex, , edge] = elements.map(plainOf)
    for (const items of [elements.map(plainOf), [vertex], [edge]]) {
      for (const text of [writeJson(items, 2), items.map((item) => writeJson(item)).join("\n")])
        expect(() => readFile("results.json", text, "x")).toThrow("JSON without types")
    }
    const several = { id: 1, label: "a", properties: { name: ["b", "c"] } }
    expect(() => readFile("results.json", writeJson([several]), "x")).toThrow("JSON without types")
    const graph = { vertices: [{ id: 1, label: "a" }], edges: [{ id: 2, label: "to", outV: 1, inV: 1 }] }
    expect(() => readFile("g.json", writeJson(graph), "x")).toThrow("edges beside their vertices")
    expect(() => readFile("g.json", writeJson(graph.edges), "x")).toThrow("edges beside their vertices")
    expect(readFile("g.json", writeJson({ ...graph, edges: [] }), "x").vertices).toHaveLength(1)
  })
})

describe("A GraphSON file in the console", () => {
  it("has vertices with their outgoing edges", () => {
    const line =
      '{"id":{"@type":"g:Int64","@value":1},"label":"person","outE":{"knows":[{"id":7,"inV":{"@type":"g:Int64","@value":2},' +
      '"properties":{"weight":{"@type":"g:Double","@value":0.5}}}]},"properties":{"name":[{"@type":"g:VertexProperty","@value":{"id":0,"value":"marko"}}]}}'
    const { edges, vertices } = readFile("graph.json", `${line}\n{"id":2,"label":"person"}\n`, "x")
    const name = { key: "name", value: "marko", sent: "marko" }
    expect(vertices).toEqual([
      { key: "1", label: "person", properties: [name] },
      { key: "2", label: "person", properties: [] }
    ])
    const weight = { key: "weight", value: 0.5, sent: graphson("g:Double", 0.5) }
    expect(edges).toEqual([{ from: "1", to: "2", label: "knows", properties: [weight] }])
  })

  it("keeps the types, the several values and the meta-properties of its properties", () => {
    const date = graphson("g:Date", 1_000)
    const list = graphson("g:List", [graphson("g:Int32", 1), "a"])
    const values = [
      { id: 1, value: graphson("g:Double", 1), properties: { since: date, of: 7 } },
      { id: 2, value: list },
      { id: 3, value: [1.5] }
    ]
    const line = { id: 1, label: "a", properties: { p: values, q: [{ id: 4, value: date }] } }
    const { columns, vertices } = readFile("g.json", JSON.stringify(line), "x")
    const [one, two, three, four] = vertices[0]!.properties
    expect(one).toEqual({
      key: "p",
      value: 1,
      sent: graphson("g:Double", 1),
      meta: [
        ["since", date],
        ["of", graphson("g:Int32", 7)]
      ]
    })
    expect(sent([two!, three!, four!])).toEqual([list, graphson("g:List", [graphson("g:Double", 1.5)]), date])
    expect([...keysOfLists(vertices)]).toEqual(["p"])
    expect(columns).toEqual([
      { name: "p", type: "g:List" },
      { name: "q", type: "g:Date" }
    ])
  })

  it("may be one object with all vertices, and is refused with class names or without an id", () => {
    const { edges, vertices } = readFile(
      "g.json",
      '{"vertices":[{"id":1,"label":"a","outE":{"e":[{"id":3,"inV":2}]}},{"id":2}]}',
      "x"
    )
    expect([vertices.map(({ key, label }) => [key, label]), edges.length]).toEqual([
      [
        ["1", "a"],
        ["2", "vertex"]
      ],
      1
    ])
    expect(() => readFile("g.json", '{"label":"a"}', "x")).toThrow("no vertex with an id")
    expect(() => readFile("g.json", '{"@class":"java.util.HashMap","id":1}', "x")).toThrow("GraphSON 1 with types")
  })
})

describe("A GraphML file in the console", () => {
  it("has the nodes of groups with their own data, and is refused with hyperedges", () => {
    const file = (content: string) =>
      readFile("a.graphml", `<graphml><key id="s" attr.name="s"/><graph>${content}</graph></graphml>`, "x")
    const { edges, vertices } = file(
      `<node id="g"><data key="s">group</data><graph><data key="s">of the graph</data><node id="a"><data key="s">inner</data>` +
        `<port name="p"><data key="s">of a port</data></port></node><edge source="g" target="a"/></graph></node>`
    )
    expect(vertices.map(({ key, properties }) => [key, pairs(properties)])).toEqual([
      ["g", [["s", "group"]]],
      ["a", [["s", "inner"]]]
    ])
    expect(edges).toMatchObject([{ from: "g", to: "a" }])
    expect(() => file("<hyperedge/>")).toThrow("a <hyperedge> cannot be read")
  })

  it("keeps the types of its keys, and is refused with a type that GraphML does not know", () => {
    const file = (type: string) =>
      `<graphml><key id="w" attr.name="w" attr.type="${type}"/><graph><node id="1"><data key="w">1</data></node></graph></graphml>`
    for (const [type, wanted] of [
      ["int", graphson("g:Int32", 1)],
      ["long", graphson("g:Int64", 1)],
      ["float", graphson("g:Float", 1)],
      ["double", graphson("g:Double", 1)],
      ["string", "1"]
    ] as const)
      expect([type, sent(readFile("g.xml", file(type), "v").vertices[0]!.properties)]).toEqual([type, [wanted]])
    expect(() => readFile("g.xml", file("date"), "v")).toThrow("the key w has the type date")
  })
})

describe("An export of the console", () => {
  it("has no cell that a spreadsheet takes for a formula", () => {
    const rows = csvOf([new Property("a", "=1+1"), new Property("b", -1), new Property("c", 'x,"y"')])
    expect(rows.split("\r\n")).toEqual(["key,value", "a,'=1+1", "b,-1", 'c,"x,""y"""'])
  })

  it("has all columns, and the table says how many it does not show", () => {
    const keys = Array.from({ length: 100 }, (_, at) => `k${at}`)
    const rows = [new Mapping(keys.map((key, at) => [key, at])), new Mapping([["k99", "last"]])]
    const [head, first, second] = csvOf(rows).split("\r\n")
    expect(head?.split(",")).toEqual(keys)
    expect(first?.split(",")).toEqual(keys.map((_, at) => String(at)))
    expect(second).toBe(`${",".repeat(99)}last`)
    const shown = new Columns(rows, 60)
    expect([shown.all().length, shown.left]).toEqual([60, 40])
  })

  it("has no markup of texts in GraphML, and its line ends survive a reader", () => {
    const vertex = new Vertex(id('"1"'), "<b>", new Map([["n&m", [new PropertyValue("</graphml>\r\n")]]]))
    const xml = graphmlOf(vertex)
    expect(xml).not.toMatch(/<b>|<\/graphml>.*<\/graphml>/s)
    expect(xml).toContain("&#60;/graphml&#62;&#13;&#10;")
    expect(pairs(readFile("again.xml", xml, "x").vertices[0]!.properties)).toEqual([["n&m", "</graphml>\r\n"]])
  })

  it("has a key for each type in GraphML, and the vertices of its edges", () => {
    const values = (...all: ReadonlyArray<PropertyValue>) =>
      all.map((value, at) => new Vertex(id(String(at)), "v", new Map([["n", [value]]])))
    const made = values(
      new PropertyValue(1, "g:Int32"),
      new PropertyValue(1, "g:Double"),
      new PropertyValue("1"),
      new PropertyValue(true)
    )
    const ends = [
      { id: id("0"), label: "v" },
      { id: id("9"), label: "w" }
    ] as const
    const edge = new Edge(id("e"), "knows", ends, new Map([["n", [new PropertyValue(2, "g:Int64")]]]))
    const xml = graphmlOf(...made, edge)
    const again = readFile("again.xml", xml, "x")
    expect(again.vertices.flatMap(({ properties }) => sent(properties))).toEqual([
      graphson("g:Int32", 1),
      graphson("g:Double", 1),
      "1",
      true
    ])
    expect(again.vertices.map(({ key, label }) => [key, label]).at(-1)).toEqual(["9", "w"])
    expect(sent(again.edges[0]!.properties)).toEqual([graphson("g:Int64", 2)])
    expect(missingEnd(again, new Set())).toBeUndefined()
  })

  it("is refused as GraphML with what the format cannot hold", () => {
    const of = (key: string, ...values: ReadonlyArray<PropertyValue>) =>
      graphmlOf(new Vertex(id("1"), "v", new Map([[key, values]])))
    const text = new PropertyValue("a")
    expect(of("k", text, text)).toContain("several of k")
    expect(of("k", new PropertyValue("a", "", new Map([["since", 1]])))).toContain("properties of properties")
    for (const value of [
      new PropertyValue("1970-01-01", "g:Date"),
      new PropertyValue([1], "g:List"),
      new PropertyValue(null)
    ])
      expect(of("k", value)).toContain("and k has others")
    expect(of("labelV", text)).toContain("a property of this name")
    expect(of("k", new PropertyValue("\u0001"))).toBe("v[1] has a character that XML cannot hold")
    expect(of("\ufffe", text)).toBe("v[1] has a character that XML cannot hold")
    expect(of("labelE", text)).toContain("<graphml")
  })

  it("has the meta-properties of properties as CSV and as JSON", () => {
    const meta = new Map<string, Value>([["since", 2009]])
    const vertex = new Vertex(
      id("1"),
      "v",
      new Map([["name", [new PropertyValue("a", "", meta), new PropertyValue("b")]]])
    )
    expect(csvOf([vertex]).split("\r\n")).toEqual(["id,label,name,name.since", '1,v,"[a, b]","[2009, null]"'])
    expect(plainOf(vertex)).toEqual({
      id: "1",
      label: "v",
      properties: { name: [{ value: "a", properties: { since: 2009 } }, "b"] }
    })
    const property = new Property("name", "a", meta)
    expect(csvOf([property]).split("\r\n")).toEqual(["key,value,since", "name,a,2009"])
    expect([textOf(vertex), textOf(property)]).toEqual(["v[1] v {name: a {since: 2009}, b}", "name: a {since: 2009}"])
  })

  it("loses no entry of a map whose keys have the same text, and no property with the name of another column", () => {
    const map = new Mapping([
      [1, "number"],
      ["1", "text"]
    ])
    expect(csvOf([map]).split("\r\n")).toEqual(["1,1", "number,text"])
    expect(plainOf(map)).toEqual([
      { key: 1, value: "number" },
      { key: "1", value: "text" }
    ])
    const ends = [
      { id: id("1"), label: "v" },
      { id: id("2"), label: "v" }
    ] as const
    const edge = new Edge(id("e"), "knows", ends, new Map([["from", [new PropertyValue("a letter")]]]))
    expect(csvOf([edge]).split("\r\n")).toEqual(["id,label,from,to,from", "e,knows,1,2,a letter"])
    const ids = new Columns([edge]).all().map((column) => column.id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe("A number that a user writes", () => {
  it("is a Double if it has a point or an exponent, and an integer else", () => {
    const sentAs = (text: string) => writeJson(typed(parseWritten(text)))
    const double = (value: number) => writeJson(graphson("g:Double", value))
    for (const [text, value] of [
      ["1.0", 1],
      ["-2.50", -2.5],
      ["1e20", 1e20],
      ["3E2", 300]
    ] as const) {
      expect([text, sentAs(text)]).toEqual([text, double(value)])
    }
    expect(sentAs("1")).toBe(writeJson(graphson("g:Int32", 1)))
    expect(sentAs("12345678901234567")).toBe('{"@type":"g:Int64","@value":12345678901234567}')
    expect(sentAs('[1.0,"1.0",12345678901234567890]')).toBe(
      `{"@type":"g:List","@value":[${double(1)},"1.0",{"@type":"gx:BigInteger","@value":12345678901234567890}]}`
    )
    expect(sentAs("1e400")).toBe('{"@type":"g:Double","@value":"Infinity"}')
    for (const text of ["01.0", "1.", "1.0.0", "[1.0"]) expect(() => parseWritten(text)).toThrow()
    // What has a type stays as it is.
    const shape = { "@type": "janusgraph:Geoshape", "@value": { coordinates: [22, 52.5] } }
    expect(sentAs(JSON.stringify(shape).replace("22", "22.0"))).toBe(JSON.stringify(shape))
    expect(sentAs('{"@type":"g:Float","@value":1.0}')).toBe('{"@type":"g:Float","@value":1}')
  })

  it("is a Double in a file, too", () => {
    const line = '{"id":1.0,"label":"a","properties":{"w":[{"id":0,"value":2.0,"properties":{"m":3.0}}]}}'
    const { vertices } = readFile("g.json", line, "x")
    expect(vertices).toMatchObject([
      { key: "1", properties: [{ value: 2, sent: graphson("g:Double", 2), meta: [["m", graphson("g:Double", 3)]] }] }
    ])
  })
})

describe("A value of GraphSON", () => {
  it("of an unknown type is shown as it is, and malformed ones fail nothing", () => {
    expect(decode({ "@type": "x:Odd", "@value": 5 })).toBe(5)
    for (const json of [{ "@type": "g:Map" }, { "@type": "g:Vertex" }, { "@type": "g:Path", "@value": 1 }, {}]) {
      expect(() => decode(json)).not.toThrow()
    }
  })

  it("keeps all digits of integers beyond 2^53, in every form that is shown or exported", () => {
    const long = 9_007_199_254_740_993n
    const json = `{"@type":"g:List","@value":[{"@type":"g:Int64","@value":${long}},{"@type":"gx:BigInteger","@value":-${long}000},"${long}"]}`
    const values = decode(parseJson(json)) as ReadonlyArray<Value>
    expect(values).toEqual([long, -long * 1000n, String(long)])
    expect(writeJson(values.map(plainOf))).toBe(`[${long},${-long * 1000n},"${long}"]`)
    expect(csvOf(values).split("\r\n")).toEqual(["value", `${long}`, `${-long * 1000n}`, `${long}`])
    expect(parseJson(` -${long} `)).toBe(-long)
    expect(values.map(textOf)).toEqual([`${long}`, `${-long * 1000n}`, `${long}`])
    expect([
      singleNumber([long]),
      pointsOf([
        new Mapping([
          ["a", long],
          ["b", 1]
        ])
      ])?.[0]?.text
    ]).toEqual(["9,007,199,254,740,993", "9,007,199,254,740,993"])
    expect(typed([long, long ** 3n, 1, 2 ** 40])).toEqual({
      "@type": "g:List",
      "@value": [
        { "@type": "g:Int64", "@value": long },
        { "@type": "gx:BigInteger", "@value": long ** 3n },
        { "@type": "g:Int32", "@value": 1 },
        { "@type": "g:Int64", "@value": 2 ** 40 }
      ]
    })
    const xml = graphmlOf(new Vertex(id("1"), "v", new Map([["n", [new PropertyValue(long, "g:Int64")]]])))
    expect(xml).toContain('attr.name="n" attr.type="long"')
    expect(xml).toContain(`<data key="n">${long}</data>`)
    const [vertex] = readFile("n.csv", `n,m\n${long},${long}000\n`, "v").vertices
    expect(pairs(vertex!.properties)).toEqual([
      ["n", long],
      ["m", long * 1000n]
    ])
    expect(() => readFile("n.csv", `m:long\n${long}0000\n`, "v")).toThrow("is no long")
  })

  it("that is a bulk set lists its values, and shows their counts if they are very many", () => {
    const bulk = (...counts: ReadonlyArray<readonly [string, unknown]>) => ({
      "@type": "g:BulkSet",
      "@value": counts.flatMap(([value, count]) => [value, { "@type": "g:Int64", "@value": count }])
    })
    expect(decode(bulk(["a", 2], ["b", 1]))).toEqual(["a", "a", "b"])
    const many = decode(bulk(["a", 4_000_000_000], ["b", 2n ** 62n], ["c", 1]))
    expect(textOf(many)).toBe("{a: 4000000000, b: 4611686018427387904, c: 1}")
    expect(decode(bulk(["a", "x"]))).toBeInstanceOf(Other)
  })

  it("is sorted by all its digits", async () => {
    const values = [9_007_199_254_740_993n, 9_007_199_254_740_992n, 5, "text"]
    const [by] = new Columns(values).all()
    const choice = { filter: "", by: by!, isDescending: false }
    expect([...(await orderOf(values, [by!], choice, () => false))!]).toEqual([2, 1, 0, 3])
  })

  it("of a double stays a number, also when it is written as an integer", () => {
    expect(decode(parseJson('{"@type":"g:Double","@value":100000000000000000000}'))).toBe(1e20)
    expect(parseJson('[1.2345678901234567,12345678901234567,"x,12345678901234567,"]')).toEqual([
      1.2345678901234567,
      12_345_678_901_234_567n,
      "x,12345678901234567,"
    ])
  })

  it("keeps a text that looks like a long number", () => {
    expect(parseJson('{"a":"[12345678901234567]"}')).toEqual({ a: "[12345678901234567]" })
  })
})

describe("An answer over HTTP", () => {
  const results = ["a,]}[{", 'quote " and \\\\ backslash', 7, null, ["x", []], true]
  const list = {
    "@type": "g:List",
    "@value": results.map((item) => (Array.isArray(item) ? { "@type": "g:List", "@value": item } : item))
  }
  const answer = JSON.stringify({
    requestId: "1",
    status: { message: "", code: 200 },
    result: { data: list, meta: {} }
  })

  it("is read result by result, however it is split", () => {
    for (let size = 1; size <= answer.length; size++) {
      const stream = new StreamedList()
      const found = []
      for (let at = 0; at < answer.length; at += size) found.push(...stream.push(answer.slice(at, at + size)))
      expect([size, found, stream.isComplete]).toEqual([size, results, true])
    }
  })

  it("is not complete when it is cut", () => {
    const stream = new StreamedList()
    stream.push(answer.slice(0, answer.indexOf("true")))
    expect(stream.isComplete).toBe(false)
  })

  it("may have no results", () => {
    const stream = new StreamedList()
    expect(stream.push('{"result":{"data":{"@type":"g:List","@value":[]}}}')).toEqual([])
    expect(stream.isComplete).toBe(true)
  })
})

describe("An edge of a file", () => {
  const vertex = (key: string) => ({ key, label: "person", properties: [] })
  const edge = (from: string, to: string) => ({ from, to, label: "knows", properties: [] })

  it("must name vertices of this file or of an earlier one", () => {
    const vertices = [vertex("1"), vertex("2")]
    expect(missingEnd({ vertices, edges: [edge("1", "2"), edge("2", "3")] }, new Set())).toBe("3")
    expect(missingEnd({ vertices, edges: [edge("1", "2"), edge("2", "3")] }, new Set(["3"]))).toBeUndefined()
    expect(missingEnd({ vertices: [], edges: [edge("0", "1")] }, new Set(["1"]))).toBe("0")
  })
})

describe("The messages of the console", () => {
  it("are in one file", () => {
    const folder = new URL("../../console/", import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name))
    const others = files.filter((name) => name !== "texts.ts")
    expect(others.length).toBeGreaterThan(40)
    const written = others.flatMap((name) => {
      const text = readFileSync(new URL(name, folder), "utf8")
      const errors = text.match(/(?:Error|ServerFailure)\((?:\w+, )?["`][^\n]*/g) ?? []
      // A sentence between two elements.
      const shown = text.match(/^ +[A-Z][a-z]+ [a-z][\w ,]*[.:]?$/gm) ?? []
      return [...errors, ...shown].map((found) => `${name}: ${found.trim()}`)
    })
    expect(written).toEqual([])
  })
})
