import { describe, expect, it } from "vitest"
import { Detached } from "../../../../src/structure/elements/Element.ts"
import { SubGraph } from "../../../../src/structure/elements/SubGraph.ts"
import { resultOf } from "../../FakeHost.ts"

const marko = new Detached().addVertex(1, "person")

describe("JanusGraph's classes", () => {
  it("may be imported", () => {
    for (const name of ["JanusGraphElement", "JanusGraphVertexProperty", "TransactionBuilder"]) {
      expect(resultOf(`import org.janusgraph.core.${name}; 1`), name).toBe(1)
    }
    for (const name of ["PropertyKeyMaker", "EdgeLabelMaker", "VertexLabelMaker", "SchemaManager"]) {
      expect(resultOf(`import org.janusgraph.core.schema.${name}; 1`), name).toBe(1)
    }
  })

  it("are types of casts", () => {
    for (const cast of ["(JanusGraphVertex) g.V(1).next()", "(org.janusgraph.core.JanusGraphVertex) g.V(1).next()"]) {
      expect(resultOf(cast, [marko]), cast).toBe(marko)
    }
    expect(resultOf("g.V(1).next() as Vertex", [marko])).toBe(marko)
    expect(resultOf("g.V(1).next() as JanusGraphVertex", [marko])).toBe(marko)
    expect(resultOf("((JanusGraph) graph) == graph && (graph as Graph) == graph")).toBe(true)
    expect(resultOf("null as Vertex")).toBeNull()
    expect(() => resultOf("(JanusGraphEdge) g.V(1).next()", [marko])).toThrow("cannot be converted to JanusGraphEdge")
    expect(() => resultOf("g.V(1).next() as Edge", [marko])).toThrow("Vertex cannot be converted to Edge")
    expect(() => resultOf("(JanusGraphManagement) graph")).toThrow("cannot be converted to JanusGraphManagement")
  })

  it("take the result of subgraph() as a Graph only", () => {
    const made = { made: new SubGraph([], []) }
    expect(resultOf("Graph g2 = made; [g2 instanceof Graph, g2 instanceof JanusGraph]", [], made)).toEqual([
      true,
      false
    ])
    expect(resultOf("def f(Graph a) { 1 }; f(made) + f((Graph) made)", [], made)).toBe(2)
  })

  it("are tested by instanceof", () => {
    const tested =
      "v = g.V(1).next(); [v instanceof JanusGraphVertex, v instanceof JanusGraphEdge, v instanceof JanusGraphElement]"
    expect(resultOf(tested, [marko])).toEqual([true, false, true])
    expect(resultOf("[graph instanceof JanusGraph, graph instanceof Graph, 1 instanceof Graph]")).toEqual([
      true,
      true,
      false
    ])
  })
})
