import { describe, expect, it } from "vitest"
import { SocketClient } from "../layers/support/SocketClient.ts"
import { modern, startServer } from "../layers/support/TestServers.ts"

/** Functions that send a script or bytecode to a server, and return the answer as `code message`. */
const answersOf = async (): Promise<{
  readonly script: (gremlin: string) => Promise<string>
  readonly bytecode: (value: Readonly<Record<string, unknown>>) => Promise<string>
}> => {
  const { authority } = await startServer(modern)
  const client = await SocketClient.connect(authority)
  const said = async (op: string, processor: string, gremlin: unknown): Promise<string> => {
    const { status } = await client.answer(client.send(op, processor, { gremlin, aliases: { g: "g" } }))
    return `${status.code} ${status.message}`
  }
  return {
    script: (gremlin) => said("eval", "", gremlin),
    bytecode: (value) => said("bytecode", "traversal", { "@type": "g:Bytecode", "@value": value })
  }
}

const steps = (...step: ReadonlyArray<ReadonlyArray<unknown>>) => ({ step: [["V"], ...step] })
const lambda = { "@type": "g:Lambda", "@value": { script: "lambda x: x", language: "gremlin-python", arguments: 1 } }
const strategy = (name: string) => ({
  source: [["withStrategies", { "@type": `g:${name}`, "@value": { fqcn: `org.example.${name}`, conf: {} } }]],
  step: [["V"]]
})

describe("A refusal of a script or of bytecode gives the reason for", () => {
  it("unknown steps", async () => {
    const { bytecode, script } = await answersOf()
    expect(await script("g.V().outt()")).toBe("597 Line 1, column 7: there is no step outt(). Did you mean out()?")
    expect(await script("g.V()\n .frobnicate('a')")).toMatch(/^597 Line 2, column 3: there is no step frobnicate\(\)/)
    expect(await bytecode(steps(["outt"]))).toBe("599 Could not locate method: DefaultGraphTraversal.outt()")
    expect(await bytecode(steps(["has", "a"], ["outt", "b", 1]))).toBe(
      "599 Could not locate method: DefaultGraphTraversal.outt(String, Integer)"
    )
    expect(await bytecode({ step: [["SYNTAX_ERROR"]] })).toBe(
      "599 Could not locate method: GraphTraversalSource.SYNTAX_ERROR()"
    )
    expect(await bytecode({ source: [["withFoo", 1]], step: [["V"]] })).toBe(
      "599 Could not locate method: GraphTraversalSource.withFoo(Integer)"
    )
  })

  it("arguments of the wrong type", async () => {
    const { bytecode, script } = await answersOf()
    expect(await script("g.V().limit('a')")).toBe(
      "597 Line 1, column 13: argument 1 of limit() is a string, but an integer or a Scope (local, global) was expected: limit(int) or limit(Scope, int)"
    )
    expect(await bytecode(steps(["limit", "a"]))).toMatch(
      /limit\(\) takes an integer as its number, but was given the string a/
    )
    expect(await bytecode(steps(["where", 1]))).toMatch(
      /where\(\) takes a predicate or a traversal, but was given the number 1/
    )
    expect(await bytecode(steps(["repeat", 1]))).toMatch(/repeat\(\) needs a traversal here, but was given number/)
    expect(await bytecode(steps(["select", 1]))).toMatch(
      /select\(\) takes a string as its label, but was given the number 1/
    )
    expect(await bytecode(steps(["by", "a"]))).toMatch(/by\(\) cannot follow V\(\)/)
  })

  it("lambdas and closures", async () => {
    const { bytecode, script } = await answersOf()
    const only = /^597 .*Scripts have Gremlin and a part of Groovy only/s
    expect(await script("g.V().values{ it.get() }")).toMatch(only)
    expect(await script("g.V().has('a', { x -> true })")).toMatch(only)
    expect(await script("g.V().map(Lambda.function('it.get()'))")).toMatch(only)
    const python = /lambda in gremlin-python \(lambda x: x\) cannot run: .* lambdas in gremlin-groovy only/
    expect(await bytecode(steps(["map", lambda]))).toMatch(python)
    expect(
      await bytecode(steps(["where", { "@type": "g:Bytecode", "@value": { step: [["filter", lambda]] } }]))
    ).toMatch(python)
    const sacks = { source: [["withSack", 1, lambda]], step: [["V"], ["sack"]] }
    expect(await bytecode(sacks)).toMatch(python)
  })

  it("unknown strategies", async () => {
    const { bytecode, script } = await answersOf()
    const unknown = /There is no strategy FooStrategy\. Known: .*ReadOnlyStrategy.*SubgraphStrategy/
    expect(await script("g.withStrategies(FooStrategy).V()")).toMatch(unknown)
    expect(await script("g.withStrategies(new FooStrategy(a: 1)).V()")).toMatch(unknown)
    expect(await bytecode(strategy("FooStrategy"))).toMatch(unknown)
    expect(await bytecode(strategy("ReadOnlyStrategy"))).toMatch(/^200/)
    expect(await bytecode(strategy("EventStrategy"))).toMatch(/^200/)
    expect(await script("g.withStrategies(EventStrategy).V().limit(1)")).toMatch(/^200/)
  })
})
