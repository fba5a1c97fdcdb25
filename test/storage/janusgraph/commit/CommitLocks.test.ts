import { expect, it } from "vitest"
import type { Pending } from "../../../../src/scheduling/Pending.ts"
import type { CellBatch } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { attributeByName } from "../../../../src/storage/janusgraph/format/Attributes.ts"
import { runLater } from "../../../process/run.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** Records the locked cells. */
class LockingStore extends MemoryCellStore {
  locked: Array<string> = []

  override commit(work: (batch: CellBatch) => void): Pending {
    return super.commit((batch) => {
      const lock = (_table: string, _key: Uint8Array, column: Uint8Array): void => {
        this.locked.push(Buffer.from(column).toString("hex").slice(0, 4))
      }
      work(Object.assign(batch, { lock }))
    })
  }
}

it("A commit locks the cells of types with ConsistencyModifier.LOCK of which an existing vertex has at most one", async () => {
  const store = new LockingStore({ answersLater: true })
  const graph = await cellGraph(store)
  const editor = await graph.management.edit()
  const text = attributeByName("String")!
  const serial = editor.makeKey("serial", text, "SINGLE")
  const aliases = editor.makeKey("alias", text, "SET")
  const tags = editor.makeKey("tag", text, "LIST")
  const free = editor.makeKey("free", text, "SINGLE")
  const label = (name: string, multiplicity: "MULTI" | "SIMPLE" | "ONE2MANY" | "MANY2ONE") =>
    editor.makeLabel(name, multiplicity, false, [])
  const knows = label("knows", "MULTI")
  const likes = label("likes", "SIMPLE")
  const owns = label("owns", "ONE2MANY")
  const boss = label("boss", "MANY2ONE")
  for (const { id } of [serial, aliases, tags, knows, likes, owns, boss]) editor.setConsistency(id, "LOCK")
  await graph.management.commit(editor)

  /** The number of cells that a traversal locks. */
  const lockedBy = async (script: string): Promise<number> => {
    store.locked = []
    await runLater(graph, script)
    return store.locked.length
  }
  // A new vertex needs no locks.
  expect(await lockedBy("g.addV('a').property('serial', '1').property('tag', 'x').none()")).toBe(0)
  expect(await lockedBy("g.addV('b').none()")).toBe(0)
  expect(await lockedBy("g.V().hasLabel('a').property('serial', '2').none()")).toBe(1)
  expect(await lockedBy("g.V().hasLabel('b').property('serial', '1').none()")).toBe(1)
  expect(await lockedBy("g.V().hasLabel('a').property(set, 'alias', 'y').none()")).toBe(1)
  expect(await lockedBy("g.V().hasLabel('a').property(list, 'tag', 'z').property('free', 'w').none()")).toBe(0)
  expect(await lockedBy("g.V().hasLabel('a').properties('serial').drop()")).toBe(1)
  const edge = (name: string): string =>
    `g.V().hasLabel('a').as('a').V().hasLabel('b').addE('${name}').from('a').none()`
  expect(await lockedBy(edge("knows"))).toBe(0)
  expect(await lockedBy(edge("likes"))).toBe(1)
  expect(await lockedBy(edge("owns"))).toBe(1)
  expect(await lockedBy(edge("boss"))).toBe(1)
  expect(await lockedBy("g.V().outE('boss').drop()")).toBe(1)
  expect(free.name).toBe("free")
})
