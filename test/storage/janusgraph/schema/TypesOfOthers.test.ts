import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { settled } from "../../Completion.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

describe.each([false, true])("A transaction that began before a type was defined (asynchronous store: %s)", (later) => {
  const opened = async () => {
    const graph = await cellGraph(new MemoryCellStore({ answersLater: later }))
    const session = graph.begin()
    const ask = (script: string) => runLater(graph, script, { as: text })
    const define = async () => {
      const editor = await graph.management.edit()
      editor.makeKey("age", dataTypeOf("Long"), "LIST")
      editor.makeLabel("boss", "MANY2ONE", false, [])
      editor.makeVertexLabel("person", false, false)
      await graph.management.commit(editor)
    }
    return { graph, session, ask, define }
  }

  const defineSpecial = async (graph: CellGraph) => {
    const editor = await graph.management.edit()
    editor.makeVertexLabel("fixed", true, false)
    editor.makeVertexLabel("part", false, true)
    editor.setTimeToLive(editor.makeKey("code", dataTypeOf("String"), "SINGLE"), 100)
    editor.setTimeToLive(editor.makeLabel("short", "MULTI", false, []), 100)
    await graph.management.commit(editor)
  }

  it("takes the type when it has not used the name", async () => {
    const { ask, define, graph, session } = await opened()
    await define()
    const person = session.addVertex("person", undefined)
    for (const age of [5, 6]) session.setVertexProperty(person, null, "age", age)
    session.addEdge(person, "boss", person, undefined)
    await settled(session.commit())
    const { keys, labels } = graph.core.newestSchema()
    expect(keys.get("age")).toMatchObject({ cardinality: "LIST", dataType: { name: "Long" } })
    expect(labels.get("boss")?.multiplicity).toBe("MANY2ONE")
    expect(await ask("g.V().hasLabel('person').values('age')")).toEqual(["5", "6"])
    expect(await ask("g.V().out('boss').count()")).toEqual(["1"])
  })

  it("conflicts when it has created the type with another definition before", async () => {
    const { define, session } = await opened()
    session.setVertexProperty(session.addVertex("person", undefined), null, "age", 5)
    await define()
    await expect(settled(session.commit())).rejects.toThrow("the type age was defined")
  })

  it("commits when it has created the type with the same definition before", async () => {
    const { ask, graph, session } = await opened()
    session.setVertexProperty(session.addVertex("person", undefined), null, "age", 5n)
    const editor = await graph.management.edit()
    editor.makeKey("age", dataTypeOf("Long"), "SINGLE")
    await graph.management.commit(editor)
    await settled(session.commit())
    // The property has the key that was defined: a search by the other key of the name would not find it.
    const { keys } = graph.core.newestSchema()
    expect(keys.get("age")).toMatchObject({ cardinality: "SINGLE", dataType: { name: "Long" } })
    expect(await ask("g.V().hasLabel('person').has('age', 5l).values('age')")).toEqual(["5"])
    expect(await ask("g.V().hasLabel('person').property('age', 6l).values('age')")).toEqual(["6"])
    expect(await ask("g.V().values('age')")).toEqual(["6"])
  })

  it("takes static and partitioned labels and types with a TTL when it has not used their names", async () => {
    const { ask, graph, session } = await opened()
    await defineSpecial(graph)
    if (later)
      await Promise.all([graph.core.ids.ensure("unmodifiableVertex", 1), graph.core.ids.ensure("partitionedVertex", 1)])
    const [fixed, part] = [session.addVertex("fixed", undefined), session.addVertex("part", undefined)]
    session.setVertexProperty(fixed, null, "code", "x")
    session.addEdge(fixed, "short", part, undefined)
    await settled(session.commit())
    expect(await ask("g.V().hasLabel('fixed').out('short').label()")).toEqual(["part"])
    expect((await ask("g.V().order().by(label).id()")).map((id) => Number(id) % 8)).toEqual([4, 2])
    await expect(ask("g.V().hasLabel('fixed').property('name', 'y')")).rejects.toThrow("is static")
  })

  it("conflicts when it has created such a label or key as an ordinary one before", async () => {
    for (const label of ["fixed", "part"]) {
      const { graph, session } = await opened()
      session.addVertex(label, undefined)
      await defineSpecial(graph)
      await expect(settled(session.commit())).rejects.toThrow(`the type ${label} was defined`)
    }
    const { graph, session } = await opened()
    session.setVertexProperty(session.addVertex("person", undefined), null, "code", "x")
    await defineSpecial(graph)
    await expect(settled(session.commit())).rejects.toThrow("the type code was defined")
  })
})
