import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { closedFiles } from "../../../src/layers/config/ClosedFiles.ts"
import type { LoadedConfig } from "../../../src/layers/config/ConfigFile.ts"
import { refuseUnenforceable } from "../../../src/layers/config/Enforcement.ts"
import { overrideFromArgument } from "../../../src/layers/config/Overrides.ts"
import { defaultSettings } from "../../../src/services/Config.ts"
import { loadYaml, problemsOf, tinkerGraph } from "./Folder.ts"

const graphs = "graphs: {graph: graph.properties}\n"

/** In the place of settings that depend on the folder of a file. */
const ofFolders = { configurationFiles: 0, dynamicGraphs: 0, graphs: 0, ioDirectory: 0 }

describe("A configuration file", () => {
  it.effect("with only graphs has the defaults of all other settings", () =>
    Effect.gen(function* () {
      const { settings, notes } = yield* loadYaml(graphs)
      const { configurationFiles: _files, dynamicGraphs: _dynamic, graphs: _graphs, ...others } = settings
      const { ioDirectory: _directory, ...rest } = others
      const { dynamicGraphs: _folder, graphs: _others, ioDirectory: _other, ...defaults } = defaultSettings()
      const janusGraphName = { name: "graph_traversal", graph: "graph", expression: undefined }
      const traversalSources = [...defaults.traversalSources, janusGraphName]
      assert.deepStrictEqual(rest, { ...defaults, traversalSources })
      assert.deepStrictEqual(notes, [])
      assert.strictEqual(settings.graphs.get("graph")?.factory.kind, "TinkerGraph")
    })
  )

  it.effect("accepts both spellings, and older and newer names of a setting", () =>
    Effect.gen(function* () {
      const old = yield* loadYaml(`${graphs}gremlinPool: 3\nscriptEvaluationTimeout: 5\nkeepAliveIntervalMillis: 0\n`)
      const own = yield* loadYaml(`${graphs}enginePool: 3\nevaluationTimeout: 5\nkeepAliveInterval: 0\n`)
      assert.deepStrictEqual({ ...old.settings, ...ofFolders }, { ...own.settings, ...ofFolders })
      assert.strictEqual(old.settings.enginePool, 3)
    })
  )

  it.effect("closes itself and the folder of dataScripts to io()", () =>
    Effect.gen(function* () {
      const files = { "scripts/load.groovy": "1" }
      const { file, settings } = yield* loadYaml(`${graphs}dataScripts: scripts\n`, files)
      const scripts = settings.initialization!.scripts[0]!.file.replace(/load\.groovy$/, "*.groovy")
      assert.deepStrictEqual(settings.configurationFiles, [file, scripts])
    })
  )

  it.effect("takes a negative evaluationTimeout as no limit, as Gremlin Server", () =>
    Effect.gen(function* () {
      const { settings } = yield* loadYaml(`${graphs}evaluationTimeout: -1\n`)
      assert.strictEqual(settings.evaluationTimeout, 0)
    })
  )

  it.effect("reports all problems together, in order, with lines and suggestions", () =>
    Effect.gen(function* () {
      const yaml = [
        "hots: x",
        "port: 99999",
        "channelizer: org.example.WebSocketChanneliser",
        "enginePool: eight",
        "ssl: {enabld: true}",
        "authentication: {config: {tokenTimeOut: 5, defaultRole: king}}",
        "logging: verbose",
        "processors:",
        "  - {className: a.SessionOpProcessor, config: {sesionTimeout: 1}}",
        "serializers:",
        "  - {config: {}}",
        "graphs:",
        "  graph: nowhere.properties",
        "  other: {configuration: graph.properties, traversalSource: []}"
      ].join("\n")
      assert.deepStrictEqual(yield* problemsOf(yaml), [
        "server.yaml:1 hots: there is no such setting; did you mean 'host'?",
        "server.yaml:2 port: must be a whole number between 0 and 65535, not 99999",
        "server.yaml:3 channelizer: 'WebSocketChanneliser' is not known here; did you mean 'WebSocketChannelizer'?, or the path of an ES module",
        "server.yaml:4 enginePool: must be a whole number of 0 or more, not 'eight'",
        "server.yaml:5 ssl.enabld: there is no such setting; did you mean 'enabled'?",
        "server.yaml:6 authentication.config.tokenTimeOut: there is no such setting; did you mean 'tokenTimeout'?",
        "server.yaml:6 authentication.config.defaultRole: must be one of reader, editor, admin, not 'king'",
        "server.yaml:7 logging: must be a map with format, level, file",
        "server.yaml:9 processors[0].config.sesionTimeout: there is no such setting; did you mean 'sessionTimeout'?",
        "server.yaml:11 serializers[0].className: is missing",
        "server.yaml:13 graphs.graph: there is no file nowhere.properties; looked for nowhere.properties, /tmp/nowhere.properties",
        "server.yaml:14 graphs.other.traversalSource: there is no such setting; did you mean 'traversalSources'?"
      ])
    })
  )

  it.effect("with a syntax error reports its line", () =>
    Effect.gen(function* () {
      const problems = yield* problemsOf("host: x\nport: [8182\n")
      assert.match(problems[0] ?? "", /^server\.yaml:\d+ : /)
      assert.deepStrictEqual(
        yield* problemsOf("- a\n- b\n"),
        [
          "server.yaml:1 : a map of settings is expected, such as 'port: 8182'",
          "server.yaml graphs: names no graph; add one, such as 'graphs: {graph: conf/engine-server/graph.properties}'"
        ].slice(0, 1)
      )
      assert.match((yield* problemsOf(`${graphs}port: 1\nport: 2\n`))[0] ?? "", /^server\.yaml:3 : port is given twice/)
      const colons = yield* problemsOf(`${graphs}host: ::\n`)
      assert.include(colons, 'server.yaml:2 : an address that ends with a colon must be in quotes, such as "::"')
    })
  )

  it.effect("that names a setting twice under two names is refused", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsOf(`${graphs}enginePool: 1\ngremlinPool: 2\n`), [
        "server.yaml:3 gremlinPool: this is another name of 'enginePool', which is set too; keep one"
      ])
    })
  )

  it.effect("treats __proto__ and constructor as unknown settings", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsOf(`${graphs}__proto__: {host: x}\nconstructor: 1\n`), [
        "server.yaml:2 __proto__: there is no such setting",
        "server.yaml:3 constructor: there is no such setting"
      ])
    })
  )

  it.effect("accepts anchors, aliases and merge keys", () =>
    Effect.gen(function* () {
      const yaml = "graphs:\n  graph: &g {configuration: graph.properties}\n  other: {<<: *g}\n"
      const { settings } = yield* loadYaml(yaml)
      assert.deepStrictEqual([...settings.graphs.keys()], ["graph", "other"])
    })
  )

  it.effect("refuses an alias inside of its own anchor", () =>
    Effect.gen(function* () {
      const problem = (line: number, name: string) =>
        `server.yaml:${line} : the alias *${name} is a part of the value that it stands for; write the value out`
      assert.deepStrictEqual(yield* problemsOf(`${graphs}allowedOrigins: &own [*own]\n`), [problem(2, "own")])
      const through = "ssl: &a\n  x: &b {y: *a}\n  z: *b\n"
      assert.deepStrictEqual(yield* problemsOf(`${graphs}${through}`), [problem(3, "a")])
    })
  )

  it.effect("refuses the key __proto__, whose value would disappear", () =>
    Effect.gen(function* () {
      const problem = "server.yaml:2 : __proto__ is no name of a setting, a graph or an option"
      assert.deepStrictEqual(yield* problemsOf("graphs:\n  __proto__: {configuration: graph.properties}\n"), [problem])
    })
  )

  it.effect("names origins as browsers send them", () =>
    Effect.gen(function* () {
      const list = ["loopback", "*", "null", "https://a.example", "http://b.example:8080", "vscode-webview://x1"]
      const { settings } = yield* loadYaml(`${graphs}allowedOrigins: ${JSON.stringify(list)}\n`)
      assert.deepStrictEqual([...settings.allowedOrigins], list)
      for (const [given, sent] of [
        ["https://a.example/", "https://a.example"],
        ["https://a.example/page?x=1", "https://a.example"],
        ["https://A.example:443", "https://a.example"],
        ["Loopback", "loopback"]
      ]) {
        assert.deepStrictEqual(yield* problemsOf(`${graphs}allowedOrigins: ['${given}']\n`), [
          `server.yaml:2 allowedOrigins: must list origins as browsers send them: '${sent}' instead of '${given}'`
        ])
      }
      for (const given of ["a.example", "https://*.a.example", "https://", "localhost:3000"]) {
        assert.deepStrictEqual(yield* problemsOf(`${graphs}allowedOrigins: ['${given}']\n`), [
          `server.yaml:2 allowedOrigins: must list origins such as https://example.org, '*' or 'loopback', not '${given}'`
        ])
      }
    })
  )

  it.effect("keeps the text of a password that looks like a number", () =>
    Effect.gen(function* () {
      const yaml = `${graphs}authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: users.properties, defaultUsername: u, defaultPassword: 0123}}\n`
      const { settings } = yield* loadYaml(yaml, { "users.properties": tinkerGraph })
      const { defaultPassword } = settings.authentication
      assert.strictEqual(defaultPassword && Redacted.value(defaultPassword), "0123")
      assert.notInclude(JSON.stringify(settings), "0123")
    })
  )

  it.effect("may have a limit of one request and none of all together", () =>
    Effect.gen(function* () {
      const { settings } = yield* loadYaml(`${graphs}memoryBudget: 0\nrequestMemoryLimit: 200 MB\n`)
      assert.deepStrictEqual([settings.memoryBudget, settings.requestMemoryLimit], [0, 200 * 1024 ** 2])
      assert.isAbove(settings.dynamicGraphs.cacheBytes, 0)
      assert.strictEqual((yield* loadYaml(`${graphs}memoryBudget: 0\n`)).settings.requestMemoryLimit, 0)
    })
  )

  it.effect("checks settings against each other", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsOf(`${graphs}memoryBudget: 100m\nrequestMemoryLimit: 200 MB\n`), [
        "server.yaml:3 requestMemoryLimit: must not be more than memoryBudget, which is 104857600"
      ])
    })
  )
})

describe("A number of a setting", () => {
  it.effect("may be the largest Long of Java, which means the largest number that the server counts", () =>
    Effect.gen(function* () {
      for (const largest of ["9223372036854775807", "'9223372036854775807L'"]) {
        const config = `{credentialsDb: users.properties, hmacSecret: hush, tokenTimeout: ${largest}}`
        const yaml =
          `graphs: {graph: graph.properties}\nchannelizer: HttpChannelizer\nevaluationTimeout: ${largest}\n` +
          `authentication: {authenticator: HMACAuthenticator, config: ${config}}\n`
        const users = `${tinkerGraph}gremlin.tinkergraph.vertexIdManager=LONG\n`
        const { settings } = yield* loadYaml(yaml, { "users.properties": users })
        assert.strictEqual(settings.authentication.tokenTimeout, Number.MAX_SAFE_INTEGER)
        assert.strictEqual(settings.evaluationTimeout, 2_147_483_647)
      }
    })
  )
})

describe("The sample configuration of Gremlin Server", () => {
  // Its keys and class names, with the shipped values.
  const sample = (script: string) => `
host: localhost
port: 8182
evaluationTimeout: 30000
channelizer: org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer
graphs: {
  graph: conf/tinkergraph-empty.properties}
scriptEngines: {
  gremlin-groovy: {
    plugins: { org.apache.tinkerpop.gremlin.server.jsr223.GremlinServerGremlinPlugin: {},
               org.apache.tinkerpop.gremlin.tinkergraph.jsr223.TinkerGraphGremlinPlugin: {},
               org.apache.tinkerpop.gremlin.jsr223.ImportGremlinPlugin: {classImports: [java.lang.Math], methodImports: [java.lang.Math#*]},
               org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin: {files: [${script}]}}}}
serializers:
  - { className: org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV2, config: { ioRegistries: [a.TinkerIoRegistryV2] }}
  - { className: org.apache.tinkerpop.gremlin.driver.ser.GryoMessageSerializerV3d0 }
  - { className: org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1, config: { serializeResultToString: true }}
processors:
  - { className: org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor, config: { sessionTimeout: 1800000 }}
  - { className: org.apache.tinkerpop.gremlin.server.op.traversal.TraversalOpProcessor, config: { cacheExpirationTime: 600000, cacheMaxSize: 1000 }}
metrics: {
  consoleReporter: {enabled: true, interval: 180000},
  jmxReporter: {enabled: true}}
strictTransactionManagement: false
idleConnectionTimeout: 0
keepAliveInterval: 0
threadPoolWorker: 1
maxChunkSize: 8192
maxContentLength: 65536
ssl: {
  enabled: false}`
  const files = {
    "conf/tinkergraph-empty.properties": `${tinkerGraph}gremlin.tinkergraph.vertexIdManager=LONG\n`,
    "scripts/load.groovy":
      "def globals = [:]\nglobals << [hook : [ onStartUp: { ctx ->\n TinkerFactory.generateModern(graph)\n } ] as LifeCycleHook]\nglobals << [g : traversal().withEmbedded(graph).withStrategies(ReadOnlyStrategy)]"
  }

  it.effect("is accepted unchanged", () =>
    Effect.gen(function* () {
      const { notes, settings } = yield* loadYaml(sample("scripts/load.groovy"), files)
      assert.strictEqual(settings.channelizer, "WebSocketChannelizer")
      assert.strictEqual(settings.maxContentLength, 65_536)
      assert.strictEqual(settings.sessionTimeout, 1_800_000)
      assert.deepStrictEqual(settings.serializers, [
        { format: "graphson-v2", untyped: false, serializeResultToString: false },
        { format: "graphbinary-v1", untyped: false, serializeResultToString: true }
      ])
      const graph = settings.graphs.get("graph")
      assert.isTrue(graph?.factory.kind === "TinkerGraph" && graph.factory.tinkergraph.vertexIdManager === "LONG")
      assert.deepStrictEqual(
        settings.initialization?.scripts.map(({ text }) => text),
        [files["scripts/load.groovy"]]
      )
      assert.deepStrictEqual([...(settings.initialization?.defaultSources ?? [])], ["g", "graph_traversal"])
      const effectless = notes.filter(({ text }) => text.startsWith("Settings without effect here: "))
      assert.strictEqual(effectless.length, 1)
      const named = ["threadPoolWorker", "maxChunkSize", "metrics", "cacheMaxSize", "ioRegistries"]
      for (const name of named) assert.include(effectless[0]?.text, name)
      assert.notInclude(effectless[0]?.text, "ScriptFileGremlinPlugin")
      assert.notInclude(effectless[0]?.text, "ImportGremlinPlugin")
      assert.deepStrictEqual(settings.methodImports, ["java.lang.Math#*"])
      assert.include(notes.map(({ text }) => text).join(), "GryoMessageSerializerV3d0")
    })
  )

  it.effect("does not start without its initialisation script", () =>
    Effect.gen(function* () {
      const [problem] = yield* problemsOf(sample("scripts/gone.groovy"), files)
      assert.include(problem, "the initialisation script is missing: there is no file scripts/gone.groovy")
    })
  )
})

describe("Settings of serializers and script engines", () => {
  it.effect("without effect are listed in the same note", () =>
    Effect.gen(function* () {
      const yaml = `${graphs}
scriptEngines: {gremlin-groovy: {imports: [java.lang.Math], staticImports: [java.lang.Math.PI], config: {a: 1}}}
serializers:
  - {className: GraphBinaryMessageSerializerV1, config: {custom: [a.B;c.D], builder: a.B, serializeResultToString: false}}
  - {className: GraphSONMessageSerializerV1, config: {useMapperFromGraph: graph}}
`
      const { notes } = yield* loadYaml(yaml)
      assert.deepStrictEqual(
        notes.map(({ text }) => text),
        [
          "Settings without effect here: custom (no classes are loaded), builder (no classes are loaded), " +
            "useMapperFromGraph (the types of every graph are built in), imports (the server has no Groovy engine), " +
            "staticImports (the server has no Groovy engine), config (the server has no Groovy engine)"
        ]
      )
    })
  )

  it.effect("are refused with a suggestion when they are unknown", () =>
    Effect.gen(function* () {
      const yaml = `${graphs}serializers:\n  - {className: GraphSONMessageSerializerV3, config: {janusGraphType: true}}\n`
      assert.deepStrictEqual(yield* problemsOf(yaml), [
        "server.yaml:3 serializers[0].config.janusGraphType: there is no such setting; did you mean 'janusGraphTypes'?"
      ])
    })
  )
})

describe("The section graphs", () => {
  it.effect("refuses two graphs that write to one folder, and takes two readers or two graphs in memory", () =>
    Effect.gen(function* () {
      const yaml = "graphs: {one: a.properties, two: b.properties}\nchannelizer: WebSocketChannelizer\n"
      const folder = "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory="
      const files = (a: string, b: string) => ({ "a.properties": a, "b.properties": b })
      assert.deepStrictEqual(yield* problemsOf(yaml, files(`${folder}db\n`, `${folder}x/../db\n`)), [
        "server.yaml:1 graphs.two: this has the same storage.directory as 'one'; give each graph a folder, or one graph two traversal sources"
      ])
      const reader = `${folder}db\nstorage.read-only=true\n`
      const inMemory = "gremlin.graph=JanusGraphFactory\nstorage.backend=inmemory\n"
      for (const [a, b] of [
        [reader, reader],
        [inMemory, inMemory],
        [`${folder}one\n`, `${folder}two\n`]
      ] as const) {
        assert.strictEqual((yield* loadYaml(yaml, files(a, b))).settings.graphs.size, 2)
      }
    })
  )

  it.effect("binds graphs to g and g_<name> by default", () =>
    Effect.gen(function* () {
      const yaml = `
graphs:
  graph: graph.properties
  other: graph.properties
  third:
    configuration: graph.properties
    traversalSources:
      - {name: gthird}
      - {name: gread, gremlinExpression: g.withStrategies(ReadOnlyStrategy), language: gremlin-lang}
`
      const { settings } = yield* loadYaml(yaml)
      assert.deepStrictEqual(
        settings.traversalSources.map(({ name, graph, expression }) => [name, graph, expression]),
        [
          ["gthird", "third", undefined],
          ["gread", "third", "g.withStrategies(ReadOnlyStrategy)"],
          ["g", "graph", undefined],
          ["g_other", "other", undefined],
          ["graph_traversal", "graph", undefined],
          ["other_traversal", "other", undefined],
          ["third_traversal", "third", undefined]
        ]
      )
    })
  )

  it.effect("refuses a graph with the name of the default source of another one, which would get its requests", () =>
    Effect.gen(function* () {
      const both =
        "graphs: {graph: graph.properties, g: graph.properties, a: graph.properties, g_a: graph.properties}\n"
      assert.deepStrictEqual(yield* problemsOf(both), [
        "server.yaml:1 graphs.g: has the name of the traversal source of the graph 'graph', whose traversals it would get; rename it, " +
          "or name a source in graphs.graph.traversalSources",
        "server.yaml:1 graphs.g_a: has the name of the traversal source of the graph 'a', whose traversals it would get; rename it, or " +
          "name a source in graphs.a.traversalSources"
      ])
      const scripted = yield* problemsOf(
        "graphs: {graph: graph.properties, g: graph.properties}\ndataScripts: scripts\n",
        {
          "scripts/bind.groovy": "globals << [h: graph.traversal()]"
        }
      )
      assert.include(
        scripted.join(),
        "whose traversals it would get (a source that a script binds does not count); rename it"
      )
      const alone = yield* loadYaml("graphs: {g: graph.properties}\n")
      assert.deepStrictEqual(
        alone.settings.traversalSources.map(({ name }) => name),
        ["g_g", "g_traversal"]
      )
      const named =
        "graphs: {g: graph.properties, graph: {configuration: graph.properties, traversalSources: [{name: h}]}}\n"
      assert.include(
        (yield* loadYaml(named)).settings.traversalSources.map(({ name }) => name),
        "h"
      )
    })
  )

  it.effect("allows a TinkerFactoryDataLoader to fill graphs", () =>
    Effect.gen(function* () {
      const loader = "org.apache.tinkerpop.gremlin.server.util.TinkerFactoryDataLoader"
      const hook = (config: string) => `${graphs}lifecycleHooks:\n  - {className: ${loader}, config: ${config}}\n`
      const { settings } = yield* loadYaml(hook("{graph: graph, dataset: crew}"))
      assert.deepStrictEqual(settings.datasets, [{ graph: "graph", dataset: "crew", file: undefined }])
      assert.deepStrictEqual(yield* problemsOf(hook("{graph: nope, dataset: moden}")), [
        "server.yaml:3 lifecycleHooks[0].config.graph: there is no graph 'nope' in graphs",
        "server.yaml:3 lifecycleHooks[0].config.dataset: must be one of modern, classic, crew, sink, grateful, not 'moden'"
      ])
      assert.deepStrictEqual(yield* problemsOf(hook("{graph: graph, dataset: grateful}")), [
        "server.yaml:3 lifecycleHooks[0].config.file: is missing; grateful is read from a file you name (GraphSON, GraphML or Gryo)"
      ])
    })
  )

  const graphProblems = (properties: string) => problemsOf(graphs, { "graph.properties": properties })

  it.effect("requires a factory and the options of its backend", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* graphProblems("storage.backend=inmemory\n"), [
        "graph.properties engine.graph: is missing; set it to a graph factory: TinkerGraph, TinkerTransactionGraph, JanusGraphFactory, or the path of an ES module"
      ])
      assert.deepStrictEqual(yield* graphProblems("engine.graph=org.example.TinkerGraf\n"), [
        "graph.properties:1 engine.graph: 'org.example.TinkerGraf' is not a graph factory of this server; did you mean 'TinkerGraph'?"
      ])
      assert.deepStrictEqual(yield* graphProblems("engine.graph=JanusGraphFactory\n"), [
        "graph.properties storage.backend: is missing; one of inmemory, lmdb, berkeleyje, cql, scylla"
      ])
      assert.deepStrictEqual(yield* graphProblems("engine.graph=JanusGraphFactory\nstorage.backend=hbase\n"), [
        "graph.properties:2 storage.backend: 'hbase' is not a backend of this server; one of inmemory, lmdb, berkeleyje, cql, scylla is expected"
      ])
      for (const [backend, partitions] of [
        ["cql\nstorage.hostname=a\nstorage.cql.keyspace=k", 3],
        ["lmdb\nstorage.directory=db", 131_072],
        ["inmemory", 1]
      ]) {
        const lines = `engine.graph=JanusGraphFactory\ncluster.max-partitions=${partitions}\nstorage.backend=${backend}\n`
        assert.deepStrictEqual(yield* graphProblems(lines), [
          `graph.properties:2 cluster.max-partitions: must be a power of two from 2 to 65536, not '${partitions}'`
        ])
      }
      assert.deepStrictEqual(yield* graphProblems("engine.graph=JanusGraphFactory\nstorage.backend=cql\n"), [
        "graph.properties storage.hostname: is missing; cql connects there",
        "graph.properties storage.cql.keyspace: is missing; cql keeps the graph in that keyspace. JanusGraph's default is janusgraph"
      ])
      assert.deepStrictEqual(
        yield* graphProblems("engine.graph=JanusGraphFactory\nstorage.backend=inmemory\nstorage.directory=db\n"),
        [
          "graph.properties:3 storage.directory: a graph in memory stores nothing on disk; remove this line, or set storage.backend=lmdb"
        ]
      )
      assert.deepStrictEqual(
        yield* graphProblems("engine.graph=JanusGraphFactory\nstorage.backend=inmemory\nstorage.read-only=true\n"),
        [
          "graph.properties:3 storage.read-only: a read-only graph in memory would stay empty; remove this line, or add the strategy to the source: gremlinExpression: g.withStrategies(ReadOnlyStrategy)"
        ]
      )
      assert.deepStrictEqual(
        yield* graphProblems(`${tinkerGraph}storage.directory=db\ngremlin.tinkergraph.vertexIdManger=LONG`),
        [
          "graph.properties:2 storage.directory: a TinkerGraph has no storage; remove this line, or set engine.graph=JanusGraphFactory",
          "graph.properties:3 engine.tinkergraph.vertexIdManger: is not an option of TinkerGraph; did you mean 'engine.tinkergraph.vertexIdManager'?"
        ]
      )
    })
  )

  it.effect("accepts JanusGraph's other options, and lists those without effect in one note", () =>
    Effect.gen(function* () {
      const properties =
        "gremlin.graph=org.janusgraph.core.JanusGraphFactory\nstorage.backend=inmemory\nstorage.buffer-size=1\ncache.db-cache=true\n"
      const { notes, settings } = yield* loadYaml(graphs, { "graph.properties": properties })
      assert.strictEqual(settings.graphs.get("graph")?.options.get("cache.db-cache"), "true")
      assert.strictEqual(notes.length, 1)
      assert.include(notes[0]?.text, "options without effect here: storage.buffer-size")
      assert.deepStrictEqual(yield* graphProblems(`${properties}strage.x=1\n`), [
        "graph.properties:5 strage.x: is not an option of a graph"
      ])
    })
  )

  it.effect("refuses unknown options, with a suggestion", () =>
    Effect.gen(function* () {
      const lmdb = "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\n"
      assert.deepStrictEqual(yield* graphProblems(`${lmdb}storage.directroy=db\nschema.defualt=none\n`), [
        "graph.properties:3 storage.directroy: is not an option of a graph; did you mean 'storage.directory'?",
        "graph.properties:4 schema.defualt: is not an option of a graph; did you mean 'schema.default'?",
        "graph.properties storage.directory: is missing; lmdb keeps the graph there"
      ])
      assert.deepStrictEqual(yield* graphProblems(`${lmdb}storage.directory=db\nstorage.drectory=db\n`), [
        "graph.properties:4 storage.drectory: is not an option of a graph; did you mean 'storage.directory'?"
      ])
      assert.deepStrictEqual(yield* graphProblems(`${lmdb}storage.directory=db\ntx.log-tx=true\n`), [
        "graph.properties:4 tx.log-tx: JanusGraph's transaction recovery reads this log from a keyspace of Cassandra; here a commit is written as a whole or not at all, so remove the line, or set storage.backend=cql"
      ])
      // A typing error in a required option is found, too.
      assert.deepStrictEqual(yield* graphProblems("gremlin.graph=JanusGraphFactory\nstorage.backnd=lmdb\n"), [
        "graph.properties:2 storage.backnd: is not an option of a graph; did you mean 'storage.backend'?",
        "graph.properties storage.backend: is missing; one of inmemory, lmdb, berkeleyje, cql, scylla"
      ])
      assert.deepStrictEqual(
        yield* problemsOf(
          graphs,
          { "graph.properties": `${lmdb}storage.directory=db\n` },
          { environment: { "janusgraph.schema.defualt": "none", "janusgraph.strage.directory": "x" } }
        ),
        [
          "environment variable janusgraph.schema.defualt schema.defualt: is not an option of a graph; did you mean 'schema.default'?",
          "environment variable janusgraph.strage.directory strage.directory: is not an option of a graph; did you mean 'storage.directory'?"
        ]
      )
    })
  )

  it.effect("refuses a repeated option without list values, and one without its required value", () =>
    Effect.gen(function* () {
      const lmdb = "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\n"
      assert.deepStrictEqual(yield* graphProblems(`${lmdb}storage.directory=a\nstorage.directory=b\n`), [
        "graph.properties:4 storage.directory: is given twice, first on line 3; keep one of the two"
      ])
      assert.deepStrictEqual(yield* graphProblems(`${lmdb}storage.directory=\n`), [
        "graph.properties:3 storage.directory: is empty; give it a value, or remove the line"
      ])
    })
  )

  it.effect("warns of options without effect whose absence changes the behaviour of the graph", () =>
    Effect.gen(function* () {
      const notesOf = (...lines: ReadonlyArray<string>) =>
        Effect.map(
          loadYaml(graphs, { "graph.properties": ["gremlin.graph=JanusGraphFactory", ...lines].join("\n") }),
          ({ notes }) => notes.map(({ level, text }) => `${level} ${text.replace(/^.*\//, "")}`)
        )
      const lmdb = ["storage.backend=lmdb", "storage.directory=db"]
      assert.deepStrictEqual(
        yield* notesOf(
          ...lmdb,
          "schema.init.drop-before-startup=true",
          "storage.batch-loading=true",
          "tx.log-tx=false"
        ),
        [
          "info graph.properties: options without effect here: tx.log-tx",
          "warn graph.properties:4: schema.init.drop-before-startup has no effect here: nothing is dropped; the graph keeps its data",
          "warn graph.properties:5: storage.batch-loading has no effect here: all checks stay on, and types are made as schema.default says; 'engine-server import' loads in bulk"
        ]
      )
      assert.deepStrictEqual(
        yield* notesOf(...lmdb, "index.search.backend=elasticsearch", "index.search.hostname=es"),
        [
          "info graph.properties: options without effect here: index.search.hostname",
          "warn graph.properties:4: index.search.backend has no effect here: mixed indexes are kept in the graph's own store; the index backend is neither read nor written"
        ]
      )
      assert.deepStrictEqual(yield* notesOf(...lmdb, "metrics.enabled=true", "metrics.csv.interval=1000"), [
        "warn graph.properties:4: metrics.enabled has no effect here: Prometheus reads the measurements of this server",
        "warn graph.properties:5: metrics.csv.interval has no effect here: no reporter runs; Prometheus reads the measurements of this server"
      ])
      const cql = ["storage.backend=cql", "storage.hostname=h", "storage.cql.keyspace=k"]
      const engine = ["index.search.backend=elasticsearch", "index.search.hostname=es"]
      assert.deepStrictEqual(
        yield* notesOf(...cql, ...engine, "index.search.elasticsearch.health-request-timeout=1s"),
        ["info graph.properties: options without effect here: index.search.elasticsearch.health-request-timeout"]
      )
      const elastic = "index.search.elasticsearch"
      const own = [`${elastic}.ingest-pipeline.people=p`, `${elastic}.create.use-external-mappings=true`]
      assert.deepStrictEqual(yield* notesOf(...cql, ...engine, ...own), [
        `warn graph.properties:7: ${elastic}.ingest-pipeline.people has no effect here: documents are written without a pipeline of the engine`,
        `warn graph.properties:8: ${elastic}.create.use-external-mappings has no effect here: a new mixed index is made in the engine with JanusGraph's mapping, unless the engine has it already`
      ])
      assert.deepStrictEqual(yield* notesOf(...cql, "graph.timestamps=NANO"), [
        "warn graph.properties:5: graph.timestamps has no effect here: cells have microseconds"
      ])
      assert.deepStrictEqual(yield* notesOf(...lmdb, "graph.timestamps=NANO"), [
        "info graph.properties: options without effect here: graph.timestamps"
      ])
      assert.deepStrictEqual(
        yield* notesOf(
          "storage.backend=inmemory",
          "storage.memory.schema=false",
          "schema.default=none",
          "query.force-index=false"
        ),
        [
          "info graph.properties: options without effect here: query.force-index",
          "warn graph.properties:4: schema.default has no effect here: a graph in memory with storage.memory.schema=false has no schema and no such options"
        ]
      )
    })
  )

  it.effect("accepts JanusGraph's names for the options of this server", () =>
    Effect.gen(function* () {
      const lines = ["gremlin.graph=JanusGraphFactory", "storage.backend=cql", "storage.hostname=h"]
      const tls = ["storage.cql.keyspace=k", "storage.cql.ssl.enabled=true", "storage.cql.ssl.hostname_validation=true"]
      const { settings } = yield* loadYaml(graphs, {
        "graph.properties": [...lines, ...tls, "schema.logging=true"].join("\n")
      })
      const factory = settings.graphs.get("graph")?.factory
      assert.strictEqual(factory?.kind, "JanusGraphFactory")
      if (factory?.kind !== "JanusGraphFactory") return
      assert.isTrue(factory.storage.cql?.tls?.hostnameValidation)
      assert.isTrue(factory.cells?.logsTypes)
    })
  )

  it.effect("limit the memory only of a graph without a schema", () =>
    Effect.gen(function* () {
      const lines = "gremlin.graph=JanusGraphFactory\nstorage.backend=inmemory\nstorage.memory.max-bytes=1000000\n"
      assert.deepStrictEqual(yield* graphProblems(lines), [
        "graph.properties:3 storage.memory.max-bytes: limits a graph without a schema; add storage.memory.schema=false, or remove this line"
      ])
      const { settings } = yield* loadYaml(graphs, { "graph.properties": `${lines}storage.memory.schema=false\n` })
      assert.isTrue(settings.graphs.has("graph"))
    })
  )

  it.effect("lists the options that a backend does not have", () =>
    Effect.gen(function* () {
      const shared = "gremlin.graph=JanusGraphFactory\ngraph.graphname=a\nstorage.hostname=h\nstorage.cql.keyspace=k\n"
      const notesOf = (properties: string) =>
        Effect.map(loadYaml(graphs, { "graph.properties": shared + properties }), ({ notes }) =>
          notes.map(({ text }) => text.slice(text.indexOf("here: ")))
        )
      assert.deepStrictEqual(
        yield* notesOf("storage.backend=inmemory\nstorage.read-only=false\nstorage.lmdb.sync=none\n"),
        ["here: graph.graphname, storage.hostname, storage.cql.keyspace, storage.read-only, storage.lmdb.sync"]
      )
      assert.deepStrictEqual(
        yield* notesOf("storage.backend=inmemory\nstorage.memory.schema=false\nschema.default=none\n"),
        [
          "here: graph.graphname, storage.hostname, storage.cql.keyspace",
          "here: a graph in memory with storage.memory.schema=false has no schema and no such options"
        ]
      )
      assert.deepStrictEqual(yield* notesOf("storage.backend=inmemory\nschema.default=none\n"), [
        "here: graph.graphname, storage.hostname, storage.cql.keyspace"
      ])
      const lmdb =
        "storage.backend=lmdb\nstorage.directory=db\nstorage.read-only=true\nstorage.username=u\nstorage.memory.max-bytes=9\n"
      assert.deepStrictEqual(yield* notesOf(lmdb), [
        "here: storage.hostname, storage.cql.keyspace, storage.username, storage.memory.max-bytes"
      ])
      assert.deepStrictEqual(yield* notesOf("storage.backend=cql\nstorage.port=9042\nstorage.directory=db\n"), [
        "here: storage.directory"
      ])
    })
  )

  it.effect("reads options from the environment, too", () =>
    Effect.gen(function* () {
      const environment = { "janusgraph.storage.read-only": "true" }
      const properties = "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=db\n"
      const { settings } = yield* loadYaml(graphs, { "graph.properties": properties }, { environment })
      const graph = settings.graphs.get("graph")
      assert.isTrue(graph?.factory.kind === "JanusGraphFactory" && graph.factory.storage.readOnly)
      assert.deepStrictEqual(graph?.origins.get("storage.read-only"), {
        kind: "environment",
        variable: "janusgraph.storage.read-only"
      })
    })
  )

  it.effect(
    "takes the options of the environment if it has the configurations of graphs, and no graph is the default",
    () =>
      Effect.gen(function* () {
        const properties = (name: string) =>
          `gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=${name}\n`
        const files = {
          "a.properties": properties("a"),
          "b.properties": properties("b"),
          "c.properties": properties("c")
        }
        const environment = { "janusgraph.storage.read-only": "true", JANUSGRAPH__IDS__BLOCK_SIZE: "7" }
        const load = (yaml: string) => loadYaml(`graphs: {${yaml}}\n`, files, { environment })
        const readOnly = ({ settings }: LoadedConfig): ReadonlyArray<string> =>
          [...settings.graphs.values(), settings.configurationGraph]
            .filter((graph) => graph?.options.get("storage.read-only") === "true")
            .map((graph) => graph!.name)
        const managed = "ConfigurationManagementGraph: c.properties"
        assert.deepStrictEqual(readOnly(yield* load(managed)), ["ConfigurationManagementGraph"])
        assert.deepStrictEqual(readOnly(yield* load(`x: a.properties, y: b.properties, ${managed}`)), [
          "ConfigurationManagementGraph"
        ])
        assert.deepStrictEqual(readOnly(yield* load(`x: a.properties, ${managed}`)), ["x"])
        assert.deepStrictEqual(readOnly(yield* load("x: a.properties, graph: b.properties")), ["graph"])
        const unused = yield* load("x: a.properties, y: b.properties")
        assert.deepStrictEqual(readOnly(unused), [])
        const reason =
          "has no effect: it is an option of the graph named 'graph' or of the only graph, and there is none"
        assert.deepStrictEqual(
          unused.notes.filter(({ level }) => level === "warn").map(({ text }) => text),
          [
            `environment variable JANUSGRAPH__IDS__BLOCK_SIZE: ids.block-size ${reason}`,
            `environment variable janusgraph.storage.read-only: storage.read-only ${reason}`
          ]
        )
      })
  )

  it.effect("joins the values of a repeated option", () =>
    Effect.gen(function* () {
      const service = "gremlin.tinkergraph.service=a.One\ngremlin.tinkergraph.service=a.Two\n"
      const { settings } = yield* loadYaml(graphs, { "graph.properties": tinkerGraph + service })
      assert.strictEqual(settings.graphs.get("graph")?.options.get("engine.tinkergraph.service"), "a.One,a.Two")
    })
  )
})

describe("The order of sources", () => {
  const yaml = `${graphs}port: 1\ngremlinPool: 2\nserializers:\n  - {className: GraphSONMessageSerializerV1}\n`

  it.effect("is file, environment, command line", () =>
    Effect.gen(function* () {
      const environment = {
        "gremlinserver.gremlinPool": "4",
        ENGINESERVER__PORT: "5",
        "engineserver.maxWorkQueueSize": "6"
      }
      const argument = overrideFromArgument("port=7")
      assert.isDefined(argument)
      const { settings, origins } = yield* loadYaml(yaml, {}, { environment, overrides: [argument] })
      assert.deepStrictEqual([settings.port, settings.enginePool, settings.maxWorkQueueSize], [7, 4, 6])
      assert.strictEqual(origins.get("port")?.kind, "argument")
      assert.deepStrictEqual(origins.get("enginePool"), { kind: "environment", variable: "gremlinserver.gremlinPool" })
    })
  )

  it.effect("holds for lists and blocks, too", () =>
    Effect.gen(function* () {
      const environment = {
        "gremlinserver.serializers[+]": "{className: GraphBinaryMessageSerializerV1}",
        "gremlinserver%d.port": "",
        ENGINESERVER__LOGGING__FORMAT: "json",
        "engineserver.graphs.more": "graph.properties"
      }
      const { settings } = yield* loadYaml(yaml, {}, { environment })
      assert.deepStrictEqual(
        settings.serializers.map(({ format }) => format),
        ["graphson-v1", "graphbinary-v1"]
      )
      assert.strictEqual(settings.port, 8182)
      assert.strictEqual(settings.logging.format, "json")
      assert.deepStrictEqual([...settings.graphs.keys()], ["graph", "more"])
    })
  )

  it.effect(
    "replaces only the file of a graph that also has sources, and adds sources to one that is only a file",
    () =>
      Effect.gen(function* () {
        const source = "{name: g, gremlinExpression: g.withStrategies(ReadOnlyStrategy)}"
        const long = `graphs:\n  graph:\n    configuration: graph.properties\n    traversalSources:\n      - ${source}\n`
        const expected = ["b.properties", "g.withStrategies(ReadOnlyStrategy)"]
        const files = { "b.properties": tinkerGraph }
        const found = ({ settings }: LoadedConfig) => [
          settings.graphs.get("graph")?.file?.replace(/^.*\//, ""),
          settings.traversalSources.find(({ name }) => name === "g")?.expression
        ]
        for (const variable of ["engineserver.graphs.graph", "ENGINESERVER__GRAPHS__GRAPH"]) {
          const environment = { [variable]: "b.properties" }
          assert.deepStrictEqual(found(yield* loadYaml(long, files, { environment })), expected)
          const [problem] = yield* problemsOf(long, {}, { environment })
          assert.include(problem, `environment variable ${variable} graphs.graph: there is no file b.properties`)
        }
        const argument = overrideFromArgument("graphs.graph=b.properties")!
        assert.deepStrictEqual(found(yield* loadYaml(long, files, { overrides: [argument] })), expected)
        const added = {
          "engineserver.graphs.graph": "b.properties",
          "engineserver.graphs.graph.traversalSources[+]": source
        }
        assert.deepStrictEqual(found(yield* loadYaml(graphs, files, { environment: added })), expected)
      })
  )

  it.effect("appears in problems as the variable or argument", () =>
    Effect.gen(function* () {
      const argument = overrideFromArgument("prot=7")
      assert.isDefined(argument)
      const environment = { ENGINESERVER__ENGINEPOOL: "many", "engineserver.hst": "x" }
      assert.deepStrictEqual(yield* problemsOf(graphs, {}, { environment, overrides: [argument] }), [
        "environment variable engineserver.hst hst: there is no such setting; did you mean 'host'?",
        "argument --set prot prot: there is no such setting; did you mean 'port'?",
        "environment variable ENGINESERVER__ENGINEPOOL enginePool: must be a whole number of 0 or more, not 'many'"
      ])
    })
  )
})

describe("The section authentication", () => {
  const users = { "users.properties": `${tinkerGraph}gremlin.tinkergraph.vertexIdManager=LONG\n` }
  const file = (channelizer: string, authentication: string) =>
    `${graphs}channelizer: ${channelizer}\nauthentication: ${authentication}\n`

  it.effect("chooses the handler that fits authenticator and channelizer", () =>
    Effect.gen(function* () {
      const handler = (channelizer: string, authenticator: string) =>
        loadYaml(
          file(
            channelizer,
            `{authenticator: org.x.${authenticator}, config: {credentialsDb: users.properties, hmacSecret: s}}`
          ),
          users
        ).pipe(Effect.map(({ settings }) => settings.authentication.authenticationHandler))
      assert.strictEqual(yield* handler("WebSocketChannelizer", "SimpleAuthenticator"), "SaslAuthenticationHandler")
      assert.strictEqual(yield* handler("HttpChannelizer", "SimpleAuthenticator"), "HttpBasicAuthenticationHandler")
      const both = yield* handler("WsAndHttpChannelizer", "JanusGraphSimpleAuthenticator")
      assert.strictEqual(both, "SaslAndHttpBasicAuthenticationHandler")
      const hmac = yield* handler("WsAndHttpChannelizer", "SaslAndHMACAuthenticator")
      assert.strictEqual(hmac, "SaslAndHMACAuthenticationHandler")
    })
  )

  it.effect("stops the start when a transport is left open", () =>
    Effect.gen(function* () {
      const config = "config: {credentialsDb: users.properties, hmacSecret: s}"
      const problems = (channelizer: string, authenticator: string, handler: string) =>
        problemsOf(
          file(channelizer, `{authenticator: ${authenticator}, authenticationHandler: ${handler}, ${config}}`),
          users
        )
      assert.deepStrictEqual(
        yield* problems("WsAndHttpChannelizer", "SimpleAuthenticator", "HttpBasicAuthenticationHandler"),
        [
          "server.yaml:3 authentication.authenticationHandler: HttpBasicAuthenticationHandler leaves WebSocket of WsAndHttpChannelizer without authentication; choose another handler or another channelizer"
        ]
      )
      assert.deepStrictEqual(
        yield* problems("WebSocketChannelizer", "SimpleAuthenticator", "SaslAndHMACAuthenticationHandler"),
        [
          "server.yaml:3 authentication.authenticationHandler: SaslAndHMACAuthenticationHandler works with SaslAndHMACAuthenticator, not with SimpleAuthenticator"
        ]
      )
      assert.deepStrictEqual(
        yield* problemsOf(file("WebSocketChannelizer", "{authenticationHandler: SaslAuthenticationHandler}"), users),
        [
          "server.yaml:3 authentication.authenticationHandler: has no effect without an authenticator: set authentication.authenticator, or remove this line"
        ]
      )
    })
  )

  it.effect("reports every wrong combination", () =>
    Effect.gen(function* () {
      const config = "config: {credentialsDb: users.properties, hmacSecret: s}"
      const wrong = [
        [
          "HttpChannelizer",
          "SimpleAuthenticator",
          "SaslAuthenticationHandler",
          "leaves HTTP of HttpChannelizer without authentication"
        ],
        ["WebSocketChannelizer", "SimpleAuthenticator", "HttpBasicAuthenticationHandler", "leaves WebSocket of"],
        ["UnifiedChannelizer", "SimpleAuthenticator", "SaslAuthenticationHandler", "leaves HTTP of UnifiedChannelizer"],
        ["WsAndHttpChannelizer", "HMACAuthenticator", "HttpHMACAuthenticationHandler", "leaves WebSocket of"],
        [
          "HttpChannelizer",
          "HMACAuthenticator",
          "HttpBasicAuthenticationHandler",
          "works with SimpleAuthenticator, not"
        ],
        ["WebSocketChannelizer", "HMACAuthenticator", "HttpHMACAuthenticationHandler", "leaves WebSocket of"],
        [
          "HttpChannelizer",
          "SaslAndHMACAuthenticator",
          "SaslAndHMACAuthenticationHandler",
          "on one port, and HttpChannelizer"
        ],
        [
          "WebSocketChannelizer",
          "SaslAndHMACAuthenticator",
          "SaslAndHMACAuthenticationHandler",
          "on one port, and WebSocket"
        ],
        [
          "WsAndHttpChannelizer",
          "SaslAndHMACAuthenticator",
          "SaslAuthenticationHandler",
          "works with SimpleAuthenticator, not"
        ]
      ] as const
      for (const [channelizer, authenticator, handler, reason] of wrong) {
        const yaml = file(
          channelizer,
          `{authenticator: a.${authenticator}, authenticationHandler: b.${handler}, ${config}}`
        )
        assert.include((yield* problemsOf(yaml, users)).join(), reason, `${channelizer} ${authenticator} ${handler}`)
      }
      const unknown = file("HttpChannelizer", `{authenticator: org.example.MyAuthenticator, ${config}}`)
      assert.include((yield* problemsOf(unknown, users)).join(), "'MyAuthenticator' is not known here")
      const prefixed = file("HttpChannelizer", `{authenticator: org.example.JanusGraphMyAuthenticator, ${config}}`)
      assert.include((yield* problemsOf(prefixed, users)).join(), "'JanusGraphMyAuthenticator' is not known here")
    })
  )

  it.effect("accepts times as Java's Long", () =>
    Effect.gen(function* () {
      const times = (config: string) =>
        loadYaml(
          file(
            "HttpChannelizer",
            `{authenticator: HMACAuthenticator, config: {credentialsDb: users.properties, hmacSecret: s${config}}}`
          ),
          users
        ).pipe(Effect.map(({ settings: { authentication } }) => authentication))
      assert.include(yield* times(""), { tokenTimeout: 3_600_000, authenticationTimeout: 5_000 })
      const years = yield* times(", tokenTimeout: 315360000000L, authenticationTimeout: 100")
      assert.include(years, { tokenTimeout: 315_360_000_000, authenticationTimeout: 100 })
    })
  )

  it.effect("limits failed passwords of each user also without a limit of addresses", () =>
    Effect.gen(function* () {
      const load = (config: string) =>
        loadYaml(
          file(
            "HttpChannelizer",
            `{authenticator: SimpleAuthenticator, config: {credentialsDb: users.properties${config}}}`
          ),
          users
        )
      const limits = (config: string) => Effect.map(load(config), ({ settings }) => settings.authentication)
      assert.include(yield* limits(""), { maxFailures: 30, maxUserFailures: 150 })
      assert.include(yield* limits(", maxFailures: 5"), { maxFailures: 5, maxUserFailures: 150 })
      assert.include(yield* limits(", maxFailures: 1000"), { maxFailures: 1_000, maxUserFailures: 5_000 })
      assert.include(yield* limits(", maxFailures: 0"), { maxFailures: 0, maxUserFailures: 150 })
      assert.include(yield* limits(", maxUserFailures: 0"), { maxFailures: 30, maxUserFailures: 0 })
      const noted = (config: string) => Effect.map(load(config), ({ notes }) => notes.map(({ text }) => text).join())
      for (const low of [", maxUserFailures: 30", ", maxFailures: 1000, maxUserFailures: 150"]) {
        assert.match(yield* noted(low), /maxUserFailures: .* one address can use up the attempts of a user name/)
      }
      const enough = ["", ", maxFailures: 1000", ", maxUserFailures: 31", ", maxUserFailures: 0"]
      const unlimited = ", maxFailures: 0, maxUserFailures: 10"
      for (const config of [...enough, unlimited]) assert.notInclude(yield* noted(config), "maxUserFailures")
    })
  )

  it.effect("shows no secret in a message, however it is misspelt", () =>
    Effect.gen(function* () {
      const values = [
        "*s3",
        '"s3',
        "s3: x",
        "[s3",
        "[s3]",
        "{a: s3}",
        "@s3",
        "`s3",
        "%s3",
        "!s3 x",
        "|s3",
        ">s3",
        "s3]",
        "'s3"
      ]
      for (const key of ["defaultPassword", "hmacSecret", "hmacSecrets"]) {
        for (const value of values) {
          const yaml = `${graphs}authentication:\n  authenticator: SimpleAuthenticator\n  config:\n    ${key}: ${value}\n`
          assert.notInclude((yield* problemsOf(yaml)).join(), "s3", `${key}: ${value}`)
        }
        const overrides = [overrideFromArgument(`authentication.config.${key}[0]=s3`)!]
        assert.notInclude((yield* problemsOf(graphs, {}, { overrides })).join(), "s3")
      }
    })
  )

  it.effect("reports missing settings", () =>
    Effect.gen(function* () {
      const yaml = file(
        "WsAndHttpChannelizer",
        "{authenticator: SaslAndHMACAuthenticator, config: {defaultUsername: u}}"
      )
      assert.deepStrictEqual(yield* problemsOf(yaml, users), [
        "server.yaml:3 authentication.config.credentialsDb: is missing; SaslAndHMACAuthenticator keeps its users in that graph",
        "server.yaml:3 authentication.config.hmacSecret: is missing; SaslAndHMACAuthenticator signs its tokens with it",
        "server.yaml:3 authentication.config.defaultPassword: is missing; set both defaultUsername and defaultPassword, or neither"
      ])
    })
  )

  it.effect("has an authenticator if it has a configuration", () =>
    Effect.gen(function* () {
      const forgotten = "{config: {credentialsDb: users.properties, defaultUsername: u, defaultPassword: p}}"
      assert.deepStrictEqual(yield* problemsOf(file("HttpChannelizer", forgotten), users), [
        "server.yaml:3 authentication.authenticator: is missing, and config.defaultUsername has no effect without it; name the authenticator, such as SimpleAuthenticator, or AllowAllAuthenticator to leave the server open"
      ])
      for (const open of [
        "{}",
        "{config: {}}",
        "{authenticator: AllowAllAuthenticator, config: {defaultRole: reader}}"
      ]) {
        const { settings } = yield* loadYaml(file("HttpChannelizer", open))
        assert.strictEqual(settings.authentication.authenticator, "AllowAllAuthenticator")
      }
    })
  )

  it.effect("keeps its other settings beside AllowAllAuthenticator, which a note names", () =>
    Effect.gen(function* () {
      const open =
        "{authenticator: AllowAllAuthenticator, authenticationHandler: SaslAuthenticationHandler, " +
        "config: {credentialsDb: missing.properties, defaultUsername: u}}"
      const { notes, settings } = yield* loadYaml(file("HttpChannelizer", open))
      assert.strictEqual(settings.authentication.authenticator, "AllowAllAuthenticator")
      assert.isUndefined(settings.authentication.authenticationHandler)
      assert.isUndefined(settings.authentication.credentialsDb)
      assert.include(
        notes.map(({ text }) => text).join(),
        "server.yaml:3: authentication.authenticator: AllowAllAuthenticator asks nobody for a password, so these settings beside it have " +
          "no effect: authenticationHandler, config.defaultUsername, config.credentialsDb"
      )
    })
  )

  it.effect("closes the users to clients also beside AllowAllAuthenticator", () =>
    Effect.gen(function* () {
      const open =
        "{authenticator: AllowAllAuthenticator, config: {credentialsDb: users.properties, defaultUsername: u}}"
      const stored = {
        "users.properties":
          "gremlin.graph=TinkerGraph\ngremlin.tinkergraph.graphLocation=/data/users.kryo\ngremlin.tinkergraph.graphFormat=gryo\n"
      }
      const { notes, settings } = yield* loadYaml(file("HttpChannelizer", open), stored)
      assert.isDefined(settings.authentication.credentialsDb)
      assert.include([...closedFiles(settings)], "/data/users.kryo")
      assert.match(notes.map(({ text }) => text).join("\n"), /have no effect: config\.defaultUsername$/m)
      assert.match(
        (yield* problemsOf(file("HttpChannelizer", open.replace("users.", "graph.")))).join(),
        /the same data|served graph/
      )
    })
  )

  it.effect("has a default role only with an authorizer that knows roles", () =>
    Effect.gen(function* () {
      const simple =
        "{authenticator: SimpleAuthenticator, config: {credentialsDb: users.properties, defaultRole: reader}}"
      const files = { ...users, "mine.mjs": "" }
      for (const authorization of ["", "authorization: {authorizer: ./mine.mjs}\n"]) {
        assert.deepStrictEqual(yield* problemsOf(`${file("HttpChannelizer", simple)}${authorization}`, files), [
          "server.yaml:3 authentication.config.defaultRole: has no effect: only RoleAuthorizer knows roles. Set authorization.authorizer to it, or remove this line"
        ])
      }
      const yaml = `${file("HttpChannelizer", simple)}authorization: {authorizer: RoleAuthorizer}\n`
      assert.strictEqual((yield* loadYaml(yaml, users)).settings.authentication.defaultRole, "reader")
    })
  )

  it.effect("refuses a graph of users that clients can query", () =>
    Effect.gen(function* () {
      const yaml = file(
        "HttpChannelizer",
        "{authenticator: SimpleAuthenticator, config: {credentialsDb: graph.properties}}"
      )
      const [problem] = yield* problemsOf(yaml)
      assert.include(problem, "this has the same data as the served graph 'graph'")
      const named = file("HttpChannelizer", "{authenticator: SimpleAuthenticator, config: {credentialsDb: graph}}")
      assert.deepStrictEqual(yield* problemsOf(named), [
        "server.yaml:3 authentication.config.credentialsDb: names a served graph; name the properties file of a separate graph for users"
      ])
      const folder = "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory="
      const shared = `graphs: {graph: a.properties}\nchannelizer: HttpChannelizer\nauthentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: b.properties}}\n`
      const [same] = yield* problemsOf(shared, {
        "a.properties": `${folder}db\n`,
        "b.properties": `${folder}x/../db\n`
      })
      assert.include(same, "this has the same data as the served graph 'graph'")
    })
  )
})

describe("The graphs that clients must not reach", () => {
  const cql = (host: string, keyspace: string) =>
    `gremlin.graph=JanusGraphFactory\nstorage.backend=cql\nstorage.hostname=${host}\nstorage.cql.keyspace=${keyspace}\n`

  it.effect("have a keyspace with a name of its own, whatever the contact points are", () =>
    Effect.gen(function* () {
      const yaml =
        "graphs: {graph: a.properties, ConfigurationManagementGraph: c.properties}\nchannelizer: HttpChannelizer\n" +
        "authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: b.properties}}\n"
      const problems = (users: string, configurations: string) =>
        problemsOf(yaml, {
          "a.properties": cql("10.0.0.1", "people"),
          "b.properties": cql("10.0.0.2", users),
          "c.properties": cql("10.0.0.3", configurations)
        })
      assert.deepStrictEqual(yield* problems("People", "people"), [
        "server.yaml:1 graphs.ConfigurationManagementGraph: this has a keyspace of the same name as 'graph', and different hosts may be of one cluster; give the configurations of graphs a separate graph, with another storage.cql.keyspace in its properties file",
        "server.yaml:3 authentication.config.credentialsDb: this has a keyspace of the same name as the served graph 'graph', and different hosts may be of one cluster, where clients could read and change the users; give the users a separate graph, with another storage.cql.keyspace in its properties file"
      ])
      assert.lengthOf(yield* problems("users", "users"), 1)
    })
  )
})

describe("Settings that cannot be enforced", () => {
  const refusal = (yaml: string, files: Readonly<Record<string, string>> = {}) =>
    loadYaml(yaml, files).pipe(
      Effect.orDie,
      Effect.flatMap(({ settings }) =>
        refuseUnenforceable(settings, { authenticators: [], authorization: false, ssl: false, backends: ["inmemory"] })
      ),
      Effect.flip,
      Effect.map(({ setting }) => setting)
    )

  it.effect("stop the start, with their names", () =>
    Effect.gen(function* () {
      const users = { "users.properties": `${tinkerGraph}gremlin.tinkergraph.vertexIdManager=LONG\n` }
      const simple = `${graphs}authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: users.properties}}`
      assert.strictEqual(yield* refusal(simple, users), "authentication")
      assert.strictEqual(yield* refusal(`${graphs}authorization: {authorizer: RoleAuthorizer}`), "authorization")
      assert.strictEqual(yield* refusal(`${graphs}ssl: {enabled: true, keyStore: a.p12}`, { "a.p12": "" }), "ssl")
      const durable = "engine.graph=JanusGraphFactory\nstorage.backend=berkeleyje\nstorage.directory=db\n"
      const backend = "storage.backend=berkeleyje of the graph 'graph'"
      assert.strictEqual(yield* refusal(graphs, { "graph.properties": durable }), backend)
    })
  )

  it.effect("do not include disabled features", () =>
    Effect.gen(function* () {
      const { settings } = yield* loadYaml(
        `${graphs}ssl: {enabled: false}\nauthentication: {authenticator: a.AllowAllAuthenticator}`
      )
      const none = { authenticators: [], authorization: false, ssl: false, backends: [] }
      yield* refuseUnenforceable(settings, none)
    })
  )

  it.effect("include a warning when authentication is off", () =>
    Effect.gen(function* () {
      const { notes } = yield* loadYaml(`${graphs}host: 0.0.0.0`)
      assert.include(notes[0]?.text, "Authentication is off: whoever reaches 0.0.0.0:8182")
      const users = { "users.properties": `${tinkerGraph}gremlin.tinkergraph.vertexIdManager=LONG\n` }
      const asking = (more: string) =>
        loadYaml(
          `${graphs}channelizer: HttpChannelizer\nauthentication: {authenticator: HMACAuthenticator, config: {credentialsDb: users.properties, hmacSecret: ${more}\n`,
          users
        ).pipe(Effect.map((loaded) => loaded.notes.map(({ text }) => text).join()))
      const plain = yield* asking("hidden}}\nhost: 0.0.0.0")
      assert.include(plain, "TLS is off: passwords and tokens for 0.0.0.0:8182 can be read in transit")
      assert.include(plain, "hmacSecret has fewer than 16 characters")
      assert.notInclude(plain, "hidden")
      assert.strictEqual(yield* asking("a text that nobody guesses}}"), "")
    })
  )
})

describe("The section ssl", () => {
  it.effect("needs a key, and readable stores, when enabled", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsOf(`${graphs}ssl: {enabled: true}\n`), [
        "server.yaml:2 ssl.keyStore: is missing; name a PKCS#12 or JKS file here, or PEM files in keyCertChainFile and keyFile"
      ])
      const jceks = `${graphs}ssl: {enabled: true, keyStore: a.jks, needClientAuth: REQUIRE}\n`
      const problems = yield* problemsOf(jceks, { "a.jks": Buffer.from("cececece00000002", "hex") })
      assert.match(
        problems.join("\n"),
        /ssl\.keyStore: a\.jks is in .* JCEKS format, .* -srckeystore a\.jks -srcstoretype JCEKS -destkeystore a\.p12 -deststoretype PKCS12/
      )
      assert.match(problems.join("\n"), /ssl\.trustStore: is missing/)
      // Since Java 9, keytool writes PKCS#12 even into files named .jks.
      const { notes } = yield* loadYaml(
        `${graphs}ssl: {enabled: true, keyStore: a.jks, keyStoreType: JKS, needClientAuth: OPTIONAL, trustStore: a.jks}\n`,
        { "a.jks": Buffer.from("30820a00", "hex") }
      )
      assert.include(notes.map(({ text }) => text).join(), "OPTIONAL is taken as REQUIRE")
    })
  )

  it.effect("says whether it is enabled if it has other settings", () =>
    Effect.gen(function* () {
      for (const [block, given] of [
        ["{keyStore: a.p12}", "keyStore"],
        ["{needClientAuth: REQUIRE}", "needClientAuth"]
      ]) {
        assert.deepStrictEqual(yield* problemsOf(`${graphs}ssl: ${block}\n`, { "a.p12": "" }), [
          `server.yaml:2 ssl.enabled: is missing, and ssl.${given} has no effect without it; set it to true, or to false to serve without TLS`
        ])
      }
      assert.isFalse((yield* loadYaml(`${graphs}ssl: {}\n`)).settings.ssl.enabled)
    })
  )

  it.effect("may name missing files when disabled", () =>
    Effect.gen(function* () {
      const { settings } = yield* loadYaml(`${graphs}ssl: {enabled: false, keyStore: nowhere.jks}\n`)
      assert.isFalse(settings.ssl.enabled)
    })
  )
})

describe("The section authorization", () => {
  it.effect("has no configuration that nothing reads", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsOf(`${graphs}authorization: {config: {readers: [a]}}\n`), [
        "server.yaml:2 authorization.authorizer: is missing, and config.readers has no effect without it; name the authorizer, or remove authorization.config"
      ])
      const roles = `${graphs}authorization: {authorizer: RoleAuthorizer, config: {defaultRole: reader}}\n`
      assert.deepStrictEqual(yield* problemsOf(roles), [
        "server.yaml:2 authorization.config.defaultRole: has no effect: RoleAuthorizer takes no config. authentication.config.defaultRole is the role of users without one"
      ])
      const module = `${graphs}authorization: {authorizer: ./mine.mjs, config: {readers: [a]}}\n`
      const { settings } = yield* loadYaml(module, { "mine.mjs": "" })
      assert.deepStrictEqual(settings.authorization.config, { readers: ["a"] })
    })
  )
})
