import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { CsvDecoder } from "../../../src/protocol/csv/CsvDecoder.ts"
import { CsvRecords } from "../../../src/protocol/csv/CsvRecords.ts"
import type { GraphReceiver, StreamedEdge, StreamedVertex } from "../../../src/structure/graph/GraphStream.ts"
import { Byte, Double, Float } from "../../../src/structure/numbers/Numbers.ts"
import { Timestamp } from "../../../src/structure/times/Temporal.ts"

/** Decodes a file in chunks of several lengths, and returns its content. */
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
  it("may have the headers of Neptune for vertices, with types, arrays and cardinalities", () => {
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

  it("may have the headers of Neptune for edges, with or without ids", () => {
    const { edges } = read("~id,~from,~to,~label,since:Int\r\ne1,a,b,knows,2001\r\n,b,a,knows,\r\n")
    assert.deepEqual(edges, [
      { id: "e1", label: "knows", out: "a", in: "b", properties: new Map([["since", 2001]]) },
      { id: undefined, label: "knows", out: "b", in: "a", properties: new Map() }
    ])
  })

  it("may have headers without types, and then needs a label from the import", () => {
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

  it("may have the headers of Neo4j, with id spaces", () => {
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

  it("has an error with line and column for each fault", () => {
    const cases: ReadonlyArray<readonly [string, RegExp]> = [
      ["~id,age:Int\na,1\nb,x\n", /^line 3, column 2 \(age:Int\): 'x' is no Int$/],
      ['~id,note,age:Int\n"a","two\nlines",1\nb,,x\n', /^line 4, column 3 \(age:Int\): 'x' is no Int$/],
      ["~id,age:Int\na\n", /^line 2: there is 1 field, and the header has 2$/],
      ['~id,name\na,"b\n', /^line 2: a field that begins with " has no closing "$/],
      ['~id,name\na,b\nb,"c"d\n', /^line 3: a field that begins with " has further characters after its closing "/],
      ["~id,age:Number of years\n", /^line 1, column 2: 'age:Number of years' names no type: there are String, Int/],
      ["~id,~form,~to\n", /^line 1, column 2: there is no system column ~form/],
      ["~id,~from\n", /^line 1, column 1: edges need both ends/],
      ["name,age\n", /^line 1, column 1: the header has neither ~id/],
      ["~from,~to\na,\n", /^line 2, column 2 \(~to\): the id is empty$/],
      [
        "~from,~to,w:Int[]\na,b,1;2\n",
        /^line 2, column 3 \(w\): a property of an edge has one value, and there are 2$/
      ],
      ["", /^line 1: the file has no header$/],
      ["\ufeff", /^line 1: the file has no header$/],
      ["\r\n\r\n", /^line 1: the file has no header$/],
      ["~id,age:Int\ra,1\r\nb,x\n", /^line 3, column 2 \(age:Int\): 'x' is no Int$/],
      ['~id,note\ra,"one\rtwo\r\nthree\nfour"\r\rb\r', /^line 7: there is 1 field, and the header has 2$/],
      [
        "~id;~label;name\n",
        /^line 1, column 1: the header is one column; columns are separated by another character than these, which seem to be/
      ],
      ["~id,name,age:Int,name\n", /^line 1, column 4: the header has the property name:String already, in column 2$/],
      ["~id,at:Date\na,2021-02-28\nb,2021-02-30\n", /^line 3, column 2 \(at:Date\): '2021-02-30' is no Date$/],
      ["~id,at:Date\na,2021-04-31T10:00:00Z\n", /^line 2, column 2 \(at:Date\): '2021-04-31T10:00:00Z' is no Date$/],
      [
        "~id,at:Datetime\na,1900-02-29T10:00Z\n",
        /^line 2, column 2 \(at:Datetime\): '1900-02-29T10:00Z' is no Datetime$/
      ],
      [
        "~id,at:Instant\na,2021-02-30T10:00:00Z\n",
        /^line 2, column 2 \(at:Instant\): '2021-02-30T10:00:00Z' is no Instant$/
      ],
      [
        "~id,at:Instant\na,2021-02-03T10:75:00Z\n",
        /^line 2, column 2 \(at:Instant\): '2021-02-03T10:75:00Z' is no Instant$/
      ],
      [
        "~id,at:Instant\na,2021-02-03T10:00:61Z\n",
        /^line 2, column 2 \(at:Instant\): '2021-02-03T10:00:61Z' is no Instant$/
      ],
      ["~id,w:Double\na,0x10\n", /^line 2, column 2 \(w:Double\): '0x10' is no Double$/],
      ["~id,w:Double\na,1e999\n", /^line 2, column 2 \(w:Double\): '1e999' is no Double$/],
      ["~id,w:Float\na,4e38\n", /^line 2, column 2 \(w:Float\): '4e38' is no Float$/],
      [
        "~from,~to,w:Int,w:String\na,b,1,x\n",
        /^line 2, column 4 \(w\): a property of an edge has one value, and another column of the key has one, too$/
      ]
    ]
    for (const [text, message] of cases) for (const piece of [3, 1000]) assert.throws(() => read(text, piece), message)
  })

  it("has an error with the line for invalid UTF-8", () => {
    const decoder = new CsvDecoder({ vertex: () => undefined, edge: () => undefined })
    const bytes = Buffer.concat([Buffer.from("~id,name\na,Ann\nb,"), Buffer.from([0xe9]), Buffer.from("\n")])
    assert.throws(() => decoder.push(bytes), /^line 3: there are bytes that are no UTF-8; convert the file to UTF-8$/)
    const utf16 = new CsvDecoder({ vertex: () => undefined, edge: () => undefined })
    assert.throws(() => utf16.push(Buffer.from("\ufeff~id\n", "utf16le")), /^line 1: the file is in UTF-16; convert/)
  })

  it("has the same content with any line ends, with a byte order mark, and in chunks of any length", () => {
    const ends = fc.constantFrom("\n", "\r", "\r\n")
    const field = fc.array(fc.constantFrom("a", "é", ",", '"', "\n", "\r", "\r\n", " ", "𝄞"), { maxLength: 5 })
    const record = fc.record({ texts: fc.array(field.map((parts) => parts.join(""))), end: ends, empty: fc.boolean() })
    const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
    fc.assert(
      fc.property(fc.array(record), fc.boolean(), fc.integer({ min: 1, max: 40 }), (records, mark, piece) => {
        const width = Math.max(0, ...records.map(({ texts }) => texts.length))
        const names = Array.from({ length: width }, (_, at) => `k${at}`)
        const rows = records.map(({ texts, ...others }, at) => ({ ...others, fields: [`v${at}`, ...texts] }))
        const lines = rows.map(({ empty, end, fields }) => {
          const padded = [...fields, ...Array.from({ length: width + 1 - fields.length }, () => "")]
          return `${padded.map(quoted).join(",")}${end}${empty ? end : ""}`
        })
        const { vertices } = read(`${mark ? "\ufeff" : ""}${["~id", ...names].join(",")}\n${lines.join("")}`, piece)
        const expected = rows.map(({ fields: [id, ...texts] }) => [id, texts.filter((text) => text !== "")])
        assert.deepEqual(
          vertices.map(({ id, properties }) => [id, properties.map(({ value }) => value)]),
          expected
        )
      })
    )
  })

  it("is read in linear time, also if one field is most of it", () => {
    // A scan of all preceding chunks for each chunk would read 10 GB.
    const long = "x".repeat(16 * 1024 * 1024)
    const { vertices } = read(`~id,note\na,"${long}"\n`, 16 * 1024)
    assert.strictEqual(String(vertices[0]?.properties[0]?.value).length, long.length)
  })

  it("is refused if a field is not closed", () => {
    const records = new CsvRecords(() => undefined)
    const piece = "x".repeat(1024 * 1024)
    records.push('a\n"')
    assert.throws(() => {
      for (let at = 0; at < 70; at++) records.push(piece)
    }, /^line 2: a field has more than 67108864 characters; perhaps it has no closing quote$/)
  })
})
