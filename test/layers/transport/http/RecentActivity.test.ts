import { describe, expect, it } from "vitest"
import { patience } from "../../../Limits.ts"
import { http, post } from "../../support/HttpClient.ts"
import { endless, startInside, startServer } from "../../support/TestServers.ts"
import { asking, basic, change, user, usersOf } from "../../support/Users.ts"

const path = "/console/recent"

describe("GET /console/recent", () => {
  it("lists slow requests after their answer, the last first, with the beginning of their text", async () => {
    const { authority } = await startServer({ slowQueryThreshold: 300 * patience })
    const long = `${endless} // ${"x".repeat(1_000)}`
    await post(authority, endless, { evaluationTimeout: 400 * patience })
    await post(authority, long, { evaluationTimeout: 310 * patience })
    await post(authority, "g.inject(1)")
    const { headers, json } = await http(authority, { path })
    expect(headers["cache-control"]).toBe("no-store")
    expect(json.slow.map(({ request }: { request: string }) => request)).toEqual([long.slice(0, 500), endless])
    const [, first] = json.slow
    expect(first).toMatchObject({ user: "", status: 500, rows: 0 })
    expect(first.elapsed).toBeGreaterThanOrEqual(400 * patience)
    expect(Math.abs(json.now - first.endedAt)).toBeLessThan(60_000)
  })

  it("lists requests of a second and more where the log has no slow requests", async () => {
    const { authority } = await startServer({ slowQueryThreshold: 0 })
    await post(authority, endless, { evaluationTimeout: 20 })
    await post(authority, endless, { evaluationTimeout: 1_001 })
    const { json } = await http(authority, { path })
    expect(json.slow).toHaveLength(1)
    expect(json.slow[0].elapsed).toBeGreaterThan(1_000)
  })

  it("shows users without the right to operate their own slow requests, and needs a password", async () => {
    const roles = { authorization: { authorizer: "RoleAuthorizer" as const, config: {} } }
    const server = await startInside({ ...asking(), ...roles, slowQueryThreshold: 50 })
    await change(usersOf(server).add("peter", "secret", "reader"))
    const { authority } = server
    const as = { operator: basic(), reader: basic("peter", "secret") }
    for (const authorization of Object.values(as)) {
      const body = JSON.stringify({ gremlin: endless, evaluationTimeout: 60 })
      await http(authority, { headers: { authorization } }, body)
    }
    const usersIn = async (authorization: string): Promise<ReadonlyArray<string>> => {
      const { json } = await http(authority, { path, headers: { authorization } })
      return json.slow.map((slow: { readonly user: string }) => slow.user)
    }
    expect(await usersIn(as.operator)).toEqual(["peter", user])
    expect(await usersIn(as.reader)).toEqual(["peter"])
    expect((await http(authority, { path })).status).toBe(401)
  })
})
