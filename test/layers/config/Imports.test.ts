import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { formatShown, showConfig } from "../../../src/layers/config/ShowConfig.ts"
import { loadYaml, problemsOf } from "./Folder.ts"

const configured = (plugin: string): string =>
  `graphs: {graph: graph.properties}
scriptEngines:
  gremlin-groovy:
    plugins:
      org.apache.tinkerpop.gremlin.jsr223.ImportGremlinPlugin: ${plugin}
`

describe("ImportGremlinPlugin", () => {
  it.effect("imports all methods of a class, or one", () =>
    Effect.gen(function* () {
      const plugin =
        "{classImports: [java.lang.Math], methodImports: [java.lang.Math#*, java.lang.Integer#parseInt(java.lang.String), java.lang.Long#valueOf]}"
      const loaded = yield* loadYaml(configured(plugin))
      const expected = ["java.lang.Math#*", "java.lang.Integer#parseInt(java.lang.String)", "java.lang.Long#valueOf"]
      assert.deepStrictEqual(loaded.settings.methodImports, expected)
      assert.deepStrictEqual(loaded.notes, [])
      assert.match(formatShown(showConfig(loaded)), /methodImports: \[.*java\.lang\.Math#\*.*# .*server\.yaml:\d/)
    })
  )

  it.effect("warns of classes and methods that scripts do not have, with their place", () =>
    Effect.gen(function* () {
      const plugin =
        "{classImports: [com.acme.Tools], methodImports: [java.lang.Math#signumm, java.lang.Maths#*, com.acme.Tools#*, java.lang.Math#abs]}"
      const { notes, settings } = yield* loadYaml(configured(plugin))
      assert.deepStrictEqual(settings.methodImports, ["java.lang.Math#abs"])
      const texts = notes.map(({ level, text }) => `${level} ${text}`)
      assert.strictEqual(texts.length, 4)
      for (const text of texts) assert.match(text, /^warn .*server\.yaml:5: scriptEngines/)
      assert.include(texts[0], `.classImports: scripts do not have the class com.acme.Tools`)
      assert.include(
        texts[1],
        "scripts have no method signumm() of java.lang.Math without its class; did you mean signum?"
      )
      assert.include(texts[2], "did you mean java.lang.Math?")
      assert.include(
        texts[3],
        "no static methods of the class com.acme.Tools without its name; those of java.lang.Math,"
      )
    })
  )

  it.effect("refuses what names no method, and unknown settings", () =>
    Effect.gen(function* () {
      const problems = yield* problemsOf(configured("{methodImports: [java.lang.Math, 'a#b#c'], methodImport: [x]}"))
      assert.strictEqual(problems.length, 3)
      assert.include(problems.join("\n"), "'java.lang.Math' names no method: write CLASS#METHOD")
      assert.include(problems.join("\n"), "'a#b#c' names no method")
      assert.include(problems.join("\n"), "there is no such setting; did you mean 'methodImports'?")
    })
  )
})
