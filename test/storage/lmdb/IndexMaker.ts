import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { change } from "./SharedChanger.ts"
import { openShared } from "./SharedWriter.ts"

/** Creates indexes over existing elements, adds keys to them, builds them again and drops them, in an endless loop. */
const makeAndDrop = async ({ core, management }: CellGraph): Promise<never> => {
  const idOf = (name: string): number | undefined => core.schema.indexes.find((index) => index.name === name)?.id
  for (;;) {
    const editor = await management.edit()
    const [word, size] = [editor.key("word")!, editor.key("size")!]
    const index = { unique: false, element: "vertex" } as const
    if (idOf("words") === undefined) editor.makeIndex({ ...index, name: "words", kind: "mixed", keys: [word] })
    if (idOf("sizes") === undefined) {
      editor.makeIndex({ ...index, element: "edge", name: "sizes", kind: "ordered", keys: [size] })
    }
    const [joins, name] = [editor.label("joins")!, "bySize"]
    if (editor.relationIndex(joins.id, name) === undefined) editor.makeRelationIndex(joins, name, "BOTH", true, [size])
    await management.commit(editor)
    for (const made of ["words", "sizes"]) await management.built(made)
    const words = core.schema.indexes.find((index) => index.name === "words")!
    if (words.fields.length === 1) {
      const next = await management.edit()
      next.addIndexKey(words, size)
      await management.commit(next)
      await management.built("words")
    }
    await management.rebuild(idOf("sizes")!)
    for (const dropped of ["words", "sizes"]) await management.drop(idOf(dropped)!)
    const relationIndex = core.schema.relationIndexes.find(({ type }) => type.name.endsWith(`:${name}`))
    if (relationIndex !== undefined) await management.drop(relationIndex.type.id)
  }
}

const [directory] = process.argv.slice(2)
if (process.argv[1]?.endsWith("IndexMaker.mjs") && directory !== undefined) {
  const graph = await openShared(directory, "maker")
  process.stdout.write("begun\n")
  await Promise.all([makeAndDrop(graph), change(graph, () => false)])
}
