import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import { describe, expect, it } from "vitest"
import { defaultSettings, EngineServer } from "../../../src/index.ts"
import { emptyTinkerGraph } from "../../../src/services/GraphSettings.ts"
import { post } from "../support/HttpClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"
import { isPacked } from "../support/Packed.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, startServer, type TestedServer } from "../support/TestServers.ts"

const tinker = (name: string) => [name, { name, ...emptyTinkerGraph }] as const

/** The settings of a server with an initialisation script, whose graphs are `graph` and `crew`. */
const settingsOf = (...texts: ReadonlyArray<string>) => ({
  graphs: new Map([tinker("graph"), tinker("crew")]),
  traversalSources: [
    { name: "g", graph: "graph", expression: undefined },
    { name: "g_crew", graph: "crew", expression: undefined },
    { name: "graph_traversal", graph: "graph", expression: undefined }
  ],
  initialization: {
    scripts: texts.map((text, index) => ({ file: `/init${index}.groovy`, text })),
    defaultSources: new Set(["g", "g_crew", "graph_traversal"])
  }
})

const start = (...texts: ReadonlyArray<string>): Promise<TestedServer> => startServer(settingsOf(...texts))

const asker =
  ({ authority }: TestedServer) =>
  async (gremlin: string): Promise<unknown> => {
    const { json } = await post(authority, gremlin)
    return json.result?.data ?? json.message
  }

describe("An initialisation script", () => {
  it("binds traversal sources in every spelling", async () => {
    const asked = asker(
      await start(`
        def globals = [:]
        globals << [a : traversal().withEmbedded(graph)]
        globals << [b:graph.traversal()]
        globals << [ c : AnonymousTraversalSource.traversal().with(crew) ]
        globals << ([d : traversal().withEmbedded(graph).withStrategies(ReadOnlyStrategy.instance())] as Map<Object, Object>)
        globals
      `)
    )
    expect(await asked("a.addV('x').count()")).toEqual([1])
    expect(await asked("[a, b, c, d].collect { it.V().count().next() }")).toEqual([1, 1, 0, 1])
    expect(await asked("d.addV()")).toContain("is not read only")
  })

  it("replaces the default sources of its graph, and gives their strategies to the source with the graph's name", async () => {
    const server = await start("[h: traversal().withEmbedded(graph).withStrategies(ReadOnlyStrategy)]")
    const asked = asker(server)
    expect(await asked("graph_traversal.addV()")).toContain("is not read only")
    expect(await asked("g.V()")).toContain("there is no variable g")
    expect(await asked("g_crew.V().count()")).toEqual([0])
  })

  it("takes the properties of elements from all results by ReferenceElementStrategy", async () => {
    const server = await start("[g: traversal().withEmbedded(graph).withStrategies(ReferenceElementStrategy)]")
    const client = await SocketClient.connect(server.authority)
    const asked = async (gremlin: string): Promise<string> => {
      const { json } = await post(server.authority, gremlin, { materializeProperties: "all" })
      const { result } = await client.eval(gremlin, { materializeProperties: "all" })
      return JSON.stringify([json.result.data, result.data])
    }
    await post(server.authority, "g.addV('x').property('name', 'marko').iterate()")
    for (const script of [
      "g.V()",
      "g.V().fold()",
      "g.V().path()",
      "g.with('materializeProperties', 'all').V()",
      "g.V().toList()"
    ]) {
      expect(await asked(script), script).toContain('"x"')
      expect(await asked(script), script).not.toContain("marko")
    }
    expect(await asked("g.V().values('name')")).toContain("marko")
    client.close()
  })

  it("runs its hooks before clients connect and before the graphs close", async () => {
    const server = await start(`
      // ) unbalanced on purpose
      def globals = [:]
      globals << [hook : [
        onStartUp: { LifeCycleHook.Context ctx ->
          ctx.logger.info("Loading {} graphs, 'modern' (first", 2)
          org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory.generateModern(graph)
          TinkerFactory.generateTheCrew(crew)
          g.addV('loaded').iterate()
        },
        onShutDown: { ctx -> ctx.logger.warn("\${g.V().count().next()} vertices\\n") }
      ] as LifeCycleHook]
      globals << [g : traversal().withEmbedded(graph), gcrew : traversal().withEmbedded(crew)]
      globals
    `)
    const asked = asker(server)
    expect(await asked("[g.V().count().next(), gcrew.V().count().next()]")).toEqual([7, 6])
    expect(server.log.join("\n")).toContain("INFO Loading 2 graphs, 'modern' (first")
    await server.end()
    expect(server.log.join("\n")).toContain("WARN 7 vertices\\n")
  })

  it("gives its functions and values to the scripts of clients, who cannot change them for others", async () => {
    const server = await start("def add(int x, int y) { x + y }\n[limit: 3, names: ['a'], twice: { it * 2 }]")
    const asked = asker(server)
    expect(await asked("add(1, 2) + limit + twice(4)")).toEqual([14])
    expect(await asked("names << 'b'; names")).toEqual(["a", "b"])
    expect(await asked("names")).toEqual(["a"])
    const client = await SocketClient.connect(server.authority)
    const inSession = async (gremlin: string) => (await client.eval(gremlin, { session: "s" })).result.data
    expect(await inSession("limit = 5; names << 'c'; add(limit, 1)")).toEqual([6])
    expect(await inSession("[limit, names]")).toEqual([5, ["a", "c"]])
    expect(await asked("limit")).toEqual([3])
  })

  it("finds a graph that may not be configured", async () => {
    const script = (name: string) => `
      def globals = [:]
      def found = context.getBindings(javax.script.ScriptContext.GLOBAL_SCOPE)["${name}"]
      if (found != null)
          globals << [gfound : traversal().withEmbedded(found)]
      globals`
    expect(await asker(await start(script("crew")))("gfound.V().count()")).toEqual([0])
    expect(await asker(await start(script("immutable")))("gfound.V()")).toContain("there is no variable gfound")
  })

  it("defines a schema and adds elements in one commit", async () => {
    const graph = graphOf(["storage.backend=inmemory", "storage.memory.schema=true"])
    const text = `
      def mgmt = graph.openManagement()
      mgmt.makePropertyKey('name').dataType(String.class).make()
      mgmt.buildIndex('byName', Vertex.class).addKey(mgmt.getPropertyKey('name')).buildCompositeIndex()
      mgmt.commit()
      graph.addVertex('person').property('name', 'marko')
      [g: graph.traversal()]`
    const server = await startServer({ ...settingsOf(text), graphs: new Map([["graph", graph]]), traversalSources: [] })
    expect(await asker(server)("g.V().has('name', 'marko').count()")).toEqual([1])
  })

  it("sees the variables of the scripts before it", async () => {
    const asked = asker(await start("def f() { 1 }\nx = 2\n[y: 3]", "[z: f() + x]"))
    expect(await asked("x + z")).toEqual([5])
  })

  it("that fails stops the start with its file, line and reason", async () => {
    const fails = (text: string) => expect(start(text)).rejects
    await fails("\nRuntime.runtime.exec('true')").toThrow(
      "/init0.groovy fails: Line 2, column 1: scripts do not have the class Runtime"
    )
    await fails("1 +").toThrow("/init0.groovy fails: Line 1")
    await fails("[g: traversal().withEmbedded(other)]").toThrow("there is no variable other")
    await fails("[g: TinkerGraph.open().traversal()]").toThrow("g is a source of a graph that the script made")
    await fails("[x: TinkerGraph.open()]").toThrow("x is a graph, which clients cannot share")
    await fails("[hook: [onStartUp: { throw new Exception('no') }] as LifeCycleHook]").toThrow("no")
  })
})

describe("A start that is interrupted", () => {
  it("ends its initialisation script before the graphs close", async ({ skip }) => {
    skip(isPacked, "interrupts the start of a server in this process")
    const log: Array<string> = []
    const logger = Logger.make(({ message }) => void log.push(String(message)))
    const endless = "[hook: [onStartUp: { ctx -> while (true) ctx.logger.info('works') }] as LifeCycleHook]"
    const settings = defaultSettings({ port: 0, ...settingsOf(endless) })
    const start = Effect.scoped(EngineServer.start(settings)).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    const fiber = Effect.runFork(start)
    await eventually(() => log.includes("works"))
    await Effect.runPromise(Fiber.interrupt(fiber))
    const lines = log.length
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(log.length).toBe(lines)
  })
})
