import { closeSync, fstatSync, mkdirSync, openSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { Cells, noCells } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { HandedBatch, handedWork } from "../../../../src/storage/lmdb/handover/HandedCommit.ts"
import { handedFiles, OwnFile } from "../../../../src/storage/lmdb/handover/HandedFile.ts"
import { LmdbBatch } from "../../../../src/storage/lmdb/LmdbBatch.ts"
import { CommitOutcomeUnknown, StorageFull, StorageUnavailable } from "../../../../src/structure/errors/StoreErrors.ts"
import { CONDITION_MS } from "../../../Limits.ts"
import { settled } from "../../Completion.ts"
import { cellsOf, put, twoSides } from "./Sharing.ts"

describe("A synchronous commit within a shared transaction", () => {
  it("is on the disk although all other commits of the transaction fail", async () => {
    const { environment, left, close } = await twoSides()
    vi.spyOn(left.handover, "gather").mockImplementationOnce(async () => left.commits.commitNow(put("claim", "1")))
    const refused = left.commits.commit(() => {
      throw new Error("refused")
    })
    await expect(settled(refused)).rejects.toThrow("refused")
    expect(cellsOf(environment)).toMatchObject({ claim: "1" })
    await close()
  })

  it("is on the disk before another process gets commits that may use its ids", async () => {
    const { left, close } = await twoSides()
    const seen: Array<boolean> = []
    let using: Promise<unknown> = Promise.resolve()
    const long = left.commits.commitLong(function* () {
      left.commits.commitNow(put("claim", "1"))
      using = settled(left.commits.commit(put("using the claim", "1")))
      for (const end = performance.now() + 60; performance.now() < end; ) yield seen.push(left.handover.hasHanded)
    })
    await settled(long)
    await using
    expect(new Set(seen)).toEqual(new Set([false]))
    await close()
  })
})

describe("A commit that has failed with the transaction of its process", () => {
  it.each([0, 2])("is not handed over when it arrived %d turns before the failure", async (turns) => {
    const { environment, left, right, close } = await twoSides()
    let fail = (_cause: Error): void => undefined
    const commitError = new Promise((_, reject) => {
      fail = reject
    })
    // It may fail before lmdb's transaction is seen to fail.
    commitError.catch(() => undefined)
    const gather = vi.spyOn(left.handover, "gather")
    gather.mockImplementationOnce(() => Promise.reject(Object.assign(new Error("failed"), { commitError })))
    const both = [left.commits.commit(put("first", "1"))]
    await vi.waitFor(() => expect(gather).toHaveBeenCalled(), { timeout: CONDITION_MS })
    await sleep(20)
    both.push(left.commits.commit(put("second", "1")))
    for (let i = 0; i < turns; i++) await turn()
    fail(new StorageUnavailable("nothing was written"))
    for (const each of both) await expect(settled(each)).rejects.toThrow("nothing was written")
    await turn()
    await turn()
    expect(left.handover.hasHanded).toBe(false)
    await settled(right.commits.commit(put("later", "1")))
    expect(Object.keys(cellsOf(environment)).sort()).toEqual(["later", "warm"])
    await close()
  })
})

describe("A commit whose outcome is unknown", () => {
  it("is not applied after the next transaction of its process", async () => {
    const { environment, left, right, hold, close } = await twoSides()
    const release = await hold()
    // It may fail before the mutex is seen to be free.
    const unknown = expect(settled(left.commits.commit(put("unknown", "1")))).rejects.toThrow(CommitOutcomeUnknown)
    await turn()
    await turn()
    expect(left.handover.hasHanded).toBe(true)
    const takeBack = vi.spyOn(left.handover, "takeBack")
    for (let i = 0; i < 2; i++) {
      takeBack.mockImplementationOnce(() => {
        throw new StorageUnavailable("lmdb fails")
      })
    }
    await release()
    await unknown
    // It is not handed over, so no other commit takes the place of the first one.
    await settled(left.commits.commit((batch) => batch.changeRows("graphindex", () => [])))
    await settled(right.commits.commit(put("later", "1")))
    expect(Object.keys(cellsOf(environment)).sort()).toEqual(["later", "warm"])
    await close()
  })
})

describe("A process whose file of handed commits could not be written", () => {
  it("hands commits over again after a minute", async () => {
    const { environment, left, right, hold, close } = await twoSides()
    const handsOver = async (name: string): Promise<boolean> => {
      const release = await hold()
      const commit = settled(left.commits.commit(put(name, "1"))).catch(() => undefined)
      await turn()
      await turn()
      const { hasHanded } = left.handover
      await release()
      await commit
      return hasHanded
    }
    /** Both have seen a commit of the other within a second. */
    const meet = async (): Promise<void> => {
      for (const { commits } of [right, left, right]) await settled(commits.commit(put("warm", "1")))
    }
    const fails = vi.spyOn(OwnFile.prototype, "add").mockImplementationOnce(() => {
      throw new Error("ENOSPC: no space left on device")
    })
    onTestFinished(() => fails.mockRestore())
    await handsOver("first")
    expect(fails).toHaveBeenCalled()
    await meet()
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 60_000)
    onTestFinished(() => clock.mockRestore())
    await meet()
    expect(await handsOver("second")).toBe(true)
    expect(cellsOf(environment)).toMatchObject({ second: "1", warm: "1" })
    expect(await handsOver("third")).toBe(true)
    await close()
  })
})

/** The left side hands a commit over, because another process holds the write mutex until `release`. */
const handedFirst = async (
  left: Awaited<ReturnType<typeof twoSides>>["left"],
  hold: Awaited<ReturnType<typeof twoSides>>["hold"]
): Promise<{ commit: Promise<unknown>; release: () => Promise<void> }> => {
  const release = await hold()
  const commit = settled(left.commits.commit(put("first", "1")))
  await turn()
  await turn()
  return { commit, release }
}

const noRoom = (): never => {
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
}

describe("A process that cannot take its commits back because the disk is full", () => {
  it("makes its file empty instead, and no other process applies them later", async () => {
    const { directory, environment, left, right, hold, close } = await twoSides()
    const { commit, release } = await handedFirst(left, hold)
    expect(left.handover.hasHanded).toBe(true)
    const withdraw = vi.spyOn(OwnFile.prototype, "withdraw").mockImplementationOnce(noRoom)
    onTestFinished(() => withdraw.mockRestore())
    await release()
    await commit
    await settled(right.commits.commit(put("second", "1")))
    expect(withdraw).toHaveBeenCalled()
    expect(cellsOf(environment)).toMatchObject({ first: "1", second: "1" })
    expect(handedFiles(directory).length).toBeLessThan(2)
    await close()
  })

  it("never uses the file again, also if it cannot be removed", async () => {
    const { directory, environment, left, right, hold, close } = await twoSides()
    const { commit, release } = await handedFirst(left, hold)
    const [name] = handedFiles(directory)
    // A folder cannot be removed as a file.
    rmSync(join(directory, name!))
    mkdirSync(join(directory, name!))
    const withdraw = vi.spyOn(OwnFile.prototype, "withdraw").mockImplementationOnce(noRoom)
    onTestFinished(() => withdraw.mockRestore())
    await release()
    await commit
    // It gets the descriptor of the file that was closed.
    const other = openSync(join(directory, "other"), "w+")
    onTestFinished(() => closeSync(other))
    await settled(right.commits.commit(put("second", "1")))
    await settled(left.commits.commit(put("third", "1")))
    expect(cellsOf(environment)).toMatchObject({ first: "1", second: "1", third: "1" })
    await close()
    expect(fstatSync(other).size).toBe(0)
  })

  it("takes further commits if even that fails, and the file keeps the commits until it is possible", async () => {
    const { environment, left, right, hold, close } = await twoSides()
    const withdraw = vi.spyOn(OwnFile.prototype, "withdraw").mockImplementation(noRoom)
    const abandon = vi.spyOn(OwnFile.prototype, "abandon").mockImplementation(noRoom)
    onTestFinished(() => {
      withdraw.mockRestore()
      abandon.mockRestore()
    })
    const { commit, release } = await handedFirst(left, hold)
    await release()
    await expect(commit).rejects.toThrow(CommitOutcomeUnknown)
    expect(left.commits.failure).toBeUndefined()
    await expect(settled(left.commits.commit(put("refused", "1")))).rejects.toThrow(StorageFull)
    withdraw.mockRestore()
    await settled(left.commits.commit(put("second", "1")))
    await settled(right.commits.commit(put("third", "1")))
    expect(Object.keys(cellsOf(environment)).sort()).toEqual(["second", "third", "warm"])
    await close()
  })
})

describe("A commit as data", () => {
  it("does not exist for one that has read more than a file has room for", () => {
    const cells = new Cells(Buffer.alloc(600_000), 0, 600_000)
    const batch = new HandedBatch(0, 0, () => ({ cells, more: false }))
    const query = { table: "graphindex", key: Buffer.from("large") } as const
    batch.slice(query)
    expect(batch.encoded()?.length).toBeGreaterThan(600_000)
    batch.slice(query)
    expect(batch.encoded()).toBeUndefined()
  })

  it("is refused where a page that it read is followed by another one", async () => {
    const { environment, close } = await twoSides()
    const batch = new HandedBatch(0, 0, () => ({ cells: noCells, more: false }))
    batch.slice({ table: "graphindex", key: Buffer.from("none") })
    const here = new LmdbBatch(environment, 1, 0)
    vi.spyOn(here, "slice").mockReturnValue({ cells: noCells, more: true })
    expect(() => handedWork(batch.encoded()!)(here)).toThrow("a row has changed")
    await close()
  })
})
