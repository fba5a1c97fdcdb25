import { describe, expect, it } from "vitest"
import { ScriptMemory } from "../../../../src/gremlin/script/budget/ScriptMemory.ts"
import { TimeSlice } from "../../../../src/scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../../src/structure/collections/Collections.ts"
import { FakeHost } from "../../FakeHost.ts"

const MUCH = 1_000_000
const list = (): Array<number> => Array.from({ length: 100_000 }, (_, at) => at)

describe("The memory of a script", () => {
  it("counts a value once that several calls have in variables", () => {
    const shared = list()
    const memory = new ScriptMemory(new Map([["kept", shared]]), false)
    for (let call = 0; call < 500; call++) memory.open.add({ values: [shared, call] })
    memory.worked(MUCH, 0)
    expect(memory.heldBytes).toBeGreaterThan(MUCH)
    expect(memory.heldBytes).toBeLessThan(4 * MUCH)
    memory.open.add({ values: [list()] })
    memory.worked(MUCH, 0)
    expect(memory.heldBytes).toBeGreaterThan(4 * MUCH)
  })

  it("counts large values behind small ones, and below many levels", () => {
    const large = "x".repeat(MUCH)
    const deep = (value: unknown, levels: number): unknown => (levels === 0 ? value : [deep(value, levels - 1)])
    for (const values of [
      [...list().slice(0, 1000), ...Array.from({ length: 100 }, () => large)],
      [...list(), ...Array.from({ length: 10_000 }, () => large)],
      new GremlinMap(Array.from({ length: 200 }, (_, at) => [at, at < 100 ? at : large])),
      Array.from({ length: 100 }, () => deep(large, 20))
    ]) {
      const memory = new ScriptMemory(new Map([["held", values]]), false)
      memory.worked(MUCH, MUCH)
      expect(memory.heldBytes).toBeGreaterThan(100 * MUCH)
    }
  })

  it("counts the results of traversals", () => {
    const values = list()
    const memory = new ScriptMemory(new Map([["results", values]]), false)
    expect(memory.heldBytes).toBe(0)
    memory.received(values)
    expect(memory.heldBytes).toBeGreaterThan(MUCH)
    expect(memory.madeBytes).toBeGreaterThan(MUCH)
  })

  it("counts what scripts make, and no comparisons", () => {
    const made = (script: string): number => {
      const host = new FakeHost()
      const memory = new ScriptMemory(host.scope.variables, false)
      host.run(script, new TimeSlice(), memory)
      return memory.madeBytes
    }
    expect(
      made("def n = 0; for (int i = 0; i < 20000; i++) { if (i % 3 == 1 && 'abc' != 'abd') n = i }; n")
    ).toBeLessThan(10_000)
    for (const script of [
      "def l = []; for (int i = 0; i < 20000; i++) l << i",
      "def c = null; for (int i = 0; i < 20000; i++) { def d = c; c = { d } }",
      "def e = null; for (int i = 0; i < 20000; i++) e = new Exception('a', e)",
      "def m = [:]; for (int i = 0; i < 20000; i++) m[i] = [i]",
      "def l; for (int i = 0; i < 20000; i++) l = [1, 2, 3, 4]",
      "def s = ''; for (int i = 0; i < 20000; i++) s = 'x' * 50 + i"
    ]) {
      expect(made(script), script).toBeGreaterThan(500_000)
    }
  })

  it("counts what a request of a session adds to the variables, from its beginning on", () => {
    const variables = new Map([["before", list()]])
    const memory = new ScriptMemory(variables, true)
    variables.set("after", list())
    memory.worked(MUCH, 0)
    expect(memory.heldBytes).toBeGreaterThan(MUCH)
    expect(memory.heldBytes).toBeLessThan(4 * MUCH)
  })

  it("counts released values no longer after a call of the host", () => {
    const variables = new Map([["kept", list()]])
    const memory = new ScriptMemory(variables, false)
    memory.worked(MUCH, 0)
    expect(memory.heldBytes).toBeGreaterThan(MUCH)
    variables.clear()
    memory.refresh()
    expect(memory.heldBytes).toBe(0)
  })
})
