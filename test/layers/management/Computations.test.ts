import { beforeEach, describe, expect, it } from "vitest"
import { driverClient } from "../support/DriverClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"

type Asked = Awaited<ReturnType<typeof driverClient>>

let asked: Asked

/** Computes over the modern graph; the result is the variable `result` of the session. */
const compute = (program: string, more = ""): Promise<unknown> =>
  asked(`result = graph.compute().program(${program}.create())${more}.submit().get(); result.toString()`)

beforeEach(async () => {
  asked = await driverClient()
  await asked("graph = TinkerFactory.createModern(); g = graph.traversal(); null")
})

describe("graph.compute()", () => {
  it("gives a graph whose vertices have the computed property, and writes nothing to the graph", async () => {
    await compute("PageRankVertexProgram.build()")
    expect(await asked("result.graph().toString()")).toEqual(["tinkergraph[vertices:6 edges:0]"])
    const ranks = "result.graph().traversal().V().order().by(id).values(PageRankVertexProgram.PAGE_RANK)"
    const rounded = (await asked(ranks)).map((rank) => Number(rank).toFixed(8))
    const expected = ["0.11375510", "0.14598540", "0.30472009", "0.14598540", "0.17579890", "0.11375510"]
    expect(rounded).toEqual(expected)
    expect(await asked("result.graph().traversal().V(1).values('name', 'age')")).toEqual(["marko", 29])
    expect(await asked("g.V().properties(PageRankVertexProgram.PAGE_RANK).count()")).toEqual([0])
    expect(await asked("result.memory().runtime >= 0")).toEqual([true])
  })

  it("takes the options of the program", async () => {
    const edges = "edges(__.outE('created'))"
    await compute(`PageRankVertexProgram.build().iterations(2).property('rank').alpha(0.5).${edges}`)
    const ranks = await asked("result.graph().traversal().V(1, 3).order().by(id).values('rank')")
    expect(ranks.map((rank) => Number(rank).toFixed(10))).toEqual(["0.1250000000", "0.3333333333"])
  })

  it("counts the clusters of peer pressure in its memory", async () => {
    const jobs = ["ClusterPopulationMapReduce.build()", "ClusterCountMapReduce.build().memoryKey('n')"]
    await compute("PeerPressureVertexProgram.build()", jobs.map((job) => `.mapReduce(${job}.create())`).join(""))
    expect(await asked("result.memory().clusterPopulation.toString()")).toEqual(["[1:5, 6:1]"])
    expect(await asked("[result.memory().n, result.memory().keys().size(), result.memory().exists('m')]")).toEqual([
      2,
      2,
      false
    ])
    await expect(asked("result.memory().get('m')")).rejects.toThrow("does not have a value for provided key: m")
  })

  it("finds shortest paths and components", async () => {
    await compute("ShortestPathVertexProgram.build().source(__.has('name', 'marko')).includeEdges(true)")
    const paths = "result.memory().get(ShortestPathVertexProgram.SHORTEST_PATHS)"
    expect(await asked(`${paths}.collect { it.size() }.sort()`)).toEqual([1, 3, 3, 3, 5, 5])
    expect(await asked("result.graph().toString()")).toEqual(["tinkergraph[vertices:6 edges:6]"])
    await compute("ConnectedComponentVertexProgram.build()", ".persist(GraphComputer.Persist.EDGES)")
    const component = "result.graph().traversal().V().values(ConnectedComponentVertexProgram.COMPONENT).dedup()"
    expect(await asked(component)).toEqual(["1"])
    expect(await asked("result.graph().traversal().E().values('weight').sum()")).toEqual([3.5])
  })

  it("refuses what it does not compute", async () => {
    const refusals: ReadonlyArray<readonly [script: string, says: string]> = [
      ["graph.compute().submit()", "a graph computer needs a vertex program"],
      ["graph.compute().program(1)", "program() of a graph computer cannot take 1"],
      ["graph.compute().vertices(__.out())", "a graph computer has no method vertices()"],
      ["graph.compute().result(GraphComputer.ResultGraph.ORIGINAL)", "write them by property()"],
      ["PageRankVertexProgram.build().epsilon(0.1d)", "epsilon() has one value here"],
      ["PageRankVertexProgram.build().iterations(0)", "takes a number from 1"],
      ["PageRankVertexProgram.build().edges('created')", "edges() takes an anonymous traversal"],
      ["PageRankVertexProgram.build().property(1)", "a string was expected"],
      ["PageRankVertexProgram.build().times(1)", "has no method times()"],
      ["TraversalVertexProgram.build()", "scripts do not have the class TraversalVertexProgram"],
      ["new PageRankVertexProgram()", "scripts do not have the constructor"],
      ["ComputerResult.graph(1)", "scripts do not have the class ComputerResult"],
      ["g.inject(PageRankVertexProgram.build().create()).next()", "cannot be an argument of a traversal"],
      ["g.inject(graph.compute()).next()", "cannot be an argument of a traversal"]
    ]
    for (const [script, says] of refusals) await expect.soft(asked(script), script).rejects.toThrow(says)
  })
})

it("graph.compute() of a graph with a schema gives a graph in memory with the edges", async () => {
  const options = ["storage.backend=inmemory", "storage.memory.schema=true"]
  asked = await driverClient({ graphs: new Map([["graph", graphOf(options)]]) })
  await asked("g = graph.traversal(); g.addV('a').as('x').addV('b').addE('e').from('x').property('w', 2).iterate()")
  await asked("g.tx().commit()")
  await compute("PageRankVertexProgram.build().property('rank')")
  expect(
    await asked("c = result.graph().traversal(); [c.V().values('rank').count().next(), c.E().values('w').next()]")
  ).toEqual([2, 2])
  expect(await asked("g.V().values('rank').count()")).toEqual([0])
})
