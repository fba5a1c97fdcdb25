import { describe, expect, it } from "vitest"
import { ScriptMemory } from "../../../src/gremlin/script/ScriptMemory.ts"

const MUCH = 1_000_000
const list = (): Array<number> => Array.from({ length: 100_000 }, (_, at) => at)

describe("The memory of a script", () => {
  it("counts a value once that several calls have in variables", () => {
    const shared = list()
    const memory = new ScriptMemory(new Map([["kept", shared]]), false)
    for (let call = 0; call < 500; call++) memory.open.add({ values: [shared, call] })
    memory.made(MUCH)
    expect(memory.heldBytes).toBeGreaterThan(MUCH)
    expect(memory.heldBytes).toBeLessThan(4 * MUCH)
    memory.open.add({ values: [list()] })
    memory.made(MUCH)
    expect(memory.heldBytes).toBeGreaterThan(4 * MUCH)
  })

  it("counts the results of traversals", () => {
    const values = list()
    const memory = new ScriptMemory(new Map([["results", values]]), false)
    expect(memory.heldBytes).toBe(0)
    memory.received(values)
    expect(memory.heldBytes).toBeGreaterThan(MUCH)
    expect(memory.madeBytes).toBeGreaterThan(MUCH)
  })

  it("counts what a request of a session adds to the variables, from its beginning on", () => {
    const variables = new Map([["before", list()]])
    const memory = new ScriptMemory(variables, true)
    variables.set("after", list())
    memory.made(MUCH)
    expect(memory.heldBytes).toBeGreaterThan(MUCH)
    expect(memory.heldBytes).toBeLessThan(4 * MUCH)
  })

  it("counts released values no longer after a call of the host", () => {
    const variables = new Map([["kept", list()]])
    const memory = new ScriptMemory(variables, false)
    memory.made(MUCH)
    expect(memory.heldBytes).toBeGreaterThan(MUCH)
    variables.clear()
    memory.refresh()
    expect(memory.heldBytes).toBe(0)
  })
})
