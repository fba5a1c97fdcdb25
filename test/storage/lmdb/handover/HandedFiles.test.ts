import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { setImmediate as turn } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { OtherFile, OwnFile, removeHandedFiles } from "../../../../src/storage/lmdb/handover/HandedFile.ts"
import { PeerFiles } from "../../../../src/storage/lmdb/handover/PeerFiles.ts"
import { newFolder } from "../../../Folders.ts"
import { settled } from "../../Completion.ts"
import { put, twoSides } from "./Sharing.ts"

const commit = Buffer.from("a commit")

/** Overwrites four bytes of a file. */
const overwrite = (path: string, at: number, value: number): void => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  const file = openSync(path, "r+")
  writeSync(file, bytes, 0, bytes.length, at)
  closeSync(file)
}

describe("The records of a file", () => {
  it("are not those that the owner has taken back, although the end includes them", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    own.add([commit, commit, commit])
    own.withdraw()
    own.add([commit])
    overwrite(join(directory, own.name), 4, 1024 + 3 * (12 + commit.length))
    const other = new OtherFile(directory, own.name)
    expect(other.records(0).map(({ first, number }) => [first, number])).toEqual([[4, 4]])
    other.close()
    own.close()
  })

  it("end before one that is longer than the file", () => {
    const directory = newFolder()
    const own = new OwnFile(directory, "shared")
    own.add([commit, commit])
    overwrite(join(directory, own.name), 1024 + 12 + commit.length, 0xffff_ffff)
    const other = new OtherFile(directory, own.name)
    expect(other.records(0).map(({ number }) => number)).toEqual([1])
    other.close()
    own.close()
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
