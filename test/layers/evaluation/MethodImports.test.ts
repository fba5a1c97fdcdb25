import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { staticImportsOf } from "../../../src/gremlin/Parser.ts"
import { predicates } from "../../../src/gremlin/parser/Methods.ts"
import { staticMethods } from "../../../src/gremlin/parser/StaticImports.ts"
import { loadConfig } from "../../../src/layers/config/ConfigFile.ts"
import { steps } from "../../../src/process/language/StepSignatures.ts"
import { post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startServer } from "../support/TestServers.ts"

// The expected values are those of Gremlin Server 3.8.1 with its sample configuration.

const home = fileURLToPath(new URL("../../fixtures/configurations/gremlin-server-3.8.1", import.meta.url))

/** The settings of the sample configuration of Gremlin Server, on another address. */
const sampleSettings = async () => {
  const folders = { home, cwd: home, library: undefined, installation: home }
  const file = join(home, "conf", "gremlin-server-modern.yaml")
  const { settings } = await Effect.runPromise(loadConfig({ file, folders, environment: {}, overrides: [] }))
  return { ...settings, channelizer: "WsAndHttpChannelizer" as const, host: "127.0.0.1", port: 0 }
}

describe("With the methodImports of the sample configuration", () => {
  /** Starts a server. Returns what asks it. */
  const asker = async () => {
    const { authority } = await startServer(await sampleSettings())
    return async (gremlin: string): Promise<unknown> => {
      const { json } = await post(authority, gremlin)
      return json.result?.data ?? json.message
    }
  }

  const cases: ReadonlyArray<readonly [script: string, result: ReadonlyArray<unknown>]> = [
    ["sqrt(16)", [4]],
    ["max(3, 5)", [5]],
    ["min(1, max(2, 3))", [1]],
    ["max([1, 2].size(), 1) + 1", [3]],
    ["max(1, /* ) */ 2)", [2]],
    ['max(\'a,b\'.size(), """x, "y" """.size())', [7]],
    ["pow(2, 3)", [8]],
    ["abs(-1).toString()", ["1"]],
    ["[1, 4].collect { sqrt(it) }", [1, 2]],
    ["def f() { sqrt(16) }; f()", [4]],
    ["'abc'.with { sqrt(16) }", [4]],
    ["(-3).with { abs() }", [3]],
    ["(-3).with { abs(-4) }", [4]],
    [`"\${sqrt(16)}"`, ["4.0"]],
    ["g.inject(max(1, 5))", [5]],
    ["g.inject(1, -2).map{ abs(it.get()) }", [1, 2]],
    ["g.inject(1).range(local, 0, max(1, 1))", [1]],
    ["g.inject(1).project('a').by(constant(max(1, 2))).select('a')", [2]]
  ]
  it("scripts call the methods of java.lang.Math without the class", async () => {
    const ask = await asker()
    for (const [script, result] of cases) expect([script, await ask(script)]).toEqual([script, result])
  })

  const kept: ReadonlyArray<readonly [script: string, result: ReadonlyArray<unknown>]> = [
    ["g.inject(1, 2).max()", [2]],
    ["g.inject(1, 2).fold().map(max(local))", [2]],
    ["g.inject(1, 2).union(max(), min())", [2, 1]],
    ["def max(a, b) { 'own' }; max(3, 5)", ["own"]],
    ["def abs = { 'closure' }; abs(-1)", ["closure"]],
    ["{ abs -> abs(3) }({ it * 2 })", [6]],
    ["def f(abs) { abs(3) }; f({ it * 2 })", [6]],
    ["PI = 3; PI", [3]]
  ]
  it("steps, and functions and variables of the script, keep their meaning", async () => {
    const ask = await asker()
    for (const [script, result] of kept) expect([script, await ask(script)]).toEqual([script, result])
  })

  it("the number of arguments decides", async () => {
    const ask = await asker()
    expect(await ask("max(1)")).toContain("argument 1 of max() is an integer, but a Scope")
    expect(await ask("sqrt()")).toContain("sqrt() of java.lang.Math takes 1 argument")
  })

  it("arguments that are no numbers are refused", async () => {
    const ask = await asker()
    for (const call of ["sqrt('a')", "max('a', 'b')", "Math.min('a', 1)", "max(null, 1)"]) {
      expect(await ask(call), call).toContain("a number was expected")
    }
  })

  it("constants of the class are not imported", async () => {
    const ask = await asker()
    expect(await ask("PI")).toContain("there is no variable PI")
  })

  it("scripts of sessions call them, too", async () => {
    const { authority } = await startServer(await sampleSettings())
    const client = await SocketClient.connect(authority)
    const inSession = async (gremlin: string) => (await client.eval(gremlin, { session: "s" })).result.data
    await inSession("def root(x) { sqrt(x) }; y = max(9, 4)")
    expect(await inSession("root(y)")).toEqual([3])
  })

  it("initialisation scripts call them, too", async () => {
    const settings = await sampleSettings()
    const script = { file: "/init.groovy", text: "def root(x) { sqrt(x) }; [nine: max(9, 4)]" }
    const initialization = { scripts: [script], defaultSources: new Set<string>() }
    const server = await startServer({ ...settings, initialization })
    expect((await post(server.authority, "root(nine)")).json.result.data).toEqual([3])
  })
})

describe("Without methodImports", () => {
  it("no method is called without its class", async () => {
    const { authority } = await startServer({})
    expect((await post(authority, "sqrt(16)")).json.message).toContain("there is no step, predicate or function sqrt()")
  })
})

describe("Each method that can be imported", () => {
  it("is a method of its class in scripts", async () => {
    const { authority } = await startServer({})
    for (const [className, methods] of Object.entries(staticMethods)) {
      for (const [method, [least, most]] of Object.entries(methods)) {
        for (const count of new Set([least, Math.min(most, least + 1)])) {
          const call = `${className}.${method}(${new Array(count).fill("null").join(", ")})`
          const { json } = await post(authority, call)
          expect(`${call} ${json.message}`).not.toMatch(/do not have the method|takes \d+ arguments/)
        }
      }
    }
  })

  it("takes no number of arguments that a step or a predicate of its name takes", () => {
    const every = staticImportsOf(Object.keys(staticMethods).map((name) => `${name}#*`))
    const shared = [...every].filter(([name]) => steps.has(name) || predicates.has(name))
    expect(shared.map(([name, [method]]) => `${name} ${method?.counts[0]}`).toSorted()).toEqual([
      "format 2",
      "max 2",
      "min 2",
      "reverse 1"
    ])
  })
})
