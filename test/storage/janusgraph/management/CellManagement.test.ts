import { expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { indexRowPrefix } from "../../../../src/storage/janusgraph/indexes/IndexEntries.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { GraphIndex } from "../../../../src/storage/janusgraph/schema/Schema.ts"
import { runLater } from "../../../process/run.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** Five vertices with `name`, `age` and `size`, and a mixed index `words` on `name`. */
const graphOver = async (store: MemoryCellStore): Promise<CellGraph> => {
  const graph = await cellGraph(store)
  const editor = await graph.management.edit()
  const keys = ["name", "age", "size"].map((name) => editor.makeKey(name, dataTypeOf("Integer"), "SINGLE"))
  editor.makeIndex({ name: "words", element: "vertex", kind: "mixed", unique: false, keys: keys.slice(0, 1) })
  await graph.management.commit(editor)
  for (let i = 0; i < 5; i++) {
    await runLater(graph, `g.addV('n').property('name', ${i}).property('age', ${i}).property('size', ${i})`)
  }
  return graph
}

const indexOf = async (graph: CellGraph, name: string): Promise<GraphIndex | undefined> =>
  (await graph.management.schema()).indexes.find((index) => index.name === name)

const addKeys = async (graph: CellGraph, ...names: ReadonlyArray<string>): Promise<void> => {
  const editor = await graph.management.edit()
  for (const name of names) editor.addIndexKey((await indexOf(graph, "words"))!, editor.key(name)!)
  await graph.management.commit(editor)
}

it("An index that gets a key is queried only after it contains the existing values of the key", async () => {
  const graph = await graphOver(new MemoryCellStore())
  await addKeys(graph, "age")
  expect((await indexOf(graph, "words"))?.status).toBe("REGISTERED")
  expect(await runLater(graph, "g.V().has('age', lt(3)).count()")).toEqual([3n])
  await graph.management.built("words")
  expect((await indexOf(graph, "words"))?.status).toBe("ENABLED")
  expect(await runLater(graph, "g.V().has('age', lt(3)).count()")).toEqual([3n])
  await graph.close()
})

it("Keys that one commit adds to an index have separate positions, in the order of addition", async () => {
  const graph = await graphOver(new MemoryCellStore())
  await addKeys(graph, "size", "age")
  await graph.management.built("words")
  expect((await indexOf(graph, "words"))?.fields.map(({ name }) => name)).toEqual(["name", "size", "age"])
  expect(await runLater(graph, "g.V().has('size', lt(3)).has('age', gt(1)).count()")).toEqual([1n])
  await graph.close()
})

it("An index keeps its status when its build fails for a reason other than its values", async () => {
  const store = new MemoryCellStore()
  const graph = await graphOver(store)
  const { id } = (await indexOf(graph, "words"))!
  const { commit } = store
  store.commit = () => {
    store.commit = commit
    return store.commit(() => expect.fail("the disk is full"))
  }
  await expect(graph.management.rebuild(id)).rejects.toThrow("the disk is full")
  expect((await indexOf(graph, "words"))?.status).toBe("ENABLED")
  await graph.close()
})

/** Makes a commit fail after a number of successful ones. */
const failAfter = (store: MemoryCellStore, commits: number): void => {
  const { commit } = store
  let left = commits
  store.commit = (work) => {
    if (left-- > 0) return commit.call(store, work)
    store.commit = commit
    return store.commit(() => expect.fail("the disk is full"))
  }
}

it("An index whose first build has failed is not queried, reports the reason, and is built by the next createIndex()", async () => {
  const store = new MemoryCellStore()
  const graph = await graphOver(store)
  failAfter(store, 1)
  await expect(graph.management.createIndex("age", "vertex")).rejects.toThrow("the disk is full")
  const { id, status } = (await indexOf(graph, "vertex:age"))!
  expect([status, String(graph.management.failure(id))]).toEqual([
    "REGISTERED",
    expect.stringContaining("the disk is full")
  ])
  expect(String(graph.management.failure("vertex:age"))).toContain("the disk is full")
  expect(graph.management.indexedKeys("vertex")).toEqual(["name"])
  await graph.management.createIndex("age", "vertex")
  expect((await indexOf(graph, "vertex:age"))?.status).toBe("ENABLED")
  expect(graph.management.failure(id)).toBeUndefined()
  expect(await runLater(graph, "g.V().has('age', 3).count()")).toEqual([1n])
  await graph.management.setStatus(id, "DISABLED")
  await graph.management.createIndex("age", "vertex")
  expect((await indexOf(graph, "vertex:age"))?.status).toBe("ENABLED")
  await graph.close()
})

it("An index that another process creates while createIndex() looks at the schema is the one that it waits for", async () => {
  const graph = await graphOver(new MemoryCellStore())
  const { management } = graph
  const { edit } = management
  management.edit = async () => {
    management.edit = edit
    await management.createIndex("age", "vertex")
    return edit.call(management)
  }
  await management.createIndex("age", "vertex")
  expect((await indexOf(graph, "vertex:age"))?.status).toBe("ENABLED")
  await graph.close()
})

it("An index whose removal was interrupted is not queried, and is removed by the next start", async () => {
  const store = new MemoryCellStore()
  const graph = await graphOver(store)
  await graph.management.createIndex("age", "vertex")
  const { id } = (await indexOf(graph, "vertex:age"))!
  failAfter(store, 1)
  await expect(graph.management.drop(id)).rejects.toThrow("the disk is full")
  expect((await indexOf(graph, "vertex:age"))?.status).toBe("DISCARDED")
  await expect(graph.management.enable(id)).rejects.toThrow("was dropped by another management transaction")
  await expect(graph.management.setStatus(id, "ENABLED")).rejects.toThrow(
    "was dropped by another management transaction"
  )
  expect(await runLater(graph, "g.V().has('age', 3).count()")).toEqual([1n])

  const next = await cellGraph(store)
  await next.management.createIndex("age", "vertex")
  expect((await indexOf(next, "vertex:age"))?.id).not.toBe(id)
  expect(next.core.schema.indexes.map(({ status }) => status)).toEqual(["ENABLED", "ENABLED"])
  const key = Buffer.from(indexRowPrefix({ id })).toString("hex")
  expect(store.dump().filter((line) => line.startsWith(`graphindex ${key}`))).toEqual([])
})

it("An index that is disabled during its build stays disabled, and is complete after it is enabled again", async () => {
  const graph = await graphOver(new MemoryCellStore())
  const { id } = (await indexOf(graph, "words"))!
  await addKeys(graph, "age")
  await graph.management.setStatus(id, "DISABLED")
  await graph.management.done(id)
  expect((await indexOf(graph, "words"))?.status).toBe("DISABLED")
  await runLater(graph, "g.V().has('age', 4).property('age', 1)")
  await graph.management.enable(id)
  expect((await indexOf(graph, "words"))?.status).toBe("ENABLED")
  expect(await runLater(graph, "g.V().has('age', lt(3)).count()")).toEqual([4n])
  await graph.close()
})

it("A key that is added to an index during a build is built too", async () => {
  const graph = await graphOver(new MemoryCellStore())
  await addKeys(graph, "age")
  await addKeys(graph, "size")
  await graph.management.built("words")
  expect((await indexOf(graph, "words"))?.status).toBe("ENABLED")
  expect(await runLater(graph, "g.V().has('size', lt(3)).count()")).toEqual([3n])
  await graph.close()
})

it("Two management transactions can both set the first time to live of a graph", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const editors = [await graph.management.edit(), await graph.management.edit()]
  for (const [at, editor] of editors.entries()) {
    editor.setTimeToLive(editor.makeKey(`mood${at}`, dataTypeOf("String"), "SINGLE"), 10)
  }
  for (const editor of editors) await graph.management.commit(editor)
  const { keys, modifiers } = await graph.management.schema()
  expect([[...keys.keys()].sort(), [...modifiers.timesToLive.values()]]).toEqual([
    ["engine-expires", "mood0", "mood1"],
    [10, 10]
  ])
  await graph.close()
})

it("A key of the data type Object and the cardinality SET is refused, and takes no id of the schema", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const editor = await graph.management.edit()
  const first = editor.makeKey("first", dataTypeOf("String"), "SET").id
  expect(() => editor.makeKey("any", dataTypeOf("Object"), "SET")).toThrow(
    "The property key any cannot have the data type Object and the cardinality SET"
  )
  const [second, third] = ["second", "third"].map((name) => editor.makeKey(name, dataTypeOf("Object"), "LIST").id)
  expect(second! - first).toBe(third! - second!)
  await graph.close()
})
