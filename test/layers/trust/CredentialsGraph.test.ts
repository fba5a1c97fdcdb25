import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { emptyTinkerGraph } from "../../../src/services/Config.ts"
import type { CredentialStore } from "../../../src/services/Credentials.ts"
import { newFolder } from "../../Folders.ts"
import { http } from "../support/HttpClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"
import { isPacked } from "../support/Packed.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, startInside, startServer } from "../support/TestServers.ts"
import { asking, basic, change, givingTokens, plain, user, usersOf } from "../support/Users.ts"

const body = '{"gremlin":"g.V().count()"}'

describe("A credentials graph on disk", () => {
  const kept = (folder: string) => ({
    ...graphOf(["storage.backend=lmdb", `storage.directory=${join(folder, "users")}`], folder),
    name: "credentialsDb"
  })

  it("keeps users, passwords and roles, and removed users stay removed", async () => {
    const credentialsDb = kept(newFolder())
    const first = await startInside(givingTokens({ credentialsDb }))
    const users = usersOf(first)
    await change(users.add("marko", "secret", "reader"))
    await change(users.setRole("marko", { graph: "graph", role: "admin" }))
    await change(users.setRole("marko", { graph: "other", role: "editor" }))
    await change(users.setRole("marko", { graph: "other", role: undefined }))
    await change(users.setPassword("marko", "another"))
    const same = await change(Effect.flip(users.add("marko", "x", undefined)))
    expect(same.message).toBe("There is a user 'marko' already.")
    const given = await http(first.authority, {
      path: "/session",
      headers: { authorization: basic("marko", "another") }
    })
    await change(users.remove(user))
    await first.end()

    const second = await startInside(givingTokens({ credentialsDb }))
    const status = async (authorization: string) =>
      (await http(second.authority, { headers: { authorization } }, body)).status
    expect(await status(basic("marko", "another"))).toBe(200)
    expect(await status(basic("marko", "secret"))).toBe(401)
    expect(await status(`Token ${given.json.token}`)).toBe(200)
    expect(await status(basic())).toBe(401)
    expect(
      (await change(usersOf(second).list)).map(({ graphRoles, name, role }) => [name, role, [...graphRoles]])
    ).toEqual([["marko", "reader", [["graph", "admin"]]]])
  })

  it("accepts one of several concurrent requests to add the same user", async () => {
    const server = await startInside(asking({ credentialsDb: kept(newFolder()) }))
    const users: CredentialStore = usersOf(server)
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => change(Effect.either(users.add("marko", "secret", undefined))))
    )
    expect(outcomes.filter(({ _tag }) => _tag === "Right")).toHaveLength(1)
    expect((await change(users.list)).map(({ name }) => name)).toEqual(["marko", user])
  })
})

describe("A user that another server changes", () => {
  const module = fileURLToPath(new URL("../support/KeptGraph.ts", import.meta.url))

  it("loses the old password, token and connection on this server within seconds", async ({ skip }) => {
    skip(isPacked, "two servers of one process share a graph in memory, which a module of the test keeps")
    const shared = {
      ...emptyTinkerGraph,
      name: "credentialsDb",
      file: "shared",
      factory: { kind: "module", module } as const
    }
    const here = await startServer(givingTokens({ credentialsDb: shared }))
    const there = await startInside(givingTokens({ credentialsDb: shared }))
    await change(usersOf(there).add("marko", "secret", "editor"))
    const status = async (authorization: string) =>
      (await http(here.authority, { headers: { authorization } }, body)).status
    const given = await http(here.authority, { path: "/session", headers: { authorization: basic("marko", "secret") } })
    const proofs = [basic("marko", "secret"), `Token ${given.json.token}`]
    for (const proof of proofs) expect(await status(proof)).toBe(200)
    // A token of one server is valid on the other: they have the same secret and users.
    const elsewhere = await http(there.authority, { headers: { authorization: proofs[1] } }, body)
    expect(elsewhere.status).toBe(200)
    const client = await SocketClient.connect(here.authority)
    client.send("authentication", "", { sasl: plain("marko", "secret") })
    expect((await client.eval("1")).status.code).toBe(200)

    await change(usersOf(there).setPassword("marko", "another"))
    for (const proof of proofs) await eventually(async () => (await status(proof)) === 401)
    expect(await status(basic("marko", "another"))).toBe(200)
    await eventually(() => {
      client.send("eval", "", { gremlin: "1" })
      return client.frames.some(({ status: { code } }) => code === 407)
    })
    await change(usersOf(there).remove("marko"))
    await eventually(async () => (await status(basic("marko", "another"))) === 401)
  })
})
