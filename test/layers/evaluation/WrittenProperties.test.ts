import { describe, expect, it } from "vitest"
import { emptyTinkerGraph, tinkerGraphDefaults } from "../../../src/services/Config.ts"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { modern, startServer } from "../support/TestServers.ts"

const asking = async (settings: Parameters<typeof startServer>[0]) => {
  const { authority } = await startServer(settings)
  return async (script: string): Promise<unknown> => {
    const { json } = await post(authority, script)
    return json.result?.data ?? json.message
  }
}

const TAGGED = "v = g.addV('p').next(); v.property(set, 'tags', 'a'); v.property(set, 'tags', 'b'); "

describe.each([
  ["a graph in memory", () => modern],
  ["a graph on disk", () => onLmdb(newFolder())]
])("v.property(key, value) in %s", (_kind, settings) => {
  it("gives the property that has the value, also if the set had it", async () => {
    const ask = await asking(settings())
    const changed = `${TAGGED} p = v.property(set, 'tags', 'a'); p.property('since', 2020)
      [p.value(), p.key(), p.property('since').isPresent() || v.properties('tags').find { it.value() == 'a' }.value('since') == 2020,
       v.properties('tags').find { it.value() == 'b' }.property('since').isPresent()]`
    expect(await ask(changed)).toEqual(["a", "tags", true, false])
    expect(await ask(`${TAGGED} v.property(set, 'tags', 'a').remove(); v.values('tags').toList()`)).toEqual(["b"])
    const ids = `${TAGGED} v.property(set, 'tags', 'a').id() == v.properties('tags').find { it.value() == 'a' }.id()`
    expect(await ask(ids)).toEqual([true])
  })

  it("gives the new one of equal values of a list, and the only one of a single key", async () => {
    const ask = await asking(settings())
    const listed = `v = g.addV('p').next(); first = v.property(list, 'l', 1); v.property(list, 'l', 2)
      last = v.property(list, 'l', 1); [first.id() == last.id(), v.properties('l').toList().size()]`
    expect(await ask(listed)).toEqual([false, 3])
    const single =
      "v = g.addV('p').next(); v.property(single, 's', 1); p = v.property(single, 's', 2); [p.value(), p.key()]"
    expect(await ask(single)).toEqual([2, "s"])
  })

  it("gives the property of an edge, and the meta-property of a property", async () => {
    const ask = await asking(settings())
    const edge =
      "v = g.addV('p').next(); e = v.addEdge('self', v); p = e.property('since', 7); [p.value(), p.key(), p.element() == e]"
    expect(await ask(edge)).toEqual([7, "since", true])
    expect(await ask(`${TAGGED} m = v.property(set, 'tags', 'a').property('by', 'x'); [m.key(), m.value()]`)).toEqual([
      "by",
      "x"
    ])
  })

  it("gives an empty property for null, and removes a single value", async () => {
    const ask = await asking(settings())
    const vertex = `v = g.addV('p').property(single, 'a', 1).next(); p = v.property('a', null)
      [p.isPresent(), p.orElse('none'), v.values('a').toList()]`
    expect(await ask(vertex)).toEqual([false, "none", []])
    const edge = `v = g.addV('p').next(); e = v.addEdge('self', v, 'since', 7); p = e.property('since', null)
      [p.isPresent(), e.property('other', null).isPresent(), e.keys().size()]`
    expect(await ask(edge)).toEqual([false, false, 0])
  })

  it("fails for an element that was removed", async () => {
    const ask = await asking(settings())
    expect(await ask("v = g.addV('p').next(); g.V(v).drop().iterate(); v.property('a', 1)")).toMatch(/not in the graph/)
  })

  it("gives a property that the strategies of its source hide", async () => {
    const ask = await asking(settings())
    const hidden = `${TAGGED} s = g.withStrategies(new SubgraphStrategy(vertexProperties: __.not(hasValue('a'))))
      s.V(v).map { it.get().property(set, 'tags', 'a').value() }`
    expect(await ask(hidden)).toEqual(["a"])
  })
})

describe("A graph that keeps nulls", () => {
  it("gives the property with the value null", async () => {
    const tinkergraph = { ...tinkerGraphDefaults, allowNullPropertyValues: true }
    const graph = { ...emptyTinkerGraph, name: "graph", factory: { kind: "TinkerGraph", tinkergraph } } as const
    const ask = await asking({ graphs: new Map([["graph", graph]]) })
    expect(await ask("v = g.addV('p').next(); p = v.property('a', null); [p.isPresent(), p.value(), p.key()]")).toEqual(
      [true, null, "a"]
    )
  })
})

describe("A schema that ignores unknown keys", () => {
  it("gives an empty property for such a key", async () => {
    const ask = await asking(onLmdb(newFolder(), "schema.default=ignore-prop"))
    const made = "m = graph.openManagement(); m.makeVertexLabel('p').make(); m.makeEdgeLabel('e').make(); m.commit()"
    await ask(made)
    const script =
      "v = g.addV('p').next(); [v.property('x', 1).isPresent(), v.addEdge('e', v).property('y', 1).isPresent()]"
    expect(await ask(script)).toEqual([false, false])
  })

  it("gives the property of a set with the value that the key converts", async () => {
    const ask = await asking(onLmdb(newFolder(), "schema.default=none"))
    await ask(
      "m = graph.openManagement(); m.makeVertexLabel('p').make(); " +
        "m.makePropertyKey('n').dataType(Long.class).cardinality(Cardinality.SET).make(); m.commit()"
    )
    const script =
      "v = g.addV('p').next(); v.property('n', 1); v.property('n', 2); v.property('n', 1).remove(); v.values('n').toList()"
    expect(await ask(script)).toEqual([2])
  })
})
