import { describe, expect, it } from "vitest"
import { GraphMLDecoder } from "../../../src/protocol/graphml/GraphMLDecoder.ts"
import { GraphMLEncoder } from "../../../src/protocol/graphml/GraphMLEncoder.ts"
import { Detached } from "../../../src/structure/elements/Element.ts"
import { Byte, Double, Float } from "../../../src/structure/numbers/Numbers.ts"
import { type Collected, decoded } from "../CollectedGraph.ts"

const read = (xml: string | Uint8Array, piece?: number): Collected =>
  decoded((receiver) => new GraphMLDecoder(receiver), xml, piece)

const keys = `
  <key id="labelV" for="node" attr.name="labelV" attr.type="string"/>
  <key id="labelE" for="edge" attr.name="labelE" attr.type="string"/>
  <key id="i" for="node" attr.name="int" attr.type="int"/><key id="l" for="node" attr.name="long" attr.type="long"/>
  <key id="f" for="node" attr.name="float" attr.type="float"/><key id="d" for="node" attr.name="double" attr.type="double"/>
  <key id="b" for="node" attr.name="boolean" attr.type="boolean"/><key id="s" for="node" attr.name="text"/>
  <key id="o" for="node" attr.name="other" attr.type="of-its-own"/><key id="w" for="edge" attr.name="weight" attr.type="double"/>`

const graph = (content: string, head = '<?xml version="1.0" ?>'): string =>
  `${head}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">${keys}<graph id="G" edgedefault="directed">${content}</graph></graphml>`

describe("reading GraphML", () => {
  it("converts values to the type of their key", () => {
    const data = [
      ["i", "29"],
      ["l", "10000000"],
      ["f", "123.54"],
      ["d", "1.0"],
      ["b", "TRUE"],
      ["s", "some text"],
      ["o", "junk"],
      ["unknown", "left out"]
    ]
    const xml = graph(
      `<node id="1">${data.map(([key, value]) => `<data key="${key}">${value}</data>`).join("")}</node>`
    )
    const [vertex] = read(xml).vertices
    expect(Object.fromEntries(vertex!.properties.map(({ key, value }) => [key, value]))).toEqual({
      int: 29,
      long: 10_000_000n,
      float: new Float(123.54),
      double: new Double(1),
      boolean: true,
      text: "some text",
      other: "junk"
    })
  })

  it("reads labels from labelV and labelE, and ids as strings", () => {
    const xml = graph(
      '<edge id="7" source="1" target="2"><data key="labelE">knows</data><data key="w">0.5</data></edge>' +
        '<node id="1"><data key="labelV">person</data></node><node id="2"/><edge source="2" target="1"/>'
    )
    const { edges, vertices } = read(xml)
    expect(vertices.map(({ id, label }) => [id, label])).toEqual([
      ["1", "person"],
      ["2", "vertex"]
    ])
    expect(edges).toEqual([
      { id: "7", label: "knows", out: "1", in: "2", properties: new Map([["weight", 0.5]]), place: "alone" },
      { id: undefined, label: "edge", out: "2", in: "1", properties: new Map(), place: "alone" }
    ])
  })

  it("reads references, CDATA, characters outside ASCII and prefixed names, for any chunks of the bytes", () => {
    const xml = graph(
      '<node id="a&lt;b"><data key="s">&#8364; <![CDATA[<x>]]> \u{1f600}&amp;</data></node>'
    ).replaceAll(/<(\/?)(node|data)/g, "<$1g:$2")
    for (const piece of [1, 2, 3, 1000]) {
      const [vertex] = read(xml.replace("<graphml ", '<graphml xmlns:g="x" '), piece).vertices
      expect([vertex?.id, vertex?.properties[0]?.value]).toEqual(["a<b", "\u20ac <x> \u{1f600}&"])
    }
  })

  it("reads groups, whose nodes and edges follow the node of the group, and ignores ports", () => {
    const xml = graph(
      `<node id="g"><data key="s">group</data><graph id="g:"><data key="s">of the graph</data>` +
        `<node id="a"><data key="s">inner</data><port name="p"><data key="s">of a port</data></port></node>` +
        `<edge source="g" target="a"><data key="w">2</data></edge></graph></node><node id="b"/>`
    )
    const { edges, vertices } = read(xml)
    expect(vertices.map(({ id, properties }) => [id, ...properties.map(({ value }) => value)])).toEqual([
      ["g", "group"],
      ["a", "inner"],
      ["b"]
    ])
    expect(edges).toMatchObject([{ out: "g", in: "a" }])
    const late = graph(`<node id="g"><graph/><data key="s">late</data></node>`)
    expect(() => read(late)).toThrow("A <node> has <data> after its <graph>")
  })

  it("takes the text of elements of other programs in data, whatever their names", () => {
    const xml = graph(`<node id="a"><data key="s"><y:node xmlns:y="y">one<y:data> two</y:data></y:node></data></node>`)
    expect(read(xml).vertices).toMatchObject([{ id: "a", properties: [{ key: "text", value: "one two" }] }])
  })

  it("refuses hyperedges by name", () => {
    expect(() => read(graph(`<hyperedge><endpoint node="a"/></hyperedge>`))).toThrow("A <hyperedge> cannot be read")
  })

  it("uses the encoding of the declaration", () => {
    const head = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    const xml = Buffer.from(graph('<node id="1"><data key="s">\u00e9t\u00e9</data></node>', head), "latin1")
    expect(read(xml, 1000).vertices[0]?.properties[0]?.value).toBe("\u00e9t\u00e9")
  })

  it.each<readonly [string, RegExp]>([
    ['<node id="1"><data key="i">many</data></node>', /The value 'many' of int does not have the type int \(line 7\)/],
    ['<node id="1"><data key="i">3000000000</data></node>', /does not have the type int/],
    ['<node id="1"><data key="d"></data></node>', /The value '' of double does not have the type double/],
    ['<node id="1"><data key="d">0x10</data></node>', /The value '0x10' of double does not have the type double/],
    ["<node/>", /A <node> has no attribute id/],
    ['<edge source="1"/>', /A <edge> has no attribute target/],
    ["<node id='1'>", /not well-formed/],
    ['<node id="1"><data key="s">&secret;</data></node>', /not well-formed/]
  ])("reports a fault with its position: %s", (content, message) => {
    expect(() => read(graph(content))).toThrow(message)
  })

  it("refuses a long with very many digits without converting them", () => {
    expect(() => read(graph(`<node id="1"><data key="l">${"9".repeat(2_000_000)}</data></node>`))).toThrow(
      /does not have the type long/
    )
    expect(() => read(graph(`<node id="1"><data key="l">${"0".repeat(100)}1</data></node>`))).toThrow(
      /does not have the type long/
    )
  })

  it("never reads external entities", () => {
    const head = '<!DOCTYPE graphml [<!ENTITY secret SYSTEM "file:///etc/passwd">]>'
    expect(() => read(graph('<node id="1"><data key="s">&secret;</data></node>', head))).toThrow(/not well-formed/)
  })
})

describe("writing GraphML", () => {
  const written = (build: (detached: Detached) => void) => {
    const detached = new Detached()
    const vertices: Array<ReturnType<Detached["addVertex"]>> = []
    const edges: Array<ReturnType<Detached["addEdge"]>> = []
    const recording = new Proxy(detached, {
      get: (target, name) => {
        if (name === "addVertex") {
          return (id: unknown, label: string) => {
            vertices.push(target.addVertex(id, label))
            return vertices.at(-1)
          }
        }
        if (name === "addEdge") {
          return (...args: Parameters<Detached["addEdge"]>) => {
            edges.push(target.addEdge(...args))
            return edges.at(-1)
          }
        }
        const member: unknown = Reflect.get(target, name)
        return typeof member === "function" ? member.bind(target) : member
      }
    })
    build(recording)
    const encoder = new GraphMLEncoder()
    for (const element of [...vertices, ...edges]) encoder.survey(element)
    return (
      encoder.begin() +
      vertices.map((vertex) => encoder.vertex(vertex)).join("") +
      edges.map((edge) => encoder.edge(edge)).join("") +
      encoder.end()
    )
  }

  it("has the same content after it is read, also if vertices and edges have the same key", () => {
    const xml = written((detached) => {
      const marko = detached.addVertex(1, "person & co")
      detached.addVertexProperty(marko, 0n, "name", '<"marko">\r\n', null)
      detached.addVertexProperty(marko, 1n, "since", 29, null)
      detached.addVertexProperty(marko, 2n, "big", 1n, null)
      detached.addVertexProperty(marko, 3n, "half", 0.5, null)
      detached.addVertexProperty(marko, 4n, "is", true, null)
      const edge = detached.addEdge(7, "knows", marko, detached.addVertex("a\tb", "x"))
      detached.addEdgeProperty(edge, "since", "long ago")
    })
    expect(xml).toContain('<key id="sinceV" for="node" attr.name="since" attr.type="int"/>')
    expect(xml).toContain('<key id="sinceE" for="edge" attr.name="since" attr.type="string"/>')
    const { edges, vertices } = read(xml)
    expect(vertices.map(({ id, label }) => [id, label])).toEqual([
      ["1", "person & co"],
      ["a\tb", "x"]
    ])
    expect(vertices[0]!.properties.map(({ key, value }) => [key, value])).toEqual([
      ["name", '<"marko">\r\n'],
      ["since", 29],
      ["big", 1n],
      ["half", 0.5],
      ["is", true]
    ])
    expect(edges).toEqual([
      { id: "7", label: "knows", out: "1", in: "a\tb", properties: new Map([["since", "long ago"]]), place: "alone" }
    ])
  })

  it("refuses values without a type in GraphML, with their position", () => {
    const byte = (detached: Detached): void => {
      detached.addVertexProperty(detached.addVertex(1, "v"), 0n, "byte", new Byte(3), null)
    }
    expect(() => written(byte)).toThrow(
      "The vertex 1 has a value of the type Byte under byte, which GraphML cannot hold; write GraphSON 3 instead."
    )
  })

  it("declares a property key once for each type of its values", () => {
    const xml = written((detached) => {
      for (const [at, value] of [256n, "256", 256, 256n].entries()) {
        detached.addVertexProperty(detached.addVertex(at, "v"), BigInt(at), "mixed", value, null)
      }
    })
    expect(xml.match(/<key .*mixed.*/g)).toEqual([
      '<key id="mixed.long" for="node" attr.name="mixed" attr.type="long"/>',
      '<key id="mixed.string" for="node" attr.name="mixed" attr.type="string"/>',
      '<key id="mixed.int" for="node" attr.name="mixed" attr.type="int"/>'
    ])
    expect(read(xml).vertices.map(({ properties }) => properties[0]!.value)).toEqual([256n, "256", 256, 256n])
  })

  it("has different ids for keys with equal names", () => {
    const xml = written((detached) => {
      const one = detached.addVertex(1, "v")
      for (const [at, [key, value]] of [
        ["a", 1],
        ["aV", "text"],
        ["labelE", true]
      ].entries()) {
        detached.addVertexProperty(one, BigInt(at), String(key), value, null)
      }
      detached.addEdgeProperty(detached.addEdge(7, "e", one, one), "a", 0.5)
    })
    const { edges, vertices } = read(xml)
    expect(vertices[0]!.properties.map(({ key, value }) => [key, value])).toEqual([
      ["a", 1],
      ["aV", "text"],
      ["labelE", true]
    ])
    expect(edges[0]!.properties).toEqual(new Map([["a", 0.5]]))
  })

  it("is not read if a value does not have its type, or a key has two values", () => {
    expect(() => read(graph('<node id="1"><data key="b">yes</data></node>'))).toThrow(
      /'yes' of boolean does not have the type boolean/
    )
    expect(() => read(graph('<node id="1"><data key="i">1</data><data key="i">2</data></node>'))).toThrow(
      /A <node> has two values of int \(line/
    )
  })

  it.each<readonly [string, (detached: Detached) => void, RegExp]>([
    [
      "several values of a key",
      (detached) => {
        const vertex = detached.addVertex(1, "v")
        detached.addVertexProperty(vertex, 0n, "name", "a", null)
        detached.addVertexProperty(vertex, 1n, "name", "b", null)
      },
      /several values of name, which GraphML cannot hold/
    ],
    [
      "meta-properties",
      (detached) => {
        detached.addVertexProperty(detached.addVertex(1, "v"), 0n, "name", "a", new Map([["x", 1]]))
      },
      /meta-properties of name/
    ],
    [
      "characters that XML does not have",
      (detached) => {
        detached.addVertexProperty(detached.addVertex(1, "v"), 0n, "name", "a\u0000", null)
      },
      /The vertex 1 has a character in the value under name, which GraphML cannot hold; write GraphSON 3 instead/
    ],
    [
      "keys under which labels are kept",
      (detached) => {
        detached.addVertexProperty(detached.addVertex(1, "v"), 0n, "labelV", "a", null)
      },
      /The vertex 1 has the key labelV, which GraphML cannot hold/
    ]
  ])("refuses %s", (_what, build, message) => {
    expect(() => written(build)).toThrow(message)
  })
})
