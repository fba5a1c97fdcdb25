import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { defaultSettings, type ServerSettings } from "../../../src/services/Config.ts"
import { Credentials } from "../../../src/services/Credentials.ts"
import { newFolder } from "../../Folders.ts"
import { http, post } from "../support/HttpClient.ts"
import { graphOf, onLmdb } from "../support/LmdbGraphs.ts"
import { startInside, startServer } from "../support/TestServers.ts"

const data = async (authority: string, gremlin: string) => {
  const answer = await post(authority, gremlin)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.json.result.data
}

/** Users by name and password, in a separate graph on disk. */
const withUsers = (folder: string): Partial<ServerSettings> => {
  const { authentication } = defaultSettings()
  const lines = ["storage.backend=lmdb", `storage.directory=${join(folder, "users")}`]
  return {
    ...onLmdb(folder),
    authentication: {
      ...authentication,
      authenticator: "SimpleAuthenticator",
      authenticationHandler: "SaslAndHttpBasicAuthenticationHandler",
      credentialsDb: { ...graphOf(lines, folder), name: "credentialsDb", file: join(folder, "users.properties") },
      defaultUsername: "first",
      defaultPassword: Redacted.make("secret")
    }
  }
}

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
})

describe("Users in a graph with storage.backend=lmdb", () => {
  it("survive a restart", async () => {
    const folder = newFolder()
    const asked = async (authority: string, user: string, password: string) =>
      (await http(authority, { headers: basic(user, password) }, '{"gremlin":"1 + 1"}')).status
    const before = await startInside(withUsers(folder))
    await Effect.runPromise(Context.get(before.services, Credentials)!.add("second", "hidden", "reader"))
    expect(await asked(before.authority, "second", "hidden")).toBe(200)
    await before.end()
    const after = await startServer(withUsers(folder))
    expect(await asked(after.authority, "first", "secret")).toBe(200)
    expect(await asked(after.authority, "second", "hidden")).toBe(200)
    expect(await asked(after.authority, "second", "wrong")).toBe(401)
  })
})

describe("A graph with storage.backend=lmdb", () => {
  it("reads writes that followed a commit without changes", async () => {
    const { authority } = await startServer(onLmdb(newFolder()))
    const [id] = await data(
      authority,
      "g.addV('p').property('n', 0).as('a').addE('e').to('a').property('w', 1).select('a').id()"
    )
    const value = () => data(authority, `g.V(${id}).values('n')`)
    for (let n = 1; n < 4; n++) {
      // Only point reads: a scan would put newer rows into the cache.
      expect(await value()).toEqual([n - 1])
      await data(authority, `g.V(${id}).outE('e').property('w', 1).iterate()`)
      await data(authority, "g.addV('gone').drop()")
      await data(authority, `g.V(${id}).property('n', ${n}).iterate()`)
      expect(await value()).toEqual([n])
    }
  })

  it("counts elements of more labels than a page of cells has", async () => {
    const { authority } = await startServer(onLmdb(newFolder()))
    const labels = Array.from({ length: 900 }, (_, i) => `label${i}`)
    for (let i = 0; i < labels.length; i += 100) {
      await data(
        authority,
        `g${labels
          .slice(i, i + 100)
          .map((label) => `.addV('${label}')`)
          .join("")}.count()`
      )
    }
    await data(authority, labels.map((label) => `g.addV('${label}').iterate()`).join("; "))
    expect(await data(authority, "g.V().count()")).toEqual([1800])
    expect(await data(authority, "g.V().hasLabel('label899').count()")).toEqual([2])
    expect(await data(authority, "g.V().groupCount().by(label).unfold().select(values).dedup()")).toEqual([2])
  })

  it("survives a restart, with its indexes and counters", async () => {
    const folder = newFolder()
    const before = await startServer(onLmdb(folder))
    await data(before.authority, "graph.createIndex('name', Vertex.class)")
    await data(
      before.authority,
      "g.addV('person').property('name', 'marko').as('a').addV('person').property('name', 'josh')" +
        ".addE('knows').from('a').property('since', 2001).iterate()"
    )
    await before.end()
    const after = await startServer(onLmdb(folder))
    const known = "g.V().has('name', 'marko').outE('knows').has('since', 2001).inV().values('name')"
    expect(await data(after.authority, known)).toEqual(["josh"])
    expect(await data(after.authority, "g.V().count()")).toEqual([2])
    expect(await data(after.authority, "g.V().groupCount().by(label)")).toEqual([{ person: 2 }])
    expect(JSON.stringify(await data(after.authority, `${known}.explain()`))).toContain("vertex:name")
  })

  it("is created in storage.directory, relative to SERVICE_HOME", () => {
    const home = newFolder()
    const graph = graphOf(["storage.backend=berkeleyje", "storage.directory=db/berkeley"], home)
    expect(graph.factory).toMatchObject({ storage: { backend: "lmdb", directory: join(home, "db/berkeley") } })
    expect(existsSync(join(home, "db"))).toBe(false)
  })
})
