import { describe, expect, it } from "vitest"
import { driverClient } from "../support/DriverClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"

const schemaGraph = {
  graphs: new Map([["graph", graphOf(["storage.backend=inmemory", "storage.memory.schema=true"])]])
}

describe("The graph of a source", () => {
  it("has the methods of the graph's own variable", async () => {
    const asked = await driverClient(schemaGraph)
    await asked(
      "mgmt = g.getGraph().openManagement(); mgmt.makePropertyKey('age').dataType(Integer).make(); mgmt.commit()"
    )
    expect(await asked("g.graph.openManagement().containsPropertyKey('age')")).toEqual([true])
    expect(await asked("h = g; h.getGraph().traversal().addV('p').iterate(); h.graph.tx().commit()")).toEqual([null])
    expect(await asked("g.withSideEffect('x', 1).getGraph().traversal().V().count()")).toEqual([1])
  })

  it("is the graph that a script has made, or its own transaction", async () => {
    const asked = await driverClient(schemaGraph)
    expect(await asked("TinkerFactory.createModern().traversal().getGraph().toString()")).toEqual([
      "tinkergraph[vertices:6 edges:6]"
    ])
    await asked("own = graph.newTransaction(); own.traversal().getGraph().addVertex('p')")
    expect(await asked("[own.traversal().V().count().next(), g.V().count().next()]")).toEqual([1, 0])
    await asked("own.traversal().graph.rollback()")
    expect(await asked("own.isOpen()")).toEqual([false])
  })
})

describe("The graph of an element", () => {
  it("is the graph to which it belongs", async () => {
    const asked = await driverClient(schemaGraph)
    await asked("v = graph.addVertex('p'); v.property('n', 1); v.graph().tx().commit()")
    expect(await asked("v.graph().traversal().V().count()")).toEqual([1])
    expect(await asked("[v.property('n').graph().toString() == graph.toString(), v.graph().isOpen()]")).toEqual([
      true,
      true
    ])
    expect(await asked("g.V().map{it.get().graph().traversal().V().count().next()}")).toEqual([1])
    expect(await asked("TinkerFactory.createModern().traversal().E().next().graph().toString()")).toEqual([
      "tinkergraph[vertices:6 edges:6]"
    ])
  })
})
