import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { open } from "lmdb"
import { describe, expect, it } from "vitest"
import { DISK_VERSION } from "../../../src/storage/lmdb/Environment.ts"
import { FILE } from "../../../src/storage/lmdb/GraphFiles.ts"
import { newFolder } from "../../Folders.ts"
import { settled } from "../Completion.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { lmdbStore } from "./Stores.ts"

const binary = { encoding: "binary", keyEncoding: "binary" } as const

/** Writes another version of the disk format into the files of a graph. */
const setLayout = async (directory: string, version: number): Promise<void> => {
  const root = open<Buffer, Buffer>({ path: join(directory, FILE), noSubdir: true, maxDbs: 12, ...binary })
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(version)
  await root.openDB<Buffer, Buffer>({ name: "engine_meta", ...binary }).put(Buffer.from("format"), bytes)
  await root.close()
}

describe("The files of a graph", () => {
  it("have the version of their format, and those of a newer version are refused with what to do", async () => {
    const directory = newFolder()
    await (await cellGraph(await lmdbStore({ directory }))).close()
    await setLayout(directory, DISK_VERSION + 1)
    await expect(lmdbStore({ directory })).rejects.toThrow(
      `The graph in ${directory} has the disk format ${DISK_VERSION + 1}; this version of the server reads format ` +
        `${DISK_VERSION}. A newer version wrote it: use that version, or restore a backup of this version.`
    )
    // The refused opening has left no lock.
    await setLayout(directory, DISK_VERSION)
    await (await cellGraph(await lmdbStore({ directory }))).close()
  })

  it("are refused and not changed when another program wrote them", async () => {
    const directory = newFolder()
    writeFileSync(join(directory, FILE), "something else".repeat(1000))
    await expect(lmdbStore({ directory })).rejects.toThrow(
      `The files of the graph in ${directory} cannot be opened (${join(directory, FILE)} is not a file of this server)`
    )
    expect(existsSync(join(directory, "server.lock"))).toBe(false)
  })

  it.each([false, true])(
    "are refused and not changed when they are of BerkeleyJE, with the way to export them (read-only: %s)",
    async (readOnly) => {
      const directory = newFolder()
      for (const name of ["00000000.jdb", "je.lck"]) writeFileSync(join(directory, name), "x")
      await expect(lmdbStore({ directory, readOnly })).rejects.toThrow(
        `The folder ${directory} holds a graph of JanusGraph's BerkeleyJE (*.jdb), which this server does not read`
      )
      await expect(lmdbStore({ directory, readOnly })).rejects.toThrow("graph.io(graphson()).writeGraph('graph.json')")
      expect(readdirSync(directory).sort()).toEqual(["00000000.jdb", "je.lck"])
    }
  )

  it("are opened even if files of BerkeleyJE are next to them", async () => {
    const directory = newFolder()
    await (await lmdbStore({ directory })).close()
    writeFileSync(join(directory, "00000000.jdb"), "x")
    await (await lmdbStore({ directory })).close()
  })

  it("are refused when they are truncated, and only then", async () => {
    const directory = newFolder()
    const file = join(directory, FILE)
    const graph = await cellGraph(await lmdbStore({ directory }))
    const long = "x".repeat(5000)
    for (let commit = 0; commit < 4; commit++) {
      const transaction = graph.begin()
      for (let at = 0; at < 200; at++) {
        const ref = transaction.addVertex("n", undefined)
        transaction.setVertexProperty(ref, null, "text", at % 20 === 0 ? long : "short")
      }
      await settled(transaction.commit())
    }
    await graph.close()
    const whole = readFileSync(file)
    for (const part of [0.1, 0.5, 0.9, 1 - (5 * 4096) / whole.length]) {
      truncateSync(file, Math.floor(whole.length * part))
      await expect(lmdbStore({ directory })).rejects.toThrow("a part of the file is missing. Restore the graph")
      writeFileSync(file, whole)
    }
    // Free pages at the end may be missing: make the meta pages say that the file is longer.
    for (const meta of [0, 4096]) whole.writeBigUInt64LE(whole.readBigUInt64LE(meta + 144) + 100n, meta + 144)
    writeFileSync(file, whole)
    await (await lmdbStore({ directory })).close()
  })

  it("are refused when the data file is empty although the graph had contents, and an empty file begins a graph", async () => {
    const directory = newFolder()
    const file = join(directory, FILE)
    writeFileSync(file, "")
    await (await cellGraph(await lmdbStore({ directory }))).close()
    truncateSync(file, 0)
    await expect(lmdbStore({ directory })).rejects.toThrow(`${file} is empty, but the graph had contents`)
    await expect(lmdbStore({ directory, readOnly: true })).rejects.toThrow("Restore the graph from a backup")
    expect(statSync(file).size).toBe(0)
    rmSync(file)
    await (await cellGraph(await lmdbStore({ directory }))).close()
  })

  it("are refused when they are of another version of lmdb", async () => {
    const directory = newFolder()
    await (await lmdbStore({ directory })).close()
    const file = openSync(join(directory, FILE), "r+")
    writeSync(file, Buffer.from([3]), 0, 1, 28)
    closeSync(file)
    await expect(lmdbStore({ directory })).rejects.toThrow(
      "version 3 of lmdb's file format, and this server reads version 2"
    )
  })

  it("are created in a folder that does not exist, and not in the place of a file", async () => {
    const folder = newFolder()
    await (await lmdbStore({ directory: join(folder, "a", "b") })).close()
    expect(existsSync(join(folder, "a", "b", FILE))).toBe(true)
    mkdirSync(join(folder, "c"))
    writeFileSync(join(folder, "c", "d"), "")
    await expect(lmdbStore({ directory: join(folder, "c", "d") })).rejects.toThrow("cannot be opened (EEXIST")
  })
})
