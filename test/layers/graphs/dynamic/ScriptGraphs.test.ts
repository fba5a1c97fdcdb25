import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { ServerSettings } from "../../../../src/services/Config.ts"
import type { Role } from "../../../../src/services/Credentials.ts"
import { type DynamicGraphSettings, dynamicGraphDefaults } from "../../../../src/services/DynamicGraphs.ts"
import { newFolder } from "../../../Folders.ts"
import { driverClient } from "../../support/DriverClient.ts"
import { evaluated, withDynamicGraphs } from "../../support/DynamicGraphs.ts"
import { graphOf } from "../../support/LmdbGraphs.ts"
import { startInside } from "../../support/TestServers.ts"
import { asking, basic, change, usersOf } from "../../support/Users.ts"

const graphsIn = (folder: string, more: Partial<DynamicGraphSettings> = {}): Partial<ServerSettings> => {
  mkdirSync(join(folder, "graphs"), { recursive: true })
  return { dynamicGraphs: { ...dynamicGraphDefaults(1e9), directory: join(folder, "graphs"), ...more } }
}

const opened = (directory: string): string =>
  `JanusGraphFactory.build().set('storage.backend', 'berkeleyje').set('storage.directory', '${directory}').open()`

describe("A graph that JanusGraphFactory opens", () => {
  it("is in memory, has a schema, and ends with the session", async () => {
    const asked = await driverClient()
    await asked(
      "graph = JanusGraphFactory.open('inmemory'); g = graph.traversal(); GraphOfTheGodsFactory.load(graph); null"
    )
    expect(await asked("g.V().has('name', 'saturn').in('father').in('father').values('name')")).toEqual(["hercules"])
    await asked("mgmt = graph.openManagement(); mgmt.makePropertyKey('x').dataType(String.class).make(); mgmt.commit()")
    expect(await asked("graph.openManagement().containsPropertyKey('x')")).toEqual([true])
    await asked("graph.close()")
    await expect(asked("g.V().count()")).rejects.toThrow("closed")
  })

  it("keeps its data below the folder, where the next request finds it", async () => {
    const folder = newFolder()
    const server = await startInside(graphsIn(folder))
    await evaluated(server, `graph = ${opened("mine")}; graph.addVertex('person'); graph.tx().commit()`)
    expect(existsSync(join(folder, "graphs", "mine", "graph.mdb"))).toBe(true)
    expect(await evaluated(server, `${opened(join(folder, "graphs", "mine"))}.traversal().V().count()`)).toEqual([1])
    expect(await evaluated(server, "JanusGraphFactory.open('lmdb:mine').traversal().V().count()")).toEqual([1])
    const options = "new MapConfiguration(['storage.backend': 'lmdb', 'storage.directory': 'mine'])"
    expect(await evaluated(server, `JanusGraphFactory.open(${options}).traversal().V().count()`)).toEqual([1])
    writeFileSync(join(folder, "graphs", "mine.properties"), "storage.backend=lmdb\nstorage.directory=mine\n")
    expect(await evaluated(server, "JanusGraphFactory.open('mine.properties').traversal().V().count()")).toEqual([1])
  })

  it("is one graph for all who open it at the same time, and two names of it in a script are the same", async () => {
    const server = await startInside(graphsIn(newFolder()))
    const script = `a = ${opened("mine")}; b = ${opened("mine")}; a.addVertex(); b.traversal().V().count().next()`
    expect(await evaluated(server, script)).toEqual([1])
    const all = await Promise.all(
      Array.from({ length: 8 }, () => evaluated(server, `${opened("mine")}.traversal().V().count()`))
    )
    expect(all).toEqual(Array(8).fill([1]))
  })

  it("is the graph of the server with the same data or the same properties file", async () => {
    const folder = newFolder()
    const served = graphOf(["storage.backend=lmdb", `storage.directory=${join(folder, "db")}`], folder)
    const server = await startInside({ ...graphsIn(folder), graphs: new Map([["graph", served]]) })
    await evaluated(server, "graph.addVertex('person'); graph.tx().commit()")
    expect(await evaluated(server, `${opened(join(folder, "db"))}.traversal().V().count()`)).toEqual([1])
    expect(await evaluated(server, "JanusGraphFactory.open('graph.properties').traversal().V().count()")).toEqual([1])
    await expect(evaluated(server, `${opened(join(folder, "db"))}.close()`)).rejects.toThrow("belongs to the server")
    await expect(evaluated(server, "JanusGraphFactory.drop(graph)")).rejects.toThrow("belongs to the server")
  })

  it("is the graph of ConfiguredGraphFactory with the same data", async () => {
    const folder = newFolder()
    const server = await startInside(withDynamicGraphs(folder))
    const template = "ConfiguredGraphFactory.createTemplateConfiguration(['storage.backend': 'lmdb'])"
    await evaluated(server, `${template}; ConfiguredGraphFactory.create('a').addVertex(); 1`)
    expect(await evaluated(server, `${opened("a")}.traversal().V().count()`)).toEqual([1])
    await expect(evaluated(server, `${opened("../configurations")}; 1`)).rejects.toThrow("users or configurations")
  })

  it("is dropped with its data", async () => {
    const folder = newFolder()
    const server = await startInside(graphsIn(folder))
    await evaluated(server, `graph = ${opened("mine")}; graph.addVertex(); JanusGraphFactory.drop(graph)`)
    expect(existsSync(join(folder, "graphs", "mine"))).toBe(false)
    await expect(
      evaluated(server, `graph = ${opened("mine")}; graph.close(); JanusGraphFactory.drop(graph)`)
    ).rejects.toThrow("belongs to the server")
    expect(await evaluated(server, `${opened("mine")}.traversal().V().count()`)).toEqual([0])
  })
})

describe("JanusGraphFactory refuses", () => {
  it("folders and files outside of its folder, also behind links, and hosts that no setting lists", async () => {
    const folder = newFolder()
    const server = await startInside(graphsIn(folder))
    symlinkSync(folder, join(folder, "graphs", "link"))
    writeFileSync(join(folder, "outside.properties"), "storage.backend=inmemory\n")
    const scripts = [
      opened(join(folder, "other")),
      opened("../other"),
      opened("link/other"),
      "JanusGraphFactory.open('link/outside.properties')",
      "JanusGraphFactory.open('/etc/passwd')",
      "JanusGraphFactory.open('../outside.properties')",
      "JanusGraphFactory.open('cql:somewhere')",
      "JanusGraphFactory.open(['storage.backend': 'inmemory', 'schema.init.strategy': 'json', 'schema.init.json.file': '/etc/passwd'])"
    ]
    for (const script of scripts) {
      await expect(evaluated(server, `${script}; 1`), script).rejects.toThrow(/dynamicGraphs\.(?:directory|hosts)/)
    }
    await expect(evaluated(server, "JanusGraphFactory.open(['storage.backend': 'x'])")).rejects.toThrow(
      "storage.backend"
    )
    await expect(evaluated(server, "JanusGraphFactory.open(1)")).rejects.toThrow("takes a properties file")
  })

  it("more open graphs than dynamicGraphs.maxOpenGraphs", async () => {
    const server = await startInside(graphsIn(newFolder(), { maxOpenGraphs: 1 }))
    const memory = "JanusGraphFactory.open('inmemory')"
    await expect(evaluated(server, `a = ${memory}; b = ${memory}; 1`)).rejects.toThrow("maxOpenGraphs")
    expect(await evaluated(server, `a = ${memory}; a.close(); b = ${memory}; 1`)).toEqual([1])
  })

  it("users without the role admin, and everybody where users have no roles", async () => {
    const roles: Partial<ServerSettings> = { authorization: { authorizer: "RoleAuthorizer", config: {} } }
    for (const [settings, says] of [
      [roles, "needs the role admin"],
      [{}, "no authorization is configured"]
    ] as const) {
      const server = await startInside({ ...asking(), ...graphsIn(newFolder()), ...settings })
      for (const name of ["admin", "editor"] satisfies Role[]) await change(usersOf(server).add(name, "secret", name))
      const as = (name: string, script: string) =>
        evaluated(server, script, {}, { authorization: basic(name, "secret") })
      for (const script of ["open('inmemory')", "build()", "drop(1)", "close(1)"]) {
        await expect(as("editor", `JanusGraphFactory.${script}; 1`), script).rejects.toThrow(says)
      }
      const ofAdmin = as("admin", `${opened("mine")}.addVertex(); 1`)
      if (settings === roles) expect(await ofAdmin).toEqual([1])
      else await expect(ofAdmin).rejects.toThrow(says)
    }
  })
})
