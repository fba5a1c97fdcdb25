import { assert, describe, it } from "@effect/vitest"
import { readInitScript } from "../../../src/layers/config/InitScript.ts"

const read = (script: string, ...graphs: ReadonlyArray<string>) =>
  readInitScript(script, new Set(graphs.length === 0 ? ["graph"] : graphs))

describe("An initialisation script", () => {
  it("that binds g to a graph is recognised in every spelling", () => {
    const spellings = [
      "globals << [g : traversal().withEmbedded(graph)]",
      "globals << [g:graph.traversal()]",
      "globals << [ g : AnonymousTraversalSource.traversal().with(graph) ]",
      "globals << ([g : traversal().withEmbedded(graph)] as Map<Object, Object>)"
    ]
    for (const spelling of spellings) {
      const { sources, notRun } = read(`def globals = [:]\n${spelling}\n`)
      assert.deepStrictEqual(sources, [{ name: "g", graph: "graph", expression: undefined }])
      assert.deepStrictEqual(notRun, [])
    }
  })

  it("that adds strategies yields the expression of the source", () => {
    const { sources } = read(
      "globals << [g: traversal().withEmbedded(graph)\n  .withStrategies(ReadOnlyStrategy.instance())]"
    )
    assert.deepStrictEqual(sources, [{ name: "g", graph: "graph", expression: "g.withStrategies(ReadOnlyStrategy)" }])
  })

  it("that looks a graph up binds it when it is configured", () => {
    const script = [
      "def globals = [:]",
      'def found = context.getBindings(javax.script.ScriptContext.GLOBAL_SCOPE)["immutable"]',
      "if (found != null)",
      "    globals << [gimmutable : traversal().withEmbedded(found)]",
      "if (found != null) { globals << [other : traversal().withEmbedded(found)] }",
      "globals"
    ].join("\n")
    const configured = read(script, "immutable")
    assert.deepStrictEqual(configured.sources, [
      { name: "gimmutable", graph: "immutable", expression: undefined },
      { name: "other", graph: "immutable", expression: undefined }
    ])
    assert.deepStrictEqual(configured.notRun, [])
    assert.deepStrictEqual(read(script, "graph"), { sources: [], datasets: [], functions: [], notRun: [] })
  })

  it("that loads toy graphs in a life cycle hook names the data sets", () => {
    const { datasets, notRun, sources } = read(
      `
      // ) unbalanced on purpose
      def globals = [:]
      globals << [hook : [
        onStartUp: { ctx ->
          ctx.logger.info("Loading (the graphs, 'modern' first")
          org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory.generateModern(graph)
          TinkerFactory.generateTheCrew(crew)
        },
        onShutDown: { LifeCycleHook.Context ctx -> ctx.logger.info("bye") }
      ] as LifeCycleHook]
      globals << [g : traversal().withEmbedded(graph), gcrew : traversal().withEmbedded(crew)]
      globals
      `,
      "graph",
      "crew"
    )
    assert.deepStrictEqual(datasets, [
      { graph: "graph", dataset: "modern" },
      { graph: "crew", dataset: "crew" }
    ])
    assert.deepStrictEqual(
      sources.map(({ name, graph }) => [name, graph]),
      [
        ["g", "graph"],
        ["gcrew", "crew"]
      ]
    )
    assert.deepStrictEqual(notRun, [])
  })

  it("with other statements is reported with their lines, which are ignored", () => {
    const script = [
      "def globals = [:]",
      "def add(x, y) { x + y }",
      "globals << [hook : [ onStartUp: { ctx ->",
      "  graph.addVertex('name', 'a')",
      "} ] as LifeCycleHook]",
      "if (System.getenv('X') != null)",
      "  globals << [g : traversal().withEmbedded(graph)]",
      "globals << [h : traversal().withEmbedded(other)]",
      "Runtime.runtime.exec('true')"
    ].join("\n")
    const { functions, notRun, sources } = read(script)
    assert.deepStrictEqual(functions, ["add"])
    assert.deepStrictEqual(sources, [])
    assert.deepStrictEqual(
      notRun.map(({ line }) => line),
      [4, 6, 8, 9]
    )
  })
})
