import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect, it } from "vitest"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { eventually } from "../../Eventually.ts"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { runLater } from "../../process/run.ts"
import { findingsIn } from "../janusgraph/Findings.ts"
import { change } from "./SharedChanger.ts"
import { openShared } from "./SharedWriter.ts"

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 6)
const MAX_ROUNDS = 5 * ROUNDS

it("A process that is killed while it builds, changes and drops indexes leaves indexes that the next process completes", async () => {
  const directory = newFolder()
  const first = await openShared(directory, "first")
  const types = await first.management.edit()
  for (const [name, type] of Object.entries({ word: "String", size: "Integer" })) {
    types.makeKey(name, dataTypeOf(type), "SINGLE")
  }
  types.makeLabel("joins", "MULTI", false, [])
  await first.management.commit(types)
  let left = 600
  await change(first, () => left-- === 0)
  await first.close()
  const bundle = await bundled({ IndexMaker: "test/storage/lmdb/IndexMaker.ts" })
  const interrupted = new Set<string>()
  // At least one kill interrupts a build or a removal: on a slow machine, one of those that come later.
  const hasInterrupted = (): boolean => [...interrupted].some((status) => status !== "ENABLED")
  for (let round = 0; round < ROUNDS || !(hasInterrupted() || round === MAX_ROUNDS); round++) {
    const child = spawn(process.execPath, [join(bundle, "IndexMaker.mjs"), directory], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    await once(child.stdout, "data")
    await setTimeout(20 + ((round * 137) % 400) * Math.ceil((round + 1) / ROUNDS))
    child.kill("SIGKILL")
    await once(child, "exit")

    const graph = await openShared(directory, "next")
    const { core, management } = graph
    const indexes = () => [
      ...core.schema.indexes,
      ...core.schema.relationIndexes.map(({ status, type }) => ({ name: type.name, status, id: type.id }))
    ]
    for (const { status } of indexes()) interrupted.add(status)
    for (const { id } of indexes()) await management.done(id)
    await eventually(() => indexes().every(({ status }) => status !== "DISCARDED"))
    expect(indexes().filter(({ status }) => status !== "ENABLED")).toEqual([])
    expect(findingsIn(core)).toEqual([])
    for (const condition of ["has('word', textContains('2'))", "has('size', 4)"]) {
      const [found, scanned] = await Promise.all(
        ["g.V()", "g.V().fold().unfold()"].map((from) => runLater(graph, `${from}.${condition}.count()`))
      )
      expect(found).toEqual(scanned)
    }
    await graph.close()
  }
  expect(hasInterrupted(), "no kill has interrupted a build or a removal").toBe(true)
})
