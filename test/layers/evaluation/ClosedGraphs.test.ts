import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { type Authorization, Authorizer } from "../../../src/services/Authorizer.ts"
import { Forbidden } from "../../../src/services/Errors.ts"
import { GraphRegistry } from "../../../src/services/GraphRegistry.ts"
import { newFolder } from "../../Folders.ts"
import { evaluated, withDynamicGraphs } from "../support/DynamicGraphs.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startInside } from "../support/TestServers.ts"

const template = "ConfiguredGraphFactory.createTemplateConfiguration(new MapConfiguration(['storage.backend': 'lmdb']))"

/** A server whose graphs `person`, `a` and `b` are closed. `denied`: the graph that nobody may read. */
const withClosedGraphs = async (denied?: string) => {
  const folder = newFolder()
  const first = await startInside(withDynamicGraphs(folder))
  await evaluated(first, `${template}; for (n in ['person', 'a', 'b']) ConfiguredGraphFactory.create(n); 1`)
  await first.end()
  const denying: Authorization = {
    admit: (_, request) => request,
    access: (_, graph) => {
      if (graph === denied) throw new Forbidden(`nobody may read the graph '${graph}'`)
    }
  }
  const parts = denied === undefined ? {} : { authorizer: Layer.succeed(Authorizer, denying) }
  const server = await startInside(withDynamicGraphs(folder), parts)
  const dynamic = Context.get(server.services, GraphRegistry).dynamic!
  const open = () =>
    dynamic
      .list()
      .filter(({ state }) => state === "open")
      .map(({ name }) => name)
  return { server, open, close: (graph: string) => dynamic.close(graph) }
}

describe("A closed graph", () => {
  it("is not opened by a script that has its name as a text, a key, a member, a comment or a variable of its own", async () => {
    const { server, open } = await withClosedGraphs("person")
    for (const script of [
      "g.V().hasLabel('person').count().next()",
      "g.V().hasLabel('person').count()",
      "g.V().has('person_traversal', 'person').count().next() // person.close()",
      "/* person */ [person: 0].person",
      "person = 0; person",
      "x = 0; if (x == 0) { def person = x; person }; x",
      "[0].collect { person -> person }[0]",
      "[0].collect(person -> person)[0]",
      "def f(person) { person }; f(0)",
      "for (person in [0]) { x = person }; x",
      "try { throw new IllegalStateException('0') } catch (Exception person) { person.message as int }"
    ]) {
      expect(await evaluated(server, script), script).toEqual([0])
    }
    const more = { bindings: { x: 0 } }
    expect(await evaluated(server, `${"/* person */ ".repeat(6_000)} "person \${x}"; 0`, more)).toEqual([0])
    expect(open()).toEqual([])
    await expect(evaluated(server, "g.V().hasLabel('person').count().next(); person.close()")).rejects.toThrow(
      "nobody may read the graph 'person'"
    )
  })

  it("is opened by a script that reads its name", async () => {
    const { server, open, close } = await withClosedGraphs()
    for (const script of [
      "a_traversal.V().count()",
      "a_traversal.V().count().next()",
      "a_traversal.withSideEffect('x', 1).V().count().next()",
      "a.traversal().V().count().next()",
      "s = a_traversal; s.V().count().next()",
      '"$a".isEmpty() ? 1 : 0',
      "def f() { a_traversal.V().count().next() }; f()",
      "[1].collect { a -> a }; a.traversal().V().count().next()",
      "def f(a) { a }; a.traversal().V().count().next()",
      "for (a in [1]) { }; a.traversal().V().count().next()",
      "if (false) a = 1; a.traversal().V().count().next()",
      "if (false) { def a = 1 }; a.traversal().V().count().next()",
      "try { 1 } catch (Exception a) { }; a.traversal().V().count().next()",
      "[1].collect(a -> a); a.traversal().V().count().next()",
      "JanusGraphManager.getInstance().getTraversalSource('a' + '_traversal').V().count().next()"
    ]) {
      expect(await evaluated(server, script), script).toEqual([0])
      expect(open(), script).toEqual(["a"])
      await close("a")
    }
  })

  it("is opened by a long script, which is parsed in slices and declares the name in a block", async () => {
    const { server, open } = await withClosedGraphs()
    const block = `for (i in 0..<1) { def person = 0; ${"x = person\n".repeat(3_000)} }\n`
    const script = `${block.repeat(4)} x + a.traversal().V().count().next()`
    expect(await evaluated(server, script)).toEqual([0])
    expect(open()).toEqual(["a"])
  })

  it("in a variable of a session is opened by a script that reads the variable, or calls a function of the session", async () => {
    const { server, open } = await withClosedGraphs()
    const client = await SocketClient.connect(server.authority)
    const inSession = async (script: string) => {
      const { result, status } = await client.eval(script, { session: "s" })
      return status.code === 200 ? result.data : status.message
    }
    expect(await inSession("x = a; y = b; 1")).toEqual([1])
    expect(await inSession("ConfiguredGraphFactory.close('a'); ConfiguredGraphFactory.close('b'); 1")).toEqual([1])
    expect(await inSession("g.V().count().next()")).toEqual([0])
    expect(open()).toEqual([])
    expect(await inSession("g = a.traversal(); ConfiguredGraphFactory.close('a'); 1")).toEqual([1])
    expect(await inSession("g.V().count().next()")).toEqual([0])
    expect(open()).toEqual(["a"])
    await inSession("ConfiguredGraphFactory.close('a'); 1")
    expect(await inSession("x.traversal().V().count().next()")).toEqual([0])
    expect(open()).toEqual(["a"])
    await inSession("def f() { y.traversal().V().count().next() }; ConfiguredGraphFactory.close('b'); 1")
    expect(await inSession("f()")).toEqual([0])
  })

  it("in a variable of a session is opened by a script that calls a closure in a collection", async () => {
    const { server } = await withClosedGraphs()
    const client = await SocketClient.connect(server.authority)
    const inSession = async (script: string) => (await client.eval(script, { session: "s" })).result.data
    await inSession("h = a.traversal(); ops = [n: { h.V().count().next() }]; ConfiguredGraphFactory.close('a'); 1")
    expect(await inSession("ops.n()")).toEqual([0])
  })
})
