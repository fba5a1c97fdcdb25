import { expect, it } from "vitest"
import { writeOrdered, writeTyped } from "../../../../src/storage/janusgraph/format/Attribute.ts"
import { attributeByName } from "../../../../src/storage/janusgraph/format/Attributes.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { StoredArray } from "../../../../src/storage/janusgraph/format/JavaValues.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { double, Float } from "../../../../src/structure/numbers/Numbers.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { settled } from "../../Completion.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** NaN with its sign bit, as x86 processors calculate it. */
const negative = (): number => new DataView(new BigUint64Array([0xfff8000000000000n]).buffer).getFloat64(0, true)

const hex = (write: (writer: ByteWriter) => void): string => {
  const writer = new ByteWriter()
  write(writer)
  return writer.copy().toString("hex")
}

it.each([
  ["Double", negative(), Number.NaN],
  ["Double", double(negative()), Number.NaN],
  ["Float", new Float(negative()), new Float(Number.NaN)],
  ["float[]", new StoredArray("float", [new Float(negative())]), new StoredArray("float", [new Float(Number.NaN)])]
])("Every NaN of the type %s has Java's bits", (name, value, nan) => {
  const type = attributeByName(name)!
  const plain = hex((writer) => writeTyped(writer, type, value))
  expect(plain).toBe(hex((writer) => writeTyped(writer, type, nan)))
  expect(plain).toMatch(/(7ff8000000000000|7fc00000)$/)
  if (type.ordered === undefined) return
  const ordered = hex((writer) => writeOrdered(writer, type, value))
  expect(ordered).toBe(hex((writer) => writeOrdered(writer, type, nan)))
  expect(ordered).toMatch(/(fff8000000000000|ffc00000)$/)
})

it("A NaN with a sign is in no range of an ordered index, and sorts last", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const editor = await graph.management.edit()
  const keys = [editor.makeKey("size", dataTypeOf("Double"), "SINGLE")]
  editor.makeIndex({ name: "bySize", element: "vertex", kind: "ordered", unique: false, keys })
  await graph.management.commit(editor)
  const transaction = graph.begin()
  const add = (size: unknown) =>
    transaction.setVertexProperty(transaction.addVertex("n", undefined), null, "size", size)
  add(double(1))
  // An array of numbers would change the bits.
  add(double(negative()))
  add(double(Number.NEGATIVE_INFINITY))
  await settled(transaction.commit())
  const ask = async (script: string) => (await runLater(graph, script)).map(text)
  expect(await ask("g.V().has('size', lt(5)).count()")).toEqual(["2"])
  expect(await ask("g.V().order().by('size').values('size')")).toEqual(["-Infinity", "1.0", "NaN"])
})
