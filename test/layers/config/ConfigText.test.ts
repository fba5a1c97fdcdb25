import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { loadYaml, problemsOf, tinkerGraph } from "./Folder.ts"

const graphs = "graphs: {graph: graph.properties}\n"

/** A configuration as the bytes of an encoding. */
const encoded = (text: string, encoding: BufferEncoding, mark: ReadonlyArray<number> = []): Buffer =>
  Buffer.concat([Buffer.from(mark), Buffer.from(text, encoding)])

describe("A configuration file", () => {
  it.effect("is read in UTF-8, and in UTF-16 with its mark", () =>
    Effect.gen(function* () {
      const text = `${graphs}dataScripts: ä\n`
      const big = Buffer.from(text, "utf16le").swap16()
      for (const bytes of [
        encoded(text, "utf8", [0xef, 0xbb, 0xbf]),
        encoded(text, "utf16le", [0xff, 0xfe]),
        Buffer.concat([Buffer.from([0xfe, 0xff]), big])
      ]) {
        const [problem] = yield* problemsOf("", { "server.yaml": bytes })
        assert.match(problem!, /^server.yaml:2 dataScripts: .*ä/)
      }
    })
  )

  it.effect("in another encoding is refused, with the line", () =>
    Effect.gen(function* () {
      const bytes = encoded(`${graphs}host: "é"\n`, "latin1")
      assert.deepStrictEqual(yield* problemsOf("", { "server.yaml": bytes }), [
        "server.yaml : cannot be read: line 2 is not UTF-8. Save the file in this encoding"
      ])
    })
  )

  it.effect("has the words of YAML 1.1 for booleans, as Gremlin Server reads them", () =>
    Effect.gen(function* () {
      for (const [word, is] of [
        ["yes", true],
        ["On", true],
        ["NO", false],
        ["off", false]
      ]) {
        const { settings } = yield* loadYaml(`${graphs}strictTransactionManagement: ${word}\n`)
        assert.strictEqual(settings.strictTransactionManagement, is)
      }
      assert.deepStrictEqual(yield* problemsOf(`${graphs}strictTransactionManagement: maybe\n`), [
        "server.yaml:2 strictTransactionManagement: must be true or false, not 'maybe'"
      ])
    })
  )

  it.effect("has them for the config of a serializer, too", () =>
    Effect.gen(function* () {
      for (const [word, is] of [
        ["yes", true],
        ["On", true],
        ["true", true],
        ["off", false],
        ["no", false]
      ] as const) {
        const config = `{serializeResultToString: ${word}, janusGraphTypes: ${word}}`
        const { settings } = yield* loadYaml(
          `${graphs}serializers: [{className: GraphBinaryMessageSerializerV1, config: ${config}}]\n`
        )
        const [serializer] = settings.serializers
        assert.strictEqual(serializer?.serializeResultToString, is, word)
        assert.strictEqual(serializer?.janusGraphTypes === true, is, word)
      }
    })
  )

  it.effect("keeps these words where a text or a name is expected", () =>
    Effect.gen(function* () {
      const yaml =
        "host: on\nlogging: {level: off}\ngraphs: {no: {configuration: graph.properties, traversalSources: [{name: yes, gremlinExpression: g}]}}\n"
      const { settings } = yield* loadYaml(yaml)
      assert.strictEqual(settings.host, "on")
      assert.strictEqual(settings.logging.level, "off")
      assert.deepStrictEqual([...settings.graphs.keys()], ["no"])
      assert.strictEqual(settings.traversalSources[0]?.name, "yes")
    })
  )

  it.effect("names a key that is given twice, a second document and too many aliases in plain words", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsOf(`host: a\n${graphs}host: b\n`), [
        "server.yaml:3 : host is given twice in one map; keep one of the two"
      ])
      assert.deepStrictEqual(yield* problemsOf(`${graphs}---\nhost: b\n`), [
        "server.yaml:2 : begins a second document, but a configuration is one; remove this line"
      ])
      const ten = (name: string, item: string): string => `${name}: &${name} [${Array(10).fill(item).join(", ")}]\n`
      const bomb = ten("a", "1") + ten("b", "*a") + ten("c", "*b") + ten("d", "*c")
      assert.deepStrictEqual(yield* problemsOf(bomb), [
        "server.yaml : its aliases stand for more than 100 values; write the values out"
      ])
    })
  )
})

describe("A properties file", () => {
  const janusGraph = "gremlin.graph=JanusGraphFactory\nstorage.backend=inmemory\n"

  it.effect("is read in UTF-8, or otherwise in Latin-1 as Java does", () =>
    Effect.gen(function* () {
      for (const encoding of ["utf8", "latin1"] as const) {
        const bytes = encoded(`${tinkerGraph}é=1\n`, encoding)
        const [problem] = yield* problemsOf(graphs, { "graph.properties": bytes })
        assert.match(problem!, /^graph.properties:2 é: is not an option of TinkerGraph/)
      }
    })
  )

  it.effect("has Java's words for booleans", () =>
    Effect.gen(function* () {
      const files = (word: string) => ({ "graph.properties": `${janusGraph}graph.set-vertex-id=${word}\n` })
      for (const word of ["yes", "ON", "true"]) yield* loadYaml(graphs, files(word))
      assert.deepStrictEqual(yield* problemsOf(graphs, files("maybe")), [
        "graph.properties:3 graph.set-vertex-id: must be true or false, not 'maybe'"
      ])
    })
  )
})
