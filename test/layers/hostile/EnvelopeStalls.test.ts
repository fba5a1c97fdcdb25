import { describe, expect, it } from "vitest"
import { http, post } from "../support/HttpClient.ts"
import { LONGEST_TURN_MS, measuredServer } from "../support/Turns.ts"

const server = measuredServer()

/** As many as fit into a message of the largest size. */
const MEMBERS = 700_000
const members = Object.fromEntries(Array.from({ length: MEMBERS }, (_, i) => [`v${i}`, 1]))

describe("A request does not delay others", () => {
  it("by a long Accept header", async () => {
    const accept = `${"*/*,".repeat(1_900)}application/json;q=0`
    const turn = await server.turnOf(async () => {
      const { status } = await http(server.authority, { path: "/?gremlin=1", method: "GET", headers: { accept } })
      expect(status).toBe(400)
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })

  it("by many bindings", async () => {
    const turn = await server.turnOf(async () => {
      const { json, status } = await post(server.authority, "1", { bindings: members })
      expect([status, json.message]).toEqual([400, expect.stringContaining(`contains ${MEMBERS} bindings`)])
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })

  it("by many members that have no meaning", async () => {
    const turn = await server.turnOf(async () => {
      const { json, status } = await post(server.authority, "1 + 1", members)
      expect([status, json.result.data]).toEqual([200, [2]])
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })
})
