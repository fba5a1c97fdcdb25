import { describe, expect, it, vi } from "vitest"
import { typeOfElement } from "../../../src/layers/management/SchemaObjects.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { settled } from "../../storage/Completion.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { type Asked, driverClient } from "../support/DriverClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"

const DEFINITIONS = `mgmt = graph.openManagement()
  since = mgmt.makePropertyKey('since').dataType(Integer).make(); name = mgmt.makePropertyKey('name').dataType(String).make()
  person = mgmt.makeVertexLabel('person').make(); place = mgmt.makeVertexLabel('place').make()
  visits = mgmt.makeEdgeLabel('visits').make()
  mgmt.addProperties(person, [name] as PropertyKey[]); mgmt.addProperties(visits, since)
  mgmt.addConnection(visits, person, place); mgmt.addConnection(visits, person, person)
  mgmt.setTTL(since, java.time.Duration.ofDays(1))
  mgmt.buildIndex('search', Vertex).addKey(name, [Mapping.STRING.asParameter()] as Parameter[]).buildMixedIndex('search'); null`

const READS = `[
  visits.mappedConnections().collect { it.getEdgeLabel() + ':' + it.outgoingVertexLabel.name() + '>' + it.incomingVertexLabel.name() }.sort(),
  person.mappedConnections().size(), place.mappedConnections().size(),
  person.mappedProperties()*.name(), visits.mappedProperties()*.name(), place.mappedProperties(),
  since.getTTL(), visits.getTTL(), since.cardinality().convert() == VertexProperty.Cardinality.single,
  index.getParametersFor(name).collect { it.key() }.contains('mapping'),
  index.getParametersFor(name).find { it.key() == 'mapping' }.value() == Mapping.STRING]`

const EXPECTED = [
  ["visits:person>person", "visits:person>place"],
  ...[2, 0, ["name"], ["since"], []],
  ...[86_400, 0, true, true, true]
]

const session = (): Promise<Asked> =>
  driverClient({ graphs: new Map([["graph", graphOf(["storage.backend=inmemory", "storage.memory.schema=true"])]]) })

describe("A type of the schema", () => {
  it("tells its constraints, its TTL and its parameters, before and after the commit", async () => {
    const asked = await session()
    await asked(DEFINITIONS)
    expect(await asked(`index = mgmt.getGraphIndex('search'); ${READS}`)).toEqual(EXPECTED)
    await asked("mgmt.commit(); mgmt = graph.openManagement(); null")
    const found = `since = mgmt.getPropertyKey('since'); name = mgmt.getPropertyKey('name'); visits = mgmt.getEdgeLabel('visits')
      person = mgmt.getVertexLabel('person'); place = mgmt.getVertexLabel('place'); index = mgmt.getGraphIndex('search'); `
    expect(await asked(`${found}${READS}`)).toEqual(EXPECTED)
    expect(await asked("graph.getVertexLabel('person').mappedProperties()*.name()")).toEqual(["name"])
    await expect(asked("index.getParametersFor(since)")).rejects.toThrow("not part of this index")
  })

  it("is an instance of JanusGraph's interfaces, also as a member of an array", async () => {
    const asked = await session()
    await asked(DEFINITIONS)
    expect(
      await asked(
        "[since instanceof PropertyKey, since instanceof RelationType, visits instanceof EdgeLabel, visits instanceof PropertyKey, " +
          "person instanceof VertexLabel, person instanceof RelationType, person instanceof org.janusgraph.core.VertexLabel]"
      )
    ).toEqual([true, true, true, false, true, false, true])
    expect(
      await asked(
        "index = mgmt.getGraphIndex('search'); [index instanceof JanusGraphIndex, index instanceof PropertyKey]"
      )
    ).toEqual([true, false])
    await asked(
      "keys = [since] as PropertyKey[]; mgmt.buildEdgeIndex(visits, 'bySince', Direction.BOTH, Order.desc, keys)"
    )
    expect(await asked("mgmt.getRelationIndex(visits, 'bySince').getSortKey()*.name()")).toEqual(["since"])
    await asked("mgmt.makeEdgeLabel('likes').signature([since] as PropertyKey[]).make()")
    await expect(asked("[since, person] as PropertyKey[]")).rejects.toThrow("cannot be converted to PropertyKey")
  })
})

it("The type of an element is found without a list of all types", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const transaction = graph.begin()
  const ref = transaction.addVertex("p", undefined)
  transaction.setVertexProperty(ref, Cardinality.single, "name", "a")
  transaction.addEdge(ref, "knows", ref, undefined)
  await settled(transaction.commit())
  const schema = await graph.management.schema()
  const lists = [schema.keys, schema.labels, schema.vertexLabels].map((types) => vi.spyOn(types, "values"))
  for (const [kind, name] of [
    ["key", "name"],
    ["label", "knows"],
    ["vertexLabel", "p"]
  ]) {
    expect(String(await typeOfElement(graph, kind, name!))).toContain(name)
  }
  expect(lists.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0])
  vi.restoreAllMocks()
  await graph.close()
})

it("An edge gives its vertices by their places", async () => {
  const asked = await session()
  await asked("v = graph.addVertex('p'); w = graph.addVertex('q'); e = v.addEdge('knows', w); null")
  expect(await asked("[e.getVertex(0) == v, e.getVertex(1) == w]")).toEqual([true, true])
  await expect(asked("e.getVertex(2)")).rejects.toThrow("getVertex() takes 0")
})

it("The name of a parameter of a search engine is JanusGraph's", async () => {
  const asked = await session()
  expect(await asked("org.janusgraph.graphdb.types.ParameterType.customParameterName('boost')")).toEqual([
    "%`custom%`boost"
  ])
})
