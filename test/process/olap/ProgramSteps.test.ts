import { beforeAll, describe, expect, it } from "vitest"
import { Bytecode, Instruction, StrategySpec } from "../../../src/process/language/Bytecode.ts"
import { openEnvironment, TraversalRun } from "../../../src/process/machine/TraversalRun.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { settled } from "../../storage/Completion.ts"
import { LaterGraph } from "../../storage/LaterGraph.ts"
import { prepare, results, run, runLater, toy, unordered } from "../run.ts"

const modern = toy("modern")
const rank = "'gremlin.pageRankVertexProgram.pageRank'"

describe("pageRank()", () => {
  it("computes a property for every vertex of the graph, also for those without a traverser", () => {
    expect(
      results(modern, "g.V().has('name', 'marko').pageRank().V().has('gremlin.pageRankVertexProgram.pageRank').count()")
    ).toEqual(["6"])
    expect(results(modern, "g.V(1).pageRank().properties().key()")).toEqual([
      "name",
      "age",
      "gremlin.pageRankVertexProgram.pageRank"
    ])
  })

  it("does not change the graph", () => {
    results(modern, "g.V().pageRank()")
    expect(results(modern, `g.V().has(${rank})`)).toEqual([])
  })

  it("starts with the traversers if steps precede it, and with equal ranks after V()", () => {
    const ranks = "with(PageRank.times, 0).with(PageRank.propertyName, 'r').values('r')"
    expect(results(modern, `g.V().out('created').dedup().pageRank().${ranks}`)).toEqual(["1.0", "1.0"])
    expect(results(modern, `g.V(3).pageRank().${ranks}`)).toEqual([text(1 / 6)])
    expect(results(modern, `g.V(3).identity().pageRank().${ranks}`)).toEqual(["1.0"])
  })

  it("sends along the edges of its option edges", () => {
    const direct = "g.V().pageRank().with(PageRank.edges, __.outE('created')).values('name')"
    expect(unordered(modern, direct)).toEqual(unordered(modern, "g.V().values('name')"))
    const order = (edges: string) =>
      results(
        modern,
        `g.V().pageRank().with(PageRank.edges, ${edges}).order().by(${rank}, desc).by('name').values('name').limit(2)`
      )
    expect(order("__.outE('created')")).toEqual(["lop", "ripple"])
    // The same with a traversal of several steps.
    expect(order("__.outE().hasLabel('created')")).toEqual(["lop", "ripple"])
    expect(() => order("__.out()")).toThrow(/must give edges/)
    expect(() => order("__.out().outE()")).toThrow(/edges of the vertex it starts at/)
  })

  it("passes traversers on unchanged", () => {
    expect(results(modern, "g.V(1).as('a').out('created').pageRank().as('b').select('a', 'b').by('name')")).toEqual([
      "{a=marko, b=lop}"
    ])
    expect(results(modern, "g.V().both().barrier().pageRank().count()")).toEqual(["12"])
    expect(results(modern, "g.E().hasLabel('knows').pageRank().values('weight')")).toEqual(["0.5", "1.0"])
  })

  it("refuses unknown options, and a place inside another step", () => {
    expect(() => results(modern, "g.V().pageRank().with('~tinkerpop.pageRank.speed', 1)")).toThrow(/no option speed/)
    expect(() => results(modern, "g.V().pageRank().with('x')")).toThrow(/no option the string x/)
    expect(() => results(modern, "g.V().pageRank().with(PageRank.edges, 'knows')")).toThrow(
      /cannot take the string knows/
    )
    expect(() => results(modern, "g.V().local(pageRank())")).toThrow(/main line of a traversal, not inside local/)
  })
})

describe("peerPressure() and connectedComponent()", () => {
  it("name clusters by the id of a vertex, and components by the text of an id", () => {
    expect(
      unordered(
        modern,
        "g.V().peerPressure().with(PeerPressure.propertyName, 'c').group().by('c').by('name').unfold().select(values)"
      )
    ).toHaveLength(2)
    expect(
      results(
        modern,
        "g.V().hasLabel('person').connectedComponent().with(ConnectedComponent.edges, __.bothE('knows')).with(ConnectedComponent.propertyName, 'c').values('c')"
      )
    ).toEqual(["1", "1", "1", "6"])
  })

  it("refuse a number of rounds for connectedComponent()", () => {
    expect(() => results(modern, "g.V().connectedComponent().with('~tinkerpop.connectedComponent.times', 1)")).toThrow(
      /no option times/
    )
  })
})

it("Programs see only the part of the graph that a strategy shows", () => {
  for (const strategy of ["SubgraphStrategy", "VertexProgramStrategy"]) {
    expect(
      results(
        modern,
        `g.withStrategies(${strategy}(vertices: __.not(__.hasId(3)))).V().connectedComponent().with(ConnectedComponent.propertyName, 'c').values('c')`
      )
    ).toEqual(["1", "1", "1", "1", "6"])
  }
})

describe("shortestPath()", () => {
  it("emits the paths once for each traverser", () => {
    expect(unordered(modern, "g.V(1, 1).shortestPath().with(ShortestPath.target, __.hasId(6))")).toEqual([
      "path[v[1], v[3], v[6]]",
      "path[v[1], v[3], v[6]]"
    ])
  })

  it("keeps the path of the traverser", () => {
    expect(results(modern, "g.V(1).shortestPath().with(ShortestPath.target, __.hasId(2)).path()")).toEqual([
      "path[v[1], path[v[1], v[2]]]"
    ])
  })

  it("reads only the edges within the maximum distance", async () => {
    const later = new LaterGraph(modern)
    const traversal = "g.V(2).shortestPath().with(ShortestPath.maxDistance, 1)"
    expect((await runLater(later, traversal)).map(text).sort()).toEqual(["path[v[2], v[1]]", "path[v[2]]"])
  })

  it("passes only by vertices that the traversal sees", () => {
    const paths = (source: string): ReadonlyArray<string> =>
      unordered(modern, `${source}.V(1).shortestPath().with(ShortestPath.includeEdges, false)`)
    const hiding = "vertices: __.not(__.hasId(3, 4))"
    for (const check of [true, false]) {
      expect(paths(`g.withStrategies(SubgraphStrategy(${hiding}, checkAdjacentVertices: ${check}))`)).toEqual([
        "path[v[1], v[2]]",
        "path[v[1]]"
      ])
    }
    const seen = "values('name').fold()"
    const split = toyGraph("modern")
    run(split, "g.V().property('p', 'a')")
    run(split, "g.E().property('p', 'a')")
    run(split, "g.V(3, 4).property('p', 'b')")
    const partition = "g.withStrategies(PartitionStrategy(partitionKey: 'p', readPartitions: ['a']))"
    expect(unordered(split, `${partition}.V(1).shortestPath().unfold().dedup().${seen}`)).toEqual(["[marko, vadas]"])
    expect(
      unordered(
        split,
        `${partition}.V(1).shortestPath().with(ShortestPath.distance, 'weight').with(ShortestPath.includeEdges, true)`
      )
    ).toEqual(["path[v[1], e[7][1-knows->2], v[2]]", "path[v[1]]"])
  })

  it("refuses distances that are negative or not numbers", () => {
    expect(() => results(modern, "g.V().shortestPath().with(ShortestPath.distance, __.label())")).toThrow(
      /must be a number, but is/
    )
    expect(() => results(modern, "g.V().shortestPath().with(ShortestPath.distance, __.constant(-1))")).toThrow(
      /must not be negative/
    )
  })
})

it("Programs read only fetched data from a store that answers later", async () => {
  const later = new LaterGraph(modern)
  for (const traversal of [
    `g.V().pageRank().values(${rank}).math('ceil(_ * 100)')`,
    "g.V().out().pageRank().with(PageRank.edges, __.outE().has('weight', gt(0.4))).with(PageRank.propertyName, 'r').valueMap('name', 'r')",
    "g.V().peerPressure().with(PeerPressure.propertyName, 'c').values('c')",
    "g.V().connectedComponent().with(ConnectedComponent.propertyName, 'c').values('c')",
    "g.V().shortestPath().with(ShortestPath.distance, 'weight').with(ShortestPath.target, __.has('name', 'josh')).with(ShortestPath.includeEdges, true)"
  ]) {
    expect((await runLater(later, traversal)).map(text).sort()).toEqual(unordered(modern, traversal))
  }
})

it("A graph filter limits the graph that the traversal and its programs see", () => {
  const computer = "g.withStrategies(VertexProgramStrategy(vertices: __.hasLabel('person')))"
  expect(
    results(
      modern,
      `${computer}.V().pageRank().with(PageRank.propertyName, 'r').values('r').sum().math('floor(_ * 100 + 0.5)')`
    )
  ).toEqual(["100.0"])
  expect(unordered(modern, `${computer}.V().both().values('name')`)).toEqual(["josh", "marko", "marko", "vadas"])
  const knows = "g.withStrategies(VertexProgramStrategy(edges: __.bothE('knows')))"
  expect(
    results(
      modern,
      `${knows}.V().connectedComponent().with(ConnectedComponent.propertyName, 'c').values('c').dedup().count()`
    )
  ).toEqual(["4"])
  expect(() => results(modern, "g.withStrategies(VertexProgramStrategy(edges: __.outE())).V()")).toThrow(
    /must start with bothE/
  )
  expect(() => results(modern, "g.withStrategies(VertexProgramStrategy(edges: __.bothE().limit(1))).E()")).toThrow(
    /no other limit\(\)/
  )
  // TinkerPop's Python driver asks for a graph without edges so.
  for (const none of ["__.limit(0)", "__.bothE().limit(0)", "__.outE('knows').limit(0)"]) {
    expect(
      results(modern, `g.withStrategies(VertexProgramStrategy(edges: ${none})).V().as('v').outE().count()`)
    ).toEqual(["0"])
  }
})

describe("VertexProgramStrategy", () => {
  const steps = "V().pageRank().with(PageRank.propertyName, 'r').values('r').count()"

  it.each([
    "result: 'NEW', persist: 'VERTEX_PROPERTIES', workers: 4",
    "result: 'NEW', persist: 'EDGES', graphComputer: 'org.apache.tinkerpop.gremlin.process.computer.GraphComputer'",
    "result: 'ORIGINAL', persist: 'NOTHING'",
    "graphComputer: SparkGraphComputer, workers: 2",
    "master: 'local'",
    // The driver for JavaScript sends persist so.
    "result: 'ORIGINAL', graphComputer: 'NOTHING'"
  ])("accepts options that write nothing: %s", (options) => {
    expect(results(modern, `g.withStrategies(VertexProgramStrategy(${options})).${steps}`)).toEqual(["6"])
  })

  it.each([
    "configure('spark.master', 'local')",
    "configure([master: 'local'])",
    "graphComputer(SparkGraphComputer.class)",
    "computer(Computer.compute().workers(2).configure('a', 1))",
    "computer(Computer.compute(org.apache.tinkerpop.gremlin.spark.process.computer.SparkGraphComputer))"
  ])("accepts options of its builder without effect: %s", (options) => {
    expect(results(modern, `g.withStrategies(VertexProgramStrategy.build().${options}.create()).${steps}`)).toEqual([
      "6"
    ])
  })

  it("sees only the elements that a computer of its builder selects", () => {
    const computers =
      "vertices(hasLabel('software')).computer(Computer.compute(SparkGraphComputer).vertices(hasLabel('person')))"
    expect(
      results(modern, `g.withStrategies(VertexProgramStrategy.build().${computers}.create()).V().count()`)
    ).toEqual(["4"])
  })

  it("accepts options of graph computers, and a result of a traversal without computed properties", () => {
    const strategy = new StrategySpec("VertexProgramStrategy", new Map<string, unknown>([["spark.master", "local"]]))
    const bytecode = new Bytecode([new Instruction("withStrategies", [strategy])], [new Instruction("V", [])])
    expect(run(modern, bytecode)).toHaveLength(6)
    expect(results(modern, "g.withStrategies(VertexProgramStrategy(result: 'ORIGINAL')).V().count()")).toEqual(["6"])
  })

  it.each([
    [
      "result: 'ORIGINAL', persist: 'VERTEX_PROPERTIES'",
      /writes the properties that pageRank\(\) computes.*property\(/
    ],
    ["result: 'ORIGINAL'", /writes the properties/],
    ["persist: 'vertex_properties'", /takes NOTHING, VERTEX_PROPERTIES, EDGES as persist, but was given the string/],
    ["result: 1", /takes NEW, ORIGINAL as result/],
    ["vertex: __.hasLabel('person')", /has no option vertex. Its options are graphComputer/]
  ])("refuses %s", (options, message) => {
    expect(() => results(modern, `g.withStrategies(VertexProgramStrategy(${options})).${steps}`)).toThrow(message)
  })

  it.each(["addV('a')", "V().property('a', 1)", "V().where(__.addE('a').to('x'))", "V().drop()", "io('x').read()"])(
    "refuses %s",
    (mutation) => {
      expect(() => prepare(`g.withComputer().${mutation}`)).toThrow(
        /not supported on GraphComputer.*Leave withComputer/
      )
    }
  )
})

it("property() writes what a program computes", () => {
  const graph = toyGraph("modern")
  run(graph, "g.V().connectedComponent().with(ConnectedComponent.propertyName, 'c').property('c', __.values('c'))")
  expect(results(graph, "g.V().values('c').dedup()")).toEqual(["1"])
})

describe("V() in the middle of a traversal, before a program", () => {
  const ranks = "pageRank().with(PageRank.propertyName, 'r').with(PageRank.times, 0).project('a', 'b').by(T.id).by('r')"

  it("runs after it, and continues from the vertex of each traverser", () => {
    expect(unordered(modern, `g.V().out().V().${ranks}`)).toEqual([
      "{a=2, b=1.0}",
      "{a=3, b=3.0}",
      "{a=3, b=3.0}",
      "{a=3, b=3.0}",
      "{a=4, b=1.0}",
      "{a=5, b=1.0}"
    ])
    expect(unordered(modern, `g.V().out('created').V(3).${ranks}`)).toEqual(Array(3).fill("{a=3, b=3.0}"))
    expect(unordered(modern, `g.V(1, 2).peerPressure().V().${ranks}`)).toEqual(["{a=1, b=1.0}", "{a=2, b=1.0}"])
    expect(unordered(modern, "g.V().out().E().pageRank().id()")).toEqual(["10", "11"])
  })

  it("extends the path, and its labels are those of the vertex", () => {
    expect(results(modern, "g.V(1).out('knows').V(4).as('a').pageRank().as('b').path()")).toEqual([
      "path[v[1], v[4], v[4]]"
    ])
    expect(
      results(modern, "g.V(1).as('x').out('knows').V(4).as('a').pageRank().as('b').select('a', 'b', 'x')")
    ).toEqual(["{a=v[4], b=v[4], x=v[1]}"])
  })

  it("refuses traversers that are not at a vertex", () => {
    expect(() => results(modern, "g.E().V().pageRank()")).toThrow(/one is not at a vertex. Put a step to vertices/)
  })
})

it("VertexProgramRestrictionStrategy refuses programs", () => {
  expect(() => results(modern, "g.withStrategies(VertexProgramRestrictionStrategy).V().pageRank()")).toThrow(
    /does not allow the use of a GraphComputer: pageRank\(\) needs one/
  )
})

it("program() is refused with alternatives", () => {
  const steps = [new Instruction("V", []), new Instruction("program", ["com.example.Program"])]
  expect(() => prepare(new Bytecode([], steps))).toThrow(/takes a VertexProgram.*Use pageRank\(\)/)
})

describe("With a large graph", () => {
  const size = 20_000
  const graph = new MemoryGraph(tinkerGraph("large", {}))
  const transaction = graph.begin()
  const refs = Array.from({ length: size }, (_, id) => transaction.addVertex("v", id))
  for (let i = 1; i < size; i++) transaction.addEdge(refs[i]!, "e", refs[i >> 1]!, undefined)
  const committed = transaction.commit()
  beforeAll(() => settled(committed))

  const slicesOf = (traversal: string): { readonly slices: number; readonly given: number } => {
    const running = new TraversalRun(prepare(traversal), graph.begin(), openEnvironment)
    let given = 0
    let slices = 1
    // The deadline is always over: the run returns at each check of the clock.
    while (
      running.advance(0, {
        accept: (_values, length) => {
          given += length
          return true
        }
      }) !== "done"
    ) {
      slices++
    }
    running.close()
    return { slices, given }
  }

  it("programs run in slices", () => {
    for (const [traversal, rounds] of [
      ["g.V().pageRank().with(PageRank.times, 3).count()", 4],
      ["g.V().connectedComponent().count()", 1],
      ["g.V().peerPressure().with(PeerPressure.times, 3).count()", 3]
    ] as const) {
      // A slice visits about 8,000 vertices and edges.
      expect(slicesOf(traversal).slices).toBeGreaterThan((rounds * size * 2) / 20_000)
    }
    expect(slicesOf("g.V(1).shortestPath().count()")).toMatchObject({ given: 1 })
  })

  it("programs fail at the limit of the bytes of a run", () => {
    const limited = { ...openEnvironment, maxBytes: 100_000 }
    expect(() => results(graph, "g.V().limit(1).pageRank()", { environment: limited })).toThrow(
      /holds more than 100000 bytes/
    )
  })
})
