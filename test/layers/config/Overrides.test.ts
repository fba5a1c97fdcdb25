import { assert, describe, it } from "@effect/vitest"
import {
  optionOverridesFromEnvironment,
  overrideFromArgument,
  overridesFromEnvironment,
  parsePath
} from "../../../src/layers/config/Overrides.ts"

const changes = (environment: Readonly<Record<string, string>>) =>
  overridesFromEnvironment(environment).overrides.map(({ operation, path, value }) => [operation, path, value])

describe("Overrides", () => {
  it("are read from names with dots in both spellings", () => {
    const environment = {
      "engineserver.enginePool": "8",
      "gremlinserver.graphs.graph": "conf/x.properties",
      PATH: "/bin"
    }
    assert.deepStrictEqual(changes(environment), [
      ["set", ["enginePool"], 8],
      ["set", ["graphs", "graph"], "conf/x.properties"]
    ])
  })

  it("are read from names that survive a shell", () => {
    const environment = {
      ENGINESERVER__ENGINEPOOL: "8",
      GREMLINSERVER__SERIALIZERS__0__CLASSNAME: "x",
      ENGINESERVER_D__SSL: ""
    }
    assert.deepStrictEqual(changes(environment), [
      ["delete", ["SSL"], ""],
      ["set", ["ENGINEPOOL"], 8],
      ["set", ["SERIALIZERS", 0, "CLASSNAME"], "x"]
    ])
  })

  it("delete with %d, append with [+], and quote a key with dots", () => {
    const environment = {
      "gremlinserver%d.graphs.graph": "",
      "gremlinserver.allowedOrigins[+]": "https://example.org",
      'gremlinserver.scriptEngines["gremlin-groovy"].plugins["a.b.C"].files[0]': "x.groovy"
    }
    assert.deepStrictEqual(changes(environment), [
      ["delete", ["graphs", "graph"], ""],
      ["append", ["allowedOrigins"], "https://example.org"],
      ["set", ["scriptEngines", "gremlin-groovy", "plugins", "a.b.C", "files", 0], "x.groovy"]
    ])
  })

  it("keep a value as text when YAML would change it", () => {
    const value = (text: string) => overrideFromArgument(`a=${text}`)?.value
    assert.deepStrictEqual(["007", "1.0", "", "a=b: [", "yes"].map(value), ["007", "1.0", "", "a=b: [", "yes"])
    assert.deepStrictEqual(["::", "fe80::", "::1"].map(value), ["::", "fe80::", "::1"])
    assert.deepStrictEqual(["7", "true", "[1, x]"].map(value), [7, true, [1, "x"]])
  })

  it("report a variable that is not a path", () => {
    const { problems } = overridesFromEnvironment({ "engineserver.a[": "1" })
    assert.deepStrictEqual(
      problems.map(({ setting }) => setting),
      ["engineserver.a["]
    )
    assert.isUndefined(parsePath("a..b"))
    assert.isUndefined(overrideFromArgument("novalue"))
  })

  it("apply to options of the default graph, but ignore variables of other programs", () => {
    const environment = {
      "janusgraph.storage.backend": "inmemory",
      "service.name": "someone else's",
      JANUSGRAPH__STORAGE__READ_ONLY: "true",
      SERVICE__ENGINE__TINKERGRAPH__VERTEXIDMANAGER: "ANY"
    }
    const options = optionOverridesFromEnvironment(environment).map(({ key, value }) => [key, value])
    assert.deepStrictEqual(options, [
      ["storage.read-only", "true"],
      ["engine.tinkergraph.vertexIdManager", "ANY"],
      ["storage.backend", "inmemory"]
    ])
  })
})
