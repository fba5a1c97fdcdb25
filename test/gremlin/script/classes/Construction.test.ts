import { describe, expect, it } from "vitest"
import { type Edge, VertexProperty } from "../../../../src/structure/elements/Element.ts"
import { InetAddress } from "../../../../src/structure/scalars/InetAddress.ts"
import { Timestamp } from "../../../../src/structure/times/Temporal.ts"
import { FakeHost, resultOf } from "../../FakeHost.ts"

describe("A class whose import is accepted", () => {
  it("makes a timestamp", () => {
    expect(resultOf("new java.sql.Timestamp(1000L)")).toEqual(new Timestamp(1000, true))
    expect(
      resultOf(
        "import java.sql.Timestamp\nt = new Timestamp(5)\n[t instanceof Timestamp, new Date(5) instanceof Timestamp]"
      )
    ).toEqual([true, false])
  })

  it("makes an address of its text, and looks up no name", () => {
    expect(resultOf("InetAddress.getByName('10.0.0.1')")).toEqual(new InetAddress(Uint8Array.of(10, 0, 0, 1)))
    expect(resultOf("java.net.InetAddress.getByName('::1') instanceof InetAddress")).toBe(true)
    expect(() => resultOf("InetAddress.getByName('example.org')")).toThrow("scripts look up no host names")
  })

  it("wraps bytes", () => {
    expect(resultOf("import java.nio.ByteBuffer\nByteBuffer.wrap('ab'.bytes)")).toEqual(Uint8Array.of(97, 98))
    expect(() => resultOf("ByteBuffer.wrap('ab')")).toThrow("takes a byte[]")
  })

  it("makes the edges and properties that drivers write as references", () => {
    const edge = resultOf(
      "new ReferenceEdge(7, 'knows', new ReferenceVertex(2, 'person'), new ReferenceVertex(1, 'person'))"
    ) as Edge
    expect([edge.id, edge.label, edge.inVertex.id, edge.outVertex.id]).toEqual([7, "knows", 2, 1])
    expect(resultOf("new ReferenceVertexProperty(9L, 'name', 'marko')")).toEqual(
      new VertexProperty(null, 9n, "name", "marko", null)
    )
    const host = new FakeHost(() => [])
    host.run("g.E(new ReferenceEdge(7, 'knows', new ReferenceVertex(2, 'p'), new ReferenceVertex(1, 'p'))).toList()")
    expect(host.calls.filter((call) => call !== "begun")).toHaveLength(1)
    expect(() => resultOf("new ReferenceEdge(7, 'knows', 1, 2)")).toThrow(
      "the vertices that the edge enters and leaves"
    )
  })
})
