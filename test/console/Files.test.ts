import { describe, expect, it } from "vitest"
import { readFile } from "../../console/data/GraphFile.ts"
import { missingEnd } from "../../console/data/ParsedFile.ts"
import { csvOf, graphmlOf } from "../../console/results/Exports.ts"
import { decode, parseJson } from "../../console/wire/Decode.ts"
import { StreamedList } from "../../console/wire/StreamedList.ts"
import { Property, Vertex } from "../../console/wire/Values.ts"

const id = (text: string) => ({ raw: text, text })

describe("A CSV file in the console", () => {
  it("has values of the types that its columns name or show", () => {
    const { columns, vertices } = readFile(
      "people.csv",
      'id,name,age,zip\r\n1,"Ada ""A"", L",36,01234\r\n2,,1.5,9\r\n',
      "person"
    )
    expect(columns.map(({ type }) => type)).toEqual(["id", "string", "double", "string"])
    expect(vertices).toEqual([
      {
        key: "1",
        label: "person",
        properties: [
          ["name", 'Ada "A", L'],
          ["age", 36],
          ["zip", "01234"]
        ]
      },
      {
        key: "2",
        label: "person",
        properties: [
          ["age", 1.5],
          ["zip", "9"]
        ]
      }
    ])
  })

  it("may have the headers of Neptune and of Neo4j", () => {
    const neptune = readFile("e.csv", "~id,~from,~to,~label,since:Int\ne1,a,b,knows,1833\n", "x").edges
    const neo4j = readFile("e.csv", ":START_ID,:END_ID,:TYPE,since:int\na,b,knows,1833\n", "x").edges
    const edge = { from: "a", to: "b", label: "knows", properties: [["since", 1833]] }
    expect([neptune, neo4j]).toEqual([[edge], [edge]])
  })

  it("is refused with the place of an unfinished quote, and without rows", () => {
    expect(() => readFile("a.csv", 'name\n"Ada', "x")).toThrow("the field at character 6 has an unfinished quote")
    expect(() => readFile("a.csv", "name\n", "x")).toThrow("no rows")
    expect(() => readFile("a.txt", "", "x")).toThrow(".csv")
  })
})

describe("A GraphSON file in the console", () => {
  it("has vertices with their outgoing edges", () => {
    const line =
      '{"id":{"@type":"g:Int64","@value":1},"label":"person","outE":{"knows":[{"id":7,"inV":{"@type":"g:Int64","@value":2},' +
      '"properties":{"weight":{"@type":"g:Double","@value":0.5}}}]},"properties":{"name":[{"@type":"g:VertexProperty","@value":{"id":0,"value":"marko"}}]}}'
    const { edges, vertices } = readFile("graph.json", `${line}\n{"id":2,"label":"person"}\n`, "x")
    expect(vertices).toEqual([
      { key: "1", label: "person", properties: [["name", "marko"]] },
      { key: "2", label: "person", properties: [] }
    ])
    expect(edges).toEqual([{ from: "1", to: "2", label: "knows", properties: [["weight", 0.5]] }])
  })
})

describe("An export of the console", () => {
  it("has no cell that a spreadsheet takes for a formula", () => {
    const rows = csvOf([new Property("a", "=1+1"), new Property("b", -1), new Property("c", 'x,"y"')])
    expect(rows.split("\r\n")).toEqual(["key,value", "a,'=1+1", "b,-1", 'c,"x,""y"""'])
  })

  it("has no markup of texts in GraphML", () => {
    const vertex = new Vertex(id('"1"'), "<b>", new Map([["n&m", ["</graphml>"]]]))
    const xml = graphmlOf([vertex], [])
    expect(xml).not.toMatch(/<b>|<\/graphml>.*<\/graphml>/s)
    expect(xml).toContain("&#60;/graphml&#62;")
  })
})

describe("A value of GraphSON", () => {
  it("of an unknown type is shown as it is, and malformed ones fail nothing", () => {
    expect(decode({ "@type": "x:Odd", "@value": 5 })).toBe(5)
    for (const json of [{ "@type": "g:Map" }, { "@type": "g:Vertex" }, { "@type": "g:Path", "@value": 1 }, {}]) {
      expect(() => decode(json)).not.toThrow()
    }
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
