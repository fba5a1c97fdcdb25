import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { setImmediate as turn } from "node:timers/promises"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { noCells } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { HandedBatch, handedWork } from "../../../../src/storage/lmdb/handover/HandedCommit.ts"
import { OtherFile, OwnFile, removeHandedFiles } from "../../../../src/storage/lmdb/handover/HandedFile.ts"
import { PeerFiles } from "../../../../src/storage/lmdb/handover/PeerFiles.ts"
import { LmdbBatch } from "../../../../src/storage/lmdb/LmdbBatch.ts"
import { thisProcess } from "../../../../src/storage/shared/ProcessIdentity.ts"
import { newFolder } from "../../../Folders.ts"
import { CONDITION_MS } from "../../../Limits.ts"
import { settled } from "../../Completion.ts"
import { cellsOf, put, twoSides } from "./Sharing.ts"

const commit = Buffer.from("a commit")
/** The length, the number, the commit and the checksum. */
const RECORD_BYTES = 4 + 8 + commit.length + 4

/** Overwrites four bytes of a file. */
const overwrite = (path: string, at: number, value: number): void => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  const file = openSync(path, "r+")
  writeSync(file, bytes, 0, bytes.length, at)
  closeSync(file)
}

/** The descriptor of a file that this process has open. */
const descriptorOf = (path: string): number => {
  const found = readdirSync("/proc/self/fd").find((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path
    } catch {
      return false
    }
  })
  return Number(found)
}

describe("The records of a file", () => {
  it("are not those that the owner has taken back, although the end includes them", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    own.add([commit, commit, commit])
    own.withdraw()
    own.add([commit])
    overwrite(join(directory, own.name), 4, 1024 + 3 * RECORD_BYTES)
    const other = new OtherFile(directory, own.name)
    expect(other.records(0).map(({ first, number }) => [first, number])).toEqual([[4, 4]])
    other.close()
    own.close()
  })

  it.skipIf(process.platform !== "linux")("are still there when they could not be taken back", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    own.add([commit])
    closeSync(descriptorOf(join(directory, own.name)))
    expect(() => own.withdraw()).toThrow("EBADF")
    expect(() => own.abandon()).toThrow("EBADF")
    expect(own.isEmpty).toBe(false)
    const other = new OtherFile(directory, own.name)
    expect(other.records(0).map(({ number }) => number)).toEqual([1])
    other.close()
  })

  it("are none when the file was made empty", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    own.add([commit])
    const other = new OtherFile(directory, own.name)
    own.abandon()
    expect([other.count(0), ...other.records(0)]).toEqual([0])
    expect(existsSync(join(directory, own.name))).toBe(false)
    other.close()
  })

  it("end before one that is longer than the file", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    own.add([commit, commit])
    overwrite(join(directory, own.name), 1024 + RECORD_BYTES, 0xffff_ffff)
    const other = new OtherFile(directory, own.name)
    expect(other.records(0).map(({ number }) => number)).toEqual([1])
    other.close()
    own.close()
  })
})

describe("A record that is not as its process wrote it", () => {
  it.each([
    ["a part of the commit", 12],
    ["its end", 12 + commit.length - 4],
    ["the checksum", 12 + commit.length]
  ])("is not read, nor are those after it: %s has changed", (_, at) => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    own.add([commit, commit, commit])
    overwrite(join(directory, own.name), 1024 + RECORD_BYTES + at, 0x1234_5678)
    const other = new OtherFile(directory, own.name)
    expect(other.records(0).map(({ commit, number }) => [number, Buffer.from(commit)])).toEqual([[1, commit]])
    other.close()
    own.close()
  })

  it("is not read when it is shorter than a checksum", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    own.add([commit])
    overwrite(join(directory, own.name), 1024, 3)
    const other = new OtherFile(directory, own.name)
    expect(other.records(0)).toEqual([])
    other.close()
    own.close()
  })

  it("is applied by its own process, and not by the one that reads it", async () => {
    const { directory, environment, left, right, hold, close } = await twoSides()
    const release = await hold()
    const both = [left.commits.commit(put("first", "1")), right.commits.commit(put("second", "2"))].map(settled)
    await turn()
    await turn()
    const { version } = environment.state()
    // The name of a row, as it is in the reads and in the writes of a commit: it would be applied to another row. Both are changed, because
    // the system decides which process reads the commit of the other one.
    for (const name of readdirSync(directory).filter((each) => each.startsWith("server.handed."))) {
      const path = join(directory, name)
      const bytes = readFileSync(path)
      for (const row of ["first", "second"])
        for (let at = -1; (at = bytes.indexOf(row, at + 1)) >= 0; )
          overwrite(path, at, Buffer.from("XXXX").readUInt32BE())
    }
    await release()
    await Promise.all(both)
    expect(environment.state().version).toBe(version + 2)
    expect(Object.keys(cellsOf(environment)).sort()).toEqual(["first", "second", "warm"])
    await close()
  })
})

describe("A file of a version whose records have no checksums", () => {
  it("is read", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    own.add([commit])
    const path = join(directory, own.name)
    const bytes = readFileSync(path)
    bytes.write(JSON.stringify({ server: "shared", ...thisProcess() }).padEnd(960, "\0"), 64)
    const record = bytes.subarray(1024)
    record.writeUInt32BE(commit.length, 0)
    bytes.writeUInt32BE(1024 + 12 + commit.length, 4)
    writeFileSync(path, bytes)
    const other = new OtherFile(directory, own.name)
    expect(other.records(0).map(({ commit }) => Buffer.from(commit))).toEqual([commit])
    other.close()
    own.close()
  })
})

describe("The bytes after a commit", () => {
  it("are ignored by a version that knows no checksums", async () => {
    const { environment, close } = await twoSides()
    const batch = new HandedBatch(0, 0, () => ({ cells: noCells, more: false }))
    batch.change("graphindex", Buffer.from("row"), [])
    const change = vi.fn()
    const here = Object.assign(new LmdbBatch(environment, 1, 0), { change })
    handedWork(Buffer.concat([batch.encoded()!, Buffer.from("checksum")]))(here)
    expect(change).toHaveBeenCalledOnce()
    await close()
  })
})

describe("The mark of a file", () => {
  it("names no refused commits that their process has taken back", async () => {
    const { environment, left, right, hold, close } = await twoSides()
    for (let round = 0; round < 8; round++) {
      const release = await hold()
      const both = [left, right].map(({ commits }, at) => settled(commits.commit(put("same", `${round} ${at}`))))
      await turn()
      await turn()
      await release()
      await Promise.all(both)
    }
    const sizes = environment.root.transactionSync(() =>
      environment.notes(Buffer.from("handed ")).map((name) => environment.note(name)!.length)
    )
    expect(sizes.length).toBeGreaterThan(0)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * 8)
    await close()
  })
})

describe("The files of other processes", () => {
  it("are looked for once in a shared transaction", async () => {
    const { left, right, hold, close } = await twoSides()
    const release = await hold()
    const update = vi.spyOn(PeerFiles.prototype, "update")
    onTestFinished(() => update.mockRestore())
    const gathers = [left, right].map(({ handover }) => vi.spyOn(handover, "gather"))
    const both = [left.commits.commit(put("first", "1")), right.commits.commit(put("second", "2"))].map(settled)
    await turn()
    await turn()
    await release()
    await Promise.all(both)
    // A commit that the other side has applied ends before the transaction of its own side, which waits for further ones.
    await vi.waitFor(
      () => {
        const shared = gathers.flatMap(({ mock }) => mock.calls).length
        expect(shared).toBeGreaterThan(0)
        expect(update).toHaveBeenCalledTimes(shared)
      },
      { timeout: CONDITION_MS }
    )
    await close()
  })

  it("are read as soon as they are complete", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    const bytes = readFileSync(join(directory, own.name))
    const name = "server.handed.late"
    writeFileSync(join(directory, name), "")
    const peers = new PeerFiles(directory, "shared")
    expect(peers.update(own.name)).toEqual([])
    writeFileSync(join(directory, name), bytes)
    expect(peers.update(own.name).map((file) => file.name)).toEqual([name])
    peers.close()
    own.close()
  })

  it("are read when the folder cannot be listed", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    const peers = new PeerFiles(directory, "shared")
    expect(peers.update("").length).toBe(1)
    renameSync(directory, `${directory}.away`)
    expect(peers.update("").length).toBe(1)
    renameSync(`${directory}.away`, directory)
    peers.close()
    own.close()
  })

  it("are removed if their process ended while it created them", () => {
    const directory = newFolder()
    const [old, young] = ["old", "young"].map((name) => join(directory, `server.handed.${name}`)) as [string, string]
    for (const path of [old, young]) writeFileSync(path, "")
    utimesSync(old, new Date(0), new Date(0))
    removeHandedFiles(directory)
    expect([old, young].map((path) => existsSync(path))).toEqual([false, true])
  })
})
