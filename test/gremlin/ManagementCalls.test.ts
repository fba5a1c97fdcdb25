import { describe, expect, it } from "vitest"
import type { HostCall } from "../../src/gremlin/HostCall.ts"
import type { Scope } from "../../src/gremlin/Scope.ts"
import { HostObject } from "../../src/gremlin/ScriptObjects.ts"
import { HostConstant } from "../../src/structure/collections/HostConstant.ts"
import { ClassName } from "../../src/structure/scalars/ClassNames.ts"
import { EnumValue } from "../../src/structure/scalars/Enums.ts"
import { FakeHost } from "./FakeHost.ts"

/** Methods of JanusGraph's management that scripts may call. */
const methods = new Set(
  (
    "makePropertyKey dataType cardinality make makeEdgeLabel multiplicity unidirected makeVertexLabel buildIndex addKey unique " +
    "indexOnly buildCompositeIndex buildMixedIndex buildEdgeIndex getPropertyKey containsPropertyKey setTTL updateIndex " +
    "getGraphIndex printSchema commit rollback status call get"
  ).split(" ")
)

/** A host that returns an object for each call, with the name of the called method. */
class ManagementHost extends FakeHost {
  readonly args: Array<readonly unknown[]> = []
  constructor() {
    const args: Array<readonly unknown[]> = []
    super((call: HostCall) => {
      if (call.kind !== "method") return undefined
      args.push(call.args)
      return new HostObject(call.name === "openManagement" ? "management" : call.name, methods, null)
    })
    this.args = args
  }
}

describe("The management calls of a script", () => {
  it("reach the host in their order", () => {
    const host = new ManagementHost()
    host.run(`
      mgmt = graph.openManagement()
      name = mgmt.makePropertyKey('name').dataType(String.class).cardinality(Cardinality.SINGLE).make()
      follows = mgmt.makeEdgeLabel('follows')
                    .multiplicity(org.janusgraph.core.Multiplicity.MULTI).make()
      mgmt.makeVertexLabel("person").make()
      mgmt.buildIndex('byName', Vertex.class).addKey(name).unique().indexOnly(mgmt.getPropertyKey('x')).buildCompositeIndex()
      mgmt.buildEdgeIndex(follows, 'byTime', Direction.OUT, Order.desc, name)
      mgmt.containsPropertyKey('name')
      mgmt.setTTL(follows, Duration.ofDays(7))
      mgmt.buildIndex('text', Vertex).addKey(name, Mapping.TEXT.asParameter()).buildMixedIndex("search")
      mgmt.updateIndex(mgmt.getGraphIndex('byName'), SchemaAction.REINDEX).get()
      mgmt.commit()
      ManagementSystem.awaitGraphIndexStatus(graph, 'byName').status(SchemaStatus.ENABLED).call()
      graph.createIndex('uid', Vertex.class)`)
    expect(host.calls).toStrictEqual([
      "graph.openManagement()",
      "management.makePropertyKey(name)",
      "makePropertyKey.dataType(String)",
      "dataType.cardinality(single)",
      "cardinality.make()",
      "management.makeEdgeLabel(follows)",
      "makeEdgeLabel.multiplicity(MULTI)",
      "multiplicity.make()",
      "management.makeVertexLabel(person)",
      "makeVertexLabel.make()",
      "management.buildIndex(byName, Vertex)",
      "buildIndex.addKey(make)",
      "addKey.unique()",
      "management.getPropertyKey(x)",
      "unique.indexOnly(getPropertyKey)",
      "indexOnly.buildCompositeIndex()",
      "management.buildEdgeIndex(make, byTime, OUT, desc, make)",
      "management.containsPropertyKey(name)",
      "management.setTTL(make, PT168H)",
      "management.buildIndex(text, Vertex)",
      "TEXT.asParameter()",
      "buildIndex.addKey(make, asParameter)",
      "addKey.buildMixedIndex(search)",
      "management.getGraphIndex(byName)",
      "management.updateIndex(getGraphIndex, REINDEX)",
      "updateIndex.get()",
      "management.commit()",
      "ManagementSystem.awaitGraphIndexStatus(graph, byName)",
      "awaitGraphIndexStatus.status(ENABLED)",
      "status.call()",
      "graph.createIndex(uid, Vertex)"
    ])
    const flat = host.args.flat()
    expect(flat).toContainEqual(new ClassName("java.lang.String"))
    expect(flat).toContainEqual(new HostConstant("Multiplicity", "MULTI"))
    expect(flat.some((arg) => arg instanceof EnumValue && arg.enumName === "Direction")).toBe(true)
  })

  it("are limited to the methods that the host offers", () => {
    const host = new ManagementHost()
    expect(() => host.run("graph.openManagement().makeGraph('x')")).toThrow(
      "Line 1, column 24: management has no method makeGraph()"
    )
    expect(() => host.run("graph.openManagment()")).toThrow("Did you mean openManagement()?")
    expect(() => host.run("graph.openManagement().commit")).toThrow("management has no property commit")
    expect(() => host.run("ManagementSystem.forceClose(graph)")).toThrow("scripts do not have the method")
    expect(() => host.run("Mapping.TEXT.getClass()")).toThrow("scripts do not have the method")
    expect(() => host.run("x = y.openManagement()")).toThrow("there is no variable y")
  })

  it("have access only to the scope of the host", () => {
    const scope: Scope = new ManagementHost().scope
    expect([...scope.globals.keys()]).toStrictEqual(["g", "graph"])
  })
})
