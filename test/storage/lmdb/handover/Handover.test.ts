import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises"
import { describe, expect, it, vi } from "vitest"
import { runWhole } from "../../../../src/scheduling/Task.ts"
import { noCells } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { readCounts } from "../../../../src/storage/janusgraph/commit/Counters.ts"
import { Environment } from "../../../../src/storage/lmdb/Environment.ts"
import { HandedBatch, handedWork } from "../../../../src/storage/lmdb/handover/HandedCommit.ts"
import { OwnFile } from "../../../../src/storage/lmdb/handover/HandedFile.ts"
import { Handover } from "../../../../src/storage/lmdb/handover/Handover.ts"
import { LmdbBatch } from "../../../../src/storage/lmdb/LmdbBatch.ts"
import { thisProcess } from "../../../../src/storage/shared/ProcessIdentity.ts"
import { CommitOutcomeUnknown, StorageFailure } from "../../../../src/structure/errors/StoreErrors.ts"
import { newFolder } from "../../../Folders.ts"
import { settled } from "../../Completion.ts"
import { setBack } from "../Stores.ts"
import { cellsOf, increment, put, twoSides } from "./Sharing.ts"

type Sides = Awaited<ReturnType<typeof twoSides>>

/** The turns of the event loop after which a commit that waits is in the file of its process. */
const isHanded = async (): Promise<void> => {
  await turn()
  await turn()
}

/**
 * Runs a test in which the left side gets the write mutex before the right one. The system decides which of two waiting threads gets it,
 * so the test begins again with new sides until it is so. A test that has the other order may fail before it awaits its commits.
 */
const withLeftFirst = async (test: (sides: Sides) => Promise<void>): Promise<void> => {
  for (let round = 0; round < 50; round++) {
    const sides = await twoSides()
    const order: Array<string> = []
    for (const side of ["left", "right"] as const) {
      const { handover } = sides[side]
      const takeBack = handover.takeBack.bind(handover)
      // A transaction of the side has begun.
      vi.spyOn(handover, "takeBack").mockImplementation((environment) => {
        order.push(side)
        return takeBack(environment)
      })
    }
    const failed = await test(sides).then(
      () => undefined,
      (error: unknown) => ({ error })
    )
    await sides.close()
    if (order[0] !== "left") continue
    if (failed !== undefined) throw failed.error
    return
  }
  expect.fail("The left side has never got the write mutex first.")
}

const failure = new StorageFailure("another server has the folder")

/** A commit as the file of a process has it. */
const commitOf = (name: string): Uint8Array => {
  const batch = new HandedBatch(0, 0, () => {
    throw new Error("nothing is read")
  })
  batch.change("graphindex", Buffer.from(name), [{ column: Buffer.from("c"), value: Buffer.from("v") }])
  return batch.encoded()!
}

describe("A commit that waits for the transaction of another process", () => {
  it("is applied in that transaction, and completes when its own process gets the write mutex", async () => {
    const { environment, left, right, hold, close } = await twoSides()
    const release = await hold()
    const both = [left.commits.commit(put("first", "1")), right.commits.commit(put("second", "2"))].map(settled)
    await isHanded()
    const { version } = environment.state()
    await release()
    await Promise.all(both)
    expect(environment.state().version).toBe(version + 1)
    expect(cellsOf(environment)).toMatchObject({ first: "1", second: "2" })
    await close()
  })

  it("is run by its own process if it would read other cells in that transaction", () =>
    withLeftFirst(async ({ environment, left, right, hold }) => {
      const release = await hold()
      const both = [left.commits.commit(put("same", "1")), right.commits.commit(put("same", "2"))].map(settled)
      await isHanded()
      const { version } = environment.state()
      await release()
      await Promise.all(both)
      expect(environment.state().version).toBe(version + 2)
      expect(cellsOf(environment)).toMatchObject({ same: "2" })
    }))

  it("completes if it was applied, although its process has stopped to write meanwhile", () =>
    withLeftFirst(async ({ environment, left, right, hold }) => {
      const release = await hold()
      const both = Promise.all(
        [left.commits.commit(put("first", "1")), right.commits.commit(put("second", "2"))].map(settled)
      )
      both.catch(() => undefined)
      await isHanded()
      right.commits.stop(failure)
      await release()
      await both
      expect(cellsOf(environment)).toMatchObject({ first: "1", second: "2" })
      await expect(settled(right.commits.commit(put("third", "3")))).rejects.toThrow(failure.message)
    }))

  it("completes if it was applied, although an opening has set lmdb's number back since", () =>
    withLeftFirst(async ({ directory, environment, left, right, hold }) => {
      const release = await hold()
      const both = Promise.all(
        [left.commits.commit(put("first", "1")), right.commits.commit(put("second", "2"))].map(settled)
      )
      both.catch(() => undefined)
      await isHanded()
      const resolve = right.handover.resolve.bind(right.handover)
      vi.spyOn(right.handover, "resolve").mockImplementationOnce(() => {
        setBack(directory)
        return resolve()
      })
      right.commits.stop(failure)
      await release()
      await both
      await settled(left.commits.commit(put("third", "3")))
      expect(cellsOf(environment)).toMatchObject({ first: "1", second: "2", third: "3" })
    }))

  it("fails if it was not applied and its process has stopped to write, and is not applied later", async () => {
    const { environment, left, right, hold, close } = await twoSides()
    const release = await hold()
    const answer = expect(settled(right.commits.commit(put("only", "1")))).rejects.toThrow(failure.message)
    await isHanded()
    right.commits.stop(failure)
    await release()
    await answer
    await settled(left.commits.commit(put("later", "2")))
    expect(cellsOf(environment)).not.toHaveProperty("only")
    await close()
  })

  it("has an unknown outcome if its process begins no more transactions, in which it would look for it", async () => {
    const { left, right, hold, close } = await twoSides()
    const release = await hold()
    const answer = settled(right.commits.commit(put("only", "1")))
    await isHanded()
    right.commits.stop(failure)
    const isBroken = vi.spyOn(Environment.prototype, "isBroken", "get").mockReturnValue(true)
    const expected = expect(answer).rejects.toThrow(CommitOutcomeUnknown)
    await release()
    await expected
    isBroken.mockRestore()
    await settled(left.commits.commit(put("later", "2")))
    await close()
  })

  it("is applied once when many wait in both processes", async () => {
    const { environment, left, right, close } = await twoSides()
    const { version } = environment.state()
    const counters = Array.from({ length: 200 }, async (_, i) => {
      await sleep(i % 40)
      await settled((i % 2 === 0 ? left : right).commits.commit(increment(`name${i % 20}`)))
    })
    await Promise.all(counters)
    const cells = cellsOf(environment)
    expect(Array.from({ length: 20 }, (_, i) => cells[`name${i}`])).toEqual(Array.from({ length: 20 }, () => "10"))
    expect(environment.state().version - version).toBeLessThan(200)
    await close()
  })
})

describe("A commit as data", () => {
  it("adds to element counts that other commits have changed since", async () => {
    const { environment, close } = await twoSides()
    const works = [3, 4].map((by) => {
      const batch = new HandedBatch(0, 0, () => ({ cells: noCells, more: false }))
      batch.changeCounts("vertex", new Map([[7, by]]))
      return handedWork(batch.encoded()!)
    })
    let counts: ReadonlyMap<number, number> | undefined
    environment.root.transactionSync(() => {
      for (const work of works) {
        const batch = new LmdbBatch(environment, 1, 0)
        work(batch)
        runWhole(batch.apply())
      }
      counts = readCounts(new LmdbBatch(environment, 1, 0), "vertex")
    })
    expect(counts).toEqual(new Map([[7, 7]]))
    await close()
  })

  it("is refused where the schema is another one", async () => {
    const { environment, close } = await twoSides()
    expect(() => handedWork(commitOf("x"))(new LmdbBatch(environment, 1, 1))).toThrow("the schema has changed")
    await close()
  })

  it("does not exist for a change of the schema, nor for one of many rows", () => {
    const batch = (): HandedBatch => new HandedBatch(0, 0, () => ({ cells: noCells, more: false }))
    const [schema, rows] = [batch(), batch()]
    schema.advanceSchema()
    rows.changeRows("edgestore", () => [])
    expect([schema.encoded(), rows.encoded()]).toEqual([undefined, undefined])
  })
})

describe("The file in which a process hands over commits", () => {
  it("is not read, and is removed, when the process has ended", async () => {
    const { directory, environment, left, close } = await twoSides()
    const file = new OwnFile(directory, "shared")
    expect(file.add([commitOf("dead")])).toBe(1)
    const bytes = readFileSync(join(directory, file.name), "latin1")
    file.close()
    const name = "server.handed.dead"
    writeFileSync(
      join(directory, name),
      bytes.replace(`"started":"${thisProcess().started}"`, (found) =>
        found.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
      ),
      "latin1"
    )
    await settled(left.commits.commit(put("alive", "1")))
    expect(cellsOf(environment)).not.toHaveProperty("dead")
    expect(existsSync(join(directory, name))).toBe(false)
    await close()
  })

  it("is not read by the processes of another server", async () => {
    const { directory, environment, left, close } = await twoSides()
    const file = new OwnFile(directory, "another server")
    file.add([commitOf("foreign")])
    await settled(left.commits.commit(put("own", "1")))
    expect(cellsOf(environment)).not.toHaveProperty("foreign")
    file.close()
    await close()
  })

  it("takes as many commits as it has room for", () => {
    const directory = newFolder()
    const file = new OwnFile(directory, "shared")
    const large = new Uint8Array(400_000)
    expect(file.add([large, large, large])).toBe(2)
    expect(file.add([large])).toBe(0)
    file.withdraw()
    expect(file.add([large])).toBe(1)
    file.close()
    expect(readdirSync(directory)).toEqual([])
  })
})

/** Syncs that begin now. Returns a function that ends them. */
const syncs = (handover: Handover, environment: Environment, count: number, commits = 1): (() => void) => {
  const ends = Array.from({ length: count }, () => handover.syncing(environment, commits))
  return () => {
    for (const end of ends) end()
  }
}

describe("A transaction is shared", () => {
  it("when the process has nothing to do during its syncs, and not when it is busy or has many commits in each", async () => {
    const { environment, left, close, directory } = await twoSides()
    const [idle, busy, many] = Array.from(
      { length: 3 },
      () => new Handover(environment, { directory, server: "shared", slowSync: 40 })
    ) as [Handover, Handover, Handover]
    for (const handover of [idle, busy, many]) handover.takeBack(environment)
    const ends = [syncs(idle, environment, 8), syncs(many, environment, 8, 200)]
    await sleep(400)
    for (const end of ends) end()
    const busyEnds = syncs(busy, environment, 8)
    for (const limit = performance.now() + 400; performance.now() < limit; );
    busyEnds()
    await settled(left.commits.commit(put("of another process", "1")))
    for (const handover of [idle, busy, many]) handover.takeBack(environment)
    expect([idle.isOn, busy.isOn, many.isOn]).toEqual([true, false, false])
    await close()
  })

  it("on a slow disk, and not on a fast one whose syncs often seem long because the machine is busy", async () => {
    const { environment, left, close, directory } = await twoSides()
    const [slow, fast, begun] = Array.from(
      { length: 3 },
      () => new Handover(environment, { directory, server: "shared", slowSync: 40 })
    ) as [Handover, Handover, Handover]
    for (const handover of [slow, fast, begun]) handover.takeBack(environment)
    // One sync of the slow disk passed while its process was busy. The third process has had few syncs, which say little.
    syncs(slow, environment, 1)()
    syncs(fast, environment, 3)()
    const ends = [syncs(slow, environment, 15), syncs(fast, environment, 13), syncs(begun, environment, 4)]
    await sleep(400)
    for (const end of ends) end()
    await settled(left.commits.commit(put("of another process", "1")))
    for (const handover of [slow, fast, begun]) handover.takeBack(environment)
    expect([slow.isOn, fast.isOn, begun.isOn]).toEqual([true, false, false])
    await close()
  })
})
