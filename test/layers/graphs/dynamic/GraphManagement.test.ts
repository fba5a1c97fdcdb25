import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { type Authorization, Authorizer } from "../../../../src/services/Authorizer.ts"
import type { ServerSettings } from "../../../../src/services/Config.ts"
import type { Role } from "../../../../src/services/Credentials.ts"
import { Forbidden } from "../../../../src/services/Errors.ts"
import { GraphRegistry } from "../../../../src/services/GraphRegistry.ts"
import { newFolder } from "../../../Folders.ts"
import { evaluated, withDynamicGraphs } from "../../support/DynamicGraphs.ts"
import { startInside } from "../../support/TestServers.ts"
import { asking, basic, change, usersOf } from "../../support/Users.ts"

const roles: Partial<ServerSettings> = { authorization: { authorizer: "RoleAuthorizer", config: {} } }
const template = "ConfiguredGraphFactory.createTemplateConfiguration(['storage.backend': 'lmdb'])"

const withUsers = async (settings: Partial<ServerSettings>, users: Readonly<Record<string, Role>>) => {
  const server = await startInside({ ...asking(), ...settings })
  for (const [name, role] of Object.entries(users)) await change(usersOf(server).add(name, "secret", role))
  const as = (name: string, script: string, more: Readonly<Record<string, unknown>> = {}) =>
    evaluated(server, script, more, { authorization: basic(name, "secret") })
  return { server, as }
}

const calls = [
  "ConfiguredGraphFactory.create('b')",
  "ConfiguredGraphFactory.open('a')",
  "ConfiguredGraphFactory.close('a')",
  "ConfiguredGraphFactory.drop('a')",
  "ConfiguredGraphFactory.getGraphNames()",
  "ConfiguredGraphFactory.getConfiguration('a')",
  "ConfiguredGraphFactory.getConfigurations()",
  "ConfiguredGraphFactory.getTemplateConfiguration()",
  "ConfiguredGraphFactory.createConfiguration(['graph.graphname': 'b', 'storage.backend': 'lmdb'])",
  "ConfiguredGraphFactory.createTemplateConfiguration(['storage.backend': 'lmdb'])",
  "ConfiguredGraphFactory.updateConfiguration('a', ['query.force-index': true])",
  "ConfiguredGraphFactory.updateTemplateConfiguration(['query.force-index': true])",
  "ConfiguredGraphFactory.removeConfiguration('a')",
  "ConfiguredGraphFactory.removeConfiguration('a', ['query.force-index'])",
  "ConfiguredGraphFactory.removeTemplateConfiguration()",
  "JanusGraphManager.getInstance()",
  "JanusGraphFactory.getGraphNames()",
  "ConfigurationManagementGraph.getInstance()"
]

describe("With roles", () => {
  it("only admins manage graphs; readers and editors use them", async () => {
    const { as, server } = await withUsers(
      { ...withDynamicGraphs(), ...roles },
      { admin: "admin", editor: "editor", reader: "reader" }
    )
    await change(usersOf(server).setRole("editor", { role: "admin", graph: "a" }))
    await as("admin", `${template}; ConfiguredGraphFactory.create('a'); 1`)
    for (const name of ["reader", "editor"]) {
      for (const script of calls) {
        await expect(as(name, script), `${name}: ${script}`).rejects.toThrow(
          "may not manage graphs: this needs the role admin"
        )
      }
    }
    await as("editor", "a_traversal.addV().iterate()")
    expect(await as("reader", "a_traversal.V().count()")).toEqual([1])
    await expect(as("reader", "a.addVertex()")).rejects.toThrow("may not write to the graph 'a'")
    await expect(as("reader", "a_traversal.addV()")).rejects.toThrow("may not write to the graph 'a'")
  })

  it("admins with a lower role on one graph do not change that graph", async () => {
    const { as, server } = await withUsers({ ...withDynamicGraphs(), ...roles }, { admin: "admin", ada: "admin" })
    await as("admin", `${template}; ConfiguredGraphFactory.create('a'); ConfiguredGraphFactory.create('b'); 1`)
    await change(usersOf(server).setRole("ada", { role: "reader", graph: "a" }))
    await change(usersOf(server).setRole("ada", { role: "editor", graph: "c" }))
    for (const script of [
      "ConfiguredGraphFactory.close('a')",
      "ConfiguredGraphFactory.drop('a')",
      "ConfiguredGraphFactory.updateConfiguration('a', ['query.force-index': true])",
      "ConfiguredGraphFactory.removeConfiguration('a')",
      "ConfiguredGraphFactory.removeConfiguration('a', ['query.force-index'])",
      "ConfigurationManagementGraph.getInstance().removeConfiguration('a')",
      "ConfiguredGraphFactory.create('c')",
      "ConfiguredGraphFactory.createConfiguration(['graph.graphname': 'c', 'storage.backend': 'lmdb'])"
    ]) {
      await expect(as("ada", script), script).rejects.toThrow(
        /The user 'ada' may not manage the graph '[ac]': the role is (reader|editor), and it takes admin/
      )
    }
    expect(await as("ada", "ConfiguredGraphFactory.open('a'); a_traversal.V().count()")).toEqual([0])
    expect(await as("ada", "ConfiguredGraphFactory.getConfiguration('a').size() > 0")).toEqual([true])
    await as("ada", "ConfiguredGraphFactory.drop('b')")
    expect(await as("ada", "ConfiguredGraphFactory.getGraphNames()")).toEqual(["a"])
  })

  it("readers ask for the types of a graph, which only admins change", async () => {
    const { as } = await withUsers({ ...withDynamicGraphs(), ...roles }, { admin: "admin", reader: "reader" })
    await as("admin", `${template}; ConfiguredGraphFactory.create('a'); 1`)
    await as("admin", "a_traversal.addV('person').property('name', 'x').as('p').addE('knows').to('p').iterate()")
    for (const [script, answer] of [
      ["a.getPropertyKey('name').name()", "name"],
      ["a.getPropertyKey('name').dataType().getSimpleName()", "String"],
      ["a.getEdgeLabel('knows').toString()", "knows"],
      ["a.getRelationType('knows').multiplicity().toString()", "MULTI"],
      ["a.getVertexLabel('person').isStatic()", false],
      ["v = a_traversal.V().next(); v.vertexLabel().name()", "person"]
    ]) {
      expect(await as("reader", String(script)), String(script)).toEqual([answer])
    }
    await expect(as("reader", "a.openManagement()")).rejects.toThrow("may not manage the graph 'a'")
  })

  it("a user without access to a closed graph does not open it", async () => {
    const folder = newFolder()
    const first = await startInside(withDynamicGraphs(folder))
    await evaluated(first, `${template}; ConfiguredGraphFactory.create('a'); 1`)
    await first.end()
    const denying: Authorization = {
      admit: (_, request) => request,
      access: (user, graph, access) => {
        throw new Forbidden(`the user '${user.name}' may not ${access} the graph '${graph}'`)
      }
    }
    const second = await startInside(withDynamicGraphs(folder), { authorizer: Layer.succeed(Authorizer, denying) })
    await expect(evaluated(second, "a_traversal.V().count()")).rejects.toThrow("may not read the graph 'a'")
    await expect(evaluated(second, "a.close(); 1")).rejects.toThrow("may not read the graph 'a'")
    expect(Context.get(second.services, GraphRegistry).dynamic?.list()).toEqual([
      { name: "a", state: "closed", reason: undefined }
    ])
  })
})

describe("With authentication and without authorization", () => {
  it("nobody manages graphs", async () => {
    const { as } = await withUsers(withDynamicGraphs(), { anybody: "admin" })
    for (const script of calls) {
      await expect(as("anybody", script), script).rejects.toThrow(
        "graphs cannot be managed here, because no authorization"
      )
    }
  })

  it("everybody does if dynamicGraphs.allowed is true", async () => {
    const { as } = await withUsers(withDynamicGraphs(newFolder(), { allowed: true }), { anybody: "reader" })
    await as("anybody", `${template}; ConfiguredGraphFactory.create('a'); 1`)
    expect(await as("anybody", "a_traversal.V().count()")).toEqual([0])
  })
})

describe("Without a configuration graph", () => {
  it("the calls say what to configure, as JanusGraph does", async () => {
    const server = await startInside()
    await expect(evaluated(server, "ConfiguredGraphFactory.open('a')")).rejects.toThrow(
      'Please add a key named "ConfigurationManagementGraph" to the "graphs" property in your YAML file'
    )
  })
})

describe("At the same time", () => {
  it("graphs are created, used, closed and dropped", async () => {
    const server = await startInside(withDynamicGraphs(newFolder(), { maxOpenGraphs: 3 }))
    await evaluated(server, template)
    const names = ["a", "b", "c", "d", "e", "f"]
    await Promise.all(names.map((name) => evaluated(server, `ConfiguredGraphFactory.create('${name}'); 1`)))
    const storm = names.map(async (name) => {
      const work = [
        evaluated(server, `${name}_traversal.addV().iterate()`),
        evaluated(server, `ConfiguredGraphFactory.close('${name}')`),
        evaluated(server, `${name}_traversal.V().count()`)
      ]
      const [added] = await Promise.allSettled(work)
      return [name, added!.status] as const
    })
    // One after another: more graphs than may be open at the same time would be refused.
    for (const [name, added] of await Promise.all(storm)) {
      const [found] = await evaluated(server, `${name}_traversal.V().count()`)
      // A vertex whose request failed may be there: the graph may have been closed after the commit.
      expect([name, added, found]).toEqual([name, added, added === "fulfilled" ? 1 : expect.toBeOneOf([0, 1])])
    }
    const same = Array.from({ length: 8 }, () => evaluated(server, "ConfiguredGraphFactory.create('x'); 1"))
    const made = await Promise.allSettled(same)
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    const drops = Array.from({ length: 4 }, () => evaluated(server, "ConfiguredGraphFactory.drop('x')"))
    const dropped = await Promise.allSettled(drops)
    // A drop of a graph that is gone already does nothing, and one that has found the configuration before does not find it any more.
    const outcomes = dropped.map((drop) =>
      drop.status === "fulfilled" ? "done" : (drop.reason as Error).message.replace(/^Line.*?: /, "")
    )
    expect(outcomes).toContain("done")
    for (const outcome of outcomes) expect(outcome).toMatch(/^done$|^Please create configuration for this graph/)
    expect(await evaluated(server, "ConfiguredGraphFactory.getGraphNames()")).toEqual(names)
  })

  it("at most maxGraphs are configured, and those of one name have one configuration", async () => {
    const server = await startInside(withDynamicGraphs(newFolder(), { maxGraphs: 2 }))
    await evaluated(server, template)
    const made = await Promise.allSettled(
      ["a", "b", "c", "d"].map((name) => evaluated(server, `ConfiguredGraphFactory.create('${name}'); 1`))
    )
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(2)
    await expect(evaluated(server, "ConfiguredGraphFactory.create('z')")).rejects.toThrow("dynamicGraphs.maxGraphs")
  })
})
