import { assert, describe, it } from "@effect/vitest"
import { CsvDecoder } from "../../../src/protocol/csv/CsvDecoder.ts"
import type { GraphReceiver, StreamedEdge, StreamedVertex } from "../../../src/structure/GraphStream.ts"
import { Byte, Double, Float } from "../../../src/structure/Numbers.ts"
import { Timestamp } from "../../../src/structure/Temporal.ts"

/** What a file has, whatever pieces it comes in. */
const read = (text: string, piece = 1 << 20, label?: string) => {
  const vertices: Array<StreamedVertex> = []
  const edges: Array<StreamedEdge> = []
  const receiver: GraphReceiver = {
    vertex: (vertex) => void vertices.push(vertex),
    edge: (edge) => void edges.push(edge)
  }
  const decoder = new CsvDecoder(receiver, { label })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += piece) decoder.push(bytes.subarray(at, at + piece))
  decoder.end()
  return { vertices, edges }
}

const values = ({ properties }: StreamedVertex) =>
  properties.map(({ key, value, cardinality }) => [key, value, cardinality] as const)

describe("CSV", () => {
  it("has vertices in Neptune's style, with types, arrays and cardinalities", () => {
    const text =
      "~id,~label,name:String,age:Int,big:Long,w:Double,f:Float,ok:Bool,b:Byte,at:Date,tags:String[],nick:String(single),n:Int(list)[]\n" +
      'p1,person,"Ann ""A"", the 1st",30,5,1,0.5,TRUE,7,2020-01-02,x;y\\;z,N,1;1\n' +
      "p2,person;admin,,,,,,,,,,,\n"
    for (const piece of [1, 7, 1000]) {
      const { vertices } = read(text, piece)
      assert.deepEqual(
        vertices.map(({ id, label }) => [id, label]),
        [
          ["p1", "person"],
          ["p2", "person::admin"]
        ]
      )
      assert.deepEqual(values(vertices[0]!), [
        ["name", 'Ann "A", the 1st', undefined],
        ["age", 30, undefined],
        ["big", 5n, undefined],
        ["w", new Double(1), undefined],
        ["f", new Float(0.5), undefined],
        ["ok", true, undefined],
        ["b", new Byte(7), undefined],
        ["at", new Timestamp(Date.UTC(2020, 0, 2)), undefined],
        ["tags", "x", "set"],
        ["tags", "y;z", "set"],
        ["nick", "N", "single"],
        ["n", 1, "list"],
        ["n", 1, "list"]
      ])
      assert.deepEqual(values(vertices[1]!), [])
    }
  })

  it("has edges in Neptune's style, with or without ids of their own", () => {
    const { edges } = read("~id,~from,~to,~label,since:Int\r\ne1,a,b,knows,2001\r\n,b,a,knows,\r\n")
    assert.deepEqual(edges, [
      { id: "e1", label: "knows", out: "a", in: "b", properties: new Map([["since", 2001]]) },
      { id: undefined, label: "knows", out: "b", in: "a", properties: new Map() }
    ])
  })

  it("takes plain headers, whose elements have a label from outside", () => {
    assert.deepEqual(read("id,name,age:int\n1,Ann,3", 5, "person").vertices, [
      {
        id: "1",
        label: "person",
        properties: [
          { id: undefined, key: "name", value: "Ann", meta: null },
          { id: undefined, key: "age", value: 3, meta: null }
        ]
      }
    ])
    assert.deepEqual(read("from,to\n1,2\n").edges, [
      { id: undefined, label: "edge", out: "1", in: "2", properties: new Map() }
    ])
  })

  it("takes Neo4j's headers, with spaces of ids", () => {
    const { vertices } = read("personId:ID(Person),name,:LABEL\n7,Ann,Person;Admin\n")
    assert.deepEqual(vertices, [
      {
        id: "Person\u00007",
        label: "Person::Admin",
        properties: [
          { id: undefined, key: "personId", value: "7", meta: null },
          { id: undefined, key: "name", value: "Ann", meta: null }
        ]
      }
    ])
    const { edges } = read(":START_ID(Person),:END_ID(City),:TYPE,secret:IGNORE\n7,3,LIVES_IN,x\n")
    assert.deepEqual(edges, [
      { id: undefined, label: "LIVES_IN", out: "Person\u00007", in: "City\u00003", properties: new Map() }
    ])
  })

  it("tells line and column of what is wrong", () => {
    const cases: ReadonlyArray<readonly [string, RegExp]> = [
      ["~id,age:Int\na,1\nb,x\n", /^line 3, column 2 \(age:Int\): 'x' is no Int$/],
      ['~id,note,age:Int\n"a","two\nlines",1\nb,,x\n', /^line 4, column 3 \(age:Int\): 'x' is no Int$/],
      ["~id,age:Int\na\n", /^line 2: there are 1 fields, and the header has 2$/],
      ['~id,name\na,"b\n', /^line 2: a field that begins with " has no closing "$/],
      ['~id,name\na,b\nb,"c"d\n', /^line 3: a field that begins with " goes on behind its closing "/],
      ["~id,age:Number of years\n", /^line 1, column 2: 'age:Number of years' names no type: there are String, Int/],
      ["~id,~form,~to\n", /^line 1, column 2: there is no system column ~form/],
      ["~id,~from\n", /^line 1, column 1: edges need both ends/],
      ["name,age\n", /^line 1, column 1: the header has neither ~id/],
      ["~from,~to\na,\n", /^line 2, column 2 \(~to\): the id is empty$/],
      [
        "~from,~to,w:Int[]\na,b,1;2\n",
        /^line 2, column 3 \(w\): a property of an edge has one value, and there are 2$/
      ],
      ["", /^line 1: the file has no header$/]
    ]
    for (const [text, message] of cases) for (const piece of [3, 1000]) assert.throws(() => read(text, piece), message)
  })
})
