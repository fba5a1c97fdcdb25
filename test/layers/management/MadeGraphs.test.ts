import { describe, expect, it } from "vitest"
import { driverClient } from "../support/DriverClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"

const schemaGraph = {
  graphs: new Map([["graph", graphOf(["storage.backend=inmemory", "storage.memory.schema=true"])]])
}

describe("A graph that a script makes", () => {
  it("holds TinkerPop's toy data", async () => {
    const asked = await driverClient()
    await asked("graph = TinkerFactory.createModern(); g = traversal().with(graph)")
    expect(await asked("g.V().count()")).toEqual([6])
    expect(await asked("graph.toString()")).toEqual(["tinkergraph[vertices:6 edges:6]"])
    expect(await asked("traversal().withEmbedded(TinkerFactory.createTheCrew()).V().count()")).toEqual([6])
    expect(await asked("x = TinkerGraph.open(); TinkerFactory.generateModern(x); x.traversal().E().count()")).toEqual([
      6
    ])
  })

  it("is not the graph of the server, and another session cannot see it", async () => {
    const asked = await driverClient()
    await asked("mine = TinkerGraph.open(); v = mine.addVertex('person'); v.property('name', 'marko')")
    expect(await asked("mine.traversal().V().values('name')")).toEqual(["marko"])
    expect(await asked("g.V().count()")).toEqual([0])
    const other = await driverClient()
    await expect(other("mine.traversal().V().count()")).rejects.toThrow("there is no variable mine")
  })

  it("takes the changes of its elements in later requests of the session", async () => {
    const asked = await driverClient()
    await asked("mine = TinkerGraph.open(); v = mine.addVertex('person'); g.addV('server').iterate()")
    await asked("v.property('age', 29); v.addEdge('knows', v)")
    expect(await asked("[mine.traversal().V().values('age').next(), mine.traversal().E().count().next()]")).toEqual([
      29, 1
    ])
    expect(await asked("g.V().values('age').count()")).toEqual([0])
  })

  it("is gone after close()", async () => {
    const asked = await driverClient()
    await asked("mine = TinkerGraph.open(); mine.addVertex(); mine.close()")
    await expect(asked("mine.traversal().V().count()")).rejects.toThrow("closed")
    await expect(asked("graph.close()")).rejects.toThrow("belongs to the server")
  })

  it("gives paths and trees, whose parts have the names of labels and keys", async () => {
    const asked = await driverClient()
    await asked("g = TinkerFactory.createModern().traversal(); null")
    const path = "p = g.V(1).as('a').out('knows').has('name', 'josh').values('name').as('b').path().next(); "
    expect(await asked(`${path}[p.a.value('name'), p.b, p.b == p['b'.size() + 1]]`)).toEqual(["marko", "josh", true])
    await expect(asked(`${path}p.c`)).rejects.toThrow("Path has no property c")
    const tree = "t = g.V().out().out().tree().by('name').next(); "
    expect(await asked(`${tree}[t['marko']['josh']['lop'] != null, t['marko']['peter']]`)).toEqual([true, null])
  })

  it("holds the result of subgraph()", async () => {
    const asked = await driverClient()
    await asked(
      "g = TinkerFactory.createModern().traversal(); sub = g.E().hasLabel('knows').subgraph('s').cap('s').next(); null"
    )
    await asked("sg = traversal().with(sub)")
    expect(await asked("sg.V(1).out('knows').values('name').order()")).toEqual(["josh", "vadas"])
    expect(
      await asked(
        "sg.addV('new').iterate(); [sg.V().count().next(), g.V().count().next(), sg.E(7).values('weight').next()]"
      )
    ).toEqual([4, 6, 0.5])
    expect(await asked("sub.traversal().V().hasLabel('person').count()")).toEqual([3])
  })

  it("counts against the memory of the session, which ends when it holds too much", async () => {
    const asked = await driverClient({ requestMemoryLimit: 1_000_000 })
    const graphs = Array.from({ length: 20 }, () => "TinkerGraph.open()").join("; ")
    // A request that takes long is weighed itself; otherwise the session is weighed before its next request.
    const both = asked(graphs).then(() => asked("g.V().count()"))
    await expect(both).rejects.toThrow("requestMemoryLimit")
  })

  it("takes TinkerGraph's options", async () => {
    const asked = await driverClient()
    const option = "conf = new BaseConfiguration(); conf.setProperty('gremlin.tinkergraph."
    await asked(`${option}vertexIdManager', 'LONG'); made = TinkerGraph.open(conf); made.addVertex(T.id, '7'); null`)
    expect(await asked("made.traversal().V().id().next() instanceof Long")).toEqual([true])
    await asked(
      `${option}defaultVertexPropertyCardinality', VertexProperty.Cardinality.list); made = TinkerGraph.open(conf); null`
    )
    await asked("v = made.addVertex(); v.property('a', 1); v.property('a', 2); null")
    expect(await asked("made.traversal().V().values('a')")).toEqual([1, 2])
    await expect(asked(`${option}vertexIdManager', 'X'); TinkerGraph.open(conf)`)).rejects.toThrow("one of ANY, LONG")
    await expect(asked(`${option}graphLocation', '/etc/x'); TinkerGraph.open(conf)`)).rejects.toThrow("has no option")
  })

  it("without a file of its data is refused", async () => {
    const asked = await driverClient()
    await expect(asked("TinkerFactory.createAirRoutes()")).rejects.toThrow("does not include")
    await expect(asked("traversal().withRemote('conf/remote.properties')")).rejects.toThrow("another server")
  })
})

describe("A strategy", () => {
  it("is a value of scripts, also with variables in it", async () => {
    const asked = await driverClient()
    await asked("only = ReadOnlyStrategy.instance()")
    await expect(asked("g.withStrategies(only).addV()")).rejects.toThrow("not read only")
    await asked("key = '_p'; a = new PartitionStrategy(partitionKey: key, writePartition: 'a', readPartitions: ['a'])")
    await asked("b = PartitionStrategy.build().partitionKey(key).writePartition('b').readPartitions('b').create()")
    await asked("gA = traversal().with(graph).withStrategies(a); gA.addV('x').iterate()")
    expect(
      await asked("[gA.V().count().next(), g.withStrategies(b).V().count().next(), g.V().values('_p').next()]")
    ).toEqual([1, 0, "a"])
    expect(await asked("only")).toEqual(["ReadOnlyStrategy"])
    await expect(asked("g.withStrategies(key).V()")).rejects.toThrow("takes strategies")
    await expect(asked("g.withStrategies(missing).V()")).rejects.toThrow("there is no variable missing")
  })
})

describe("The features of a graph", () => {
  it("are those of TinkerPop's text and methods", async () => {
    const asked = await driverClient()
    expect(await asked("graph.features().toString()")).toEqual([
      expect.stringMatching(/^FEATURES\n> GraphFeatures\n>-- Transactions: false\n[\s\S]*> EdgePropertyFeatures\n/)
    ])
    expect(await asked("graph.features().graph().supportsTransactions() ? g.tx().commit() : 'no tx'")).toEqual([
      "no tx"
    ])
    expect(await asked("graph.features().vertex().properties().supportsStringValues()")).toEqual([true])
  })
})

describe("The variables of a graph", () => {
  it("are kept for later requests and shared by sessions", async () => {
    const asked = await driverClient()
    await asked("graph.variables().set('users', ['a', 'b']); graph.variables().set('n', 1)")
    expect(await asked("graph.variables().get('users').get()")).toEqual(["a", "b"])
    expect(await asked("graph.variables().keys()")).toEqual(["users", "n"])
    await asked("graph.variables().remove('n')")
    expect(await asked("graph.variables().toString()")).toEqual(["variables[size:1]"])
    await expect(asked("graph.variables().set('a', 'x' * 2000000)")).rejects.toThrow()
  })
})

describe("A separate transaction", () => {
  it("commits without the transaction of its session", async () => {
    const asked = await driverClient(schemaGraph)
    await asked(
      "g.addV('inside').iterate(); tx = graph.newTransaction(); u = tx.addVertex('outside'); u.property('n', 1)"
    )
    expect(await asked("tx.traversal().V().hasLabel('outside').values('n')")).toEqual([1])
    expect(await asked("g.V().hasLabel('outside').count()")).toEqual([0])
    await asked("tx.commit(); g.tx().rollback()")
    expect(await asked("g.V().label()")).toEqual(["outside"])
    await expect(asked("tx.commit()")).rejects.toThrow("closed")
    await expect(asked("tx.addVertex()")).rejects.toThrow("enclosing transaction is closed")
  })

  it("loses what a failed request did, and nothing else", async () => {
    const asked = await driverClient(schemaGraph)
    await asked("tx = graph.newTransaction(); tx.addVertex('kept')")
    await expect(asked("tx.addVertex('lost'); other = graph.newTransaction(); 1/0")).rejects.toThrow("zero")
    await asked("tx.addVertex('also')")
    await asked("tx.commit()")
    expect(await asked("g.V().label().order()")).toEqual(["also", "kept"])
  })

  it("is read-only if its builder says so", async () => {
    const asked = await driverClient(schemaGraph)
    await asked("tx = graph.buildTransaction().readOnly().propertyPrefetching(false).start()")
    await expect(asked("tx.addVertex('a')")).rejects.toThrow("This transaction is read-only")
    expect(await asked("tx.isOpen()")).toEqual([true])
    await expect(asked("graph.buildTransaction().logIdentifier('x')")).rejects.toThrow("is not in one")
  })

  it("ends with the script's createThreadedTx().tx().commit()", async () => {
    const asked = await driverClient(schemaGraph)
    await asked("t = graph.tx().createThreadedTx(); t.addVertex('a'); t.tx().commit()")
    expect(await asked("g.V().count()")).toEqual([1])
    const plain = await driverClient()
    await expect(plain("graph.tx().createThreadedTx()")).rejects.toThrow("does not support threaded transactions")
  })
})

it("GraphOfTheGodsFactory loads JanusGraph's example, with and without mixed indexes", async () => {
  const asked = await driverClient(schemaGraph)
  await asked("GraphOfTheGodsFactory.load(graph); g = graph.traversal()")
  expect(await asked("g.V().has('name', 'saturn').in('father').in('father').values('name')")).toEqual(["hercules"])
  expect(await asked("g.E().has('place', geoWithin(Geoshape.circle(37.97, 23.72, 50))).count()")).toEqual([2])
  expect(await asked("[g.V().count().next(), g.E().count().next()]")).toEqual([12, 17])
  expect(await asked("graph.openManagement().getGraphIndex('vertices').isMixedIndex()")).toEqual([true])
  const plain = await driverClient(schemaGraph)
  await plain("GraphOfTheGodsFactory.loadWithoutMixedIndex(graph, true); g = graph.traversal()")
  expect(await plain("g.V().has('age', gt(4000)).values('name').order()")).toEqual(["jupiter", "neptune", "saturn"])
  expect(await plain("graph.openManagement().containsGraphIndex('vertices')")).toEqual([false])
})

describe("graph.clear()", () => {
  it("removes all elements of a TinkerGraph, which can be filled again in one request", async () => {
    const asked = await driverClient()
    await asked("TinkerFactory.generateModern(graph); graph.addVertex('other')")
    expect(await asked("g.V().count()")).toEqual([7])
    await asked("graph.clear(); TinkerFactory.generateClassic(graph); null")
    expect(await asked("[g.V().label().dedup().toList(), g.V().count().next()]")).toEqual([["vertex"], 6])
    await asked("mine = TinkerFactory.createModern(); mine.clear()")
    expect(await asked("[mine.traversal().V().count().next(), g.V().count().next()]")).toEqual([0, 6])
    await expect(asked("graph.clear(); throw new Exception('no')")).rejects.toThrow("no")
    await expect(asked("graph.clear(1)")).rejects.toThrow("clear() takes no argument")
    await expect(asked("graph.assertClearable()")).rejects.toThrow("has no method assertClearable()")
    expect(await asked("g.V().count()")).toEqual([6])
  })

  it("is a method of g where the request gives a graph this name", async () => {
    const asked = await driverClient({}, { traversalSource: "graph" })
    await asked("g.addVertex('person')")
    expect(await asked("g.traversal().V().count()")).toEqual([1])
    expect(await asked("g.clear(); g.traversal().V().count()")).toEqual([0])
  })

  it("is refused for graphs of JanusGraph, which have no such method", async () => {
    const asked = await driverClient(schemaGraph)
    await asked("g.addV('a').iterate()")
    await expect(asked("graph.clear()")).rejects.toThrow(
      "clear(): the graph graph is no TinkerGraph. g.V().drop() removes its elements."
    )
    expect(await asked("g.V().count()")).toEqual([1])
  })
})
