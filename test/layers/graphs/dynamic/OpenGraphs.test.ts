import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { GraphRegistry } from "../../../../src/services/GraphRegistry.ts"
import { RequestPool } from "../../../../src/services/RequestPool.ts"
import { newFolder } from "../../../Folders.ts"
import { patience } from "../../../Limits.ts"
import { evaluated, withDynamicGraphs } from "../../support/DynamicGraphs.ts"
import { SocketClient } from "../../support/SocketClient.ts"
import { eventually, type InsideServer, startInside } from "../../support/TestServers.ts"

const template = (backend: string) =>
  `ConfiguredGraphFactory.createTemplateConfiguration(['storage.backend': '${backend}'])`

const states = (server: InsideServer) =>
  Context.get(server.services, GraphRegistry)
    .dynamic!.list()
    .map(({ name, state }) => `${name} ${state}`)

describe("An open graph", () => {
  it("closes when no request uses it, and keeps its data", async () => {
    const server = await startInside(withDynamicGraphs(newFolder(), { idleTimeout: 50 }))
    await evaluated(server, `${template("lmdb")}; ConfiguredGraphFactory.create('a'); 1`)
    await evaluated(server, "a_traversal.addV().iterate()")
    await eventually(() => states(server).includes("a closed"))
    expect(await evaluated(server, "a_traversal.V().count()")).toEqual([1])
  })

  it("in memory stays open, and counts against the limit", async () => {
    const server = await startInside(withDynamicGraphs(newFolder(), { idleTimeout: 20, maxOpenGraphs: 2 }))
    await evaluated(
      server,
      `${template("inmemory")}; ConfiguredGraphFactory.create('a'); ConfiguredGraphFactory.create('b'); 1`
    )
    await evaluated(server, "a_traversal.addV().iterate(); ConfiguredGraphFactory.getGraphNames()")
    await expect(evaluated(server, "ConfiguredGraphFactory.create('c')")).rejects.toThrow("dynamicGraphs.maxOpenGraphs")
    await expect(evaluated(server, "ConfiguredGraphFactory.close('a')")).rejects.toThrow("in memory")
    expect(await evaluated(server, "a_traversal.V().count()")).toEqual([1])
    await evaluated(server, "ConfiguredGraphFactory.drop('b'); ConfiguredGraphFactory.create('c'); 1")
  })

  it("does not count as unused when a request opens it again", async () => {
    const server = await startInside(withDynamicGraphs(newFolder(), { idleTimeout: 60_000, maxOpenGraphs: 2 }))
    await evaluated(server, `${template("lmdb")}; ConfiguredGraphFactory.create('a'); 1`)
    await evaluated(server, "ConfiguredGraphFactory.create('b'); 1")
    await evaluated(server, "ConfiguredGraphFactory.open('a'); 1")
    await evaluated(server, "ConfiguredGraphFactory.create('c'); 1")
    expect(states(server)).toEqual(["a open", "b closed", "c open"])
  })

  it("makes room for others when too many are open", async () => {
    const server = await startInside(withDynamicGraphs(newFolder(), { maxOpenGraphs: 2 }))
    await evaluated(server, template("lmdb"))
    for (const name of ["a", "b", "c"]) {
      await evaluated(server, `ConfiguredGraphFactory.create('${name}').addVertex('x'); 1`)
    }
    expect(states(server)).toEqual(["a closed", "b open", "c open"])
    for (const name of ["a", "b", "c", "a"]) {
      expect(await evaluated(server, `${name}_traversal.V().count()`)).toEqual([1])
    }
  })

  it("that a session uses closes after its transaction, and the session finds it again", async () => {
    const server = await startInside(withDynamicGraphs(newFolder(), { idleTimeout: 400 }))
    await evaluated(server, `${template("lmdb")}; ConfiguredGraphFactory.create('a'); 1`)
    const client = await SocketClient.connect(server.authority)
    const send = async (gremlin: string) => {
      const { status } = await client.eval(gremlin, { session: "s" })
      if (status.code >= 400) throw new Error(String(status.message))
    }
    await send("x = ConfiguredGraphFactory.open('a'); x.addVertex('x')")
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(states(server)).toEqual(["a open"])
    await send("x.tx().commit()")
    await eventually(() => states(server).includes("a closed"))
    await send("x.addVertex('y'); x.tx().commit()")
    expect(await evaluated(server, "a_traversal.V().count()")).toEqual([2])
    client.close()
  })

  it("is dropped when its requests have ended; new requests do not find it", async () => {
    const folder = newFolder()
    const server = await startInside(withDynamicGraphs(folder))
    await evaluated(server, `${template("lmdb")}; ConfiguredGraphFactory.create('a').addVertex('x'); 1`)
    const order: Array<string> = []
    const noted = (request: Promise<unknown>, answered: string): Promise<unknown> =>
      request.then(
        () => order.push(answered),
        (error: Error) => order.push(error.message)
      )
    // A drop waits ten seconds for requests, on a slow machine too.
    const evaluationTimeout = Math.min(8_000, 5_000 * patience)
    const endlessly = evaluated(server, "a_traversal.V().repeat(__.identity()).until(__.is(2))", { evaluationTimeout })
    const long = noted(endlessly, "ended")
    await eventually(() => Context.get(server.services, RequestPool).status().running === 1)
    const dropped = noted(evaluated(server, "ConfiguredGraphFactory.drop('a')"), "dropped")
    await eventually(() => !states(server).includes("a open"))
    const late = expect(evaluated(server, "a_traversal.V().count()")).rejects.toThrow(
      "create configuration for this graph"
    )
    order.push("asked")
    expect(existsSync(join(folder, "graphs", "a"))).toBe(true)
    await Promise.all([long, dropped, late])
    expect(order).toEqual(["asked", expect.stringContaining("evaluationTimeout"), "dropped"])
    expect(existsSync(join(folder, "graphs", "a"))).toBe(false)
    await expect(evaluated(server, "a_traversal.V()")).rejects.toThrow("a_traversal")
  })

  it("is closed with the server, while it is opened, used and dropped", async () => {
    const folder = newFolder()
    const server = await startInside(withDynamicGraphs(folder))
    await evaluated(server, template("lmdb"))
    const works = ["a", "b", "c", "d"].map((name) => evaluated(server, `ConfiguredGraphFactory.create('${name}'); 1`))
    const drops = Promise.allSettled([...works, evaluated(server, "ConfiguredGraphFactory.drop('a')")])
    await server.end()
    await drops
    const again = await startInside(withDynamicGraphs(folder))
    const names = await evaluated(again, "ConfiguredGraphFactory.getGraphNames()")
    for (const name of names) expect(await evaluated(again, `${String(name)}_traversal.V().count()`)).toEqual([0])
  })
})
