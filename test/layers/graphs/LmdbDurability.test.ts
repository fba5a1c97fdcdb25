import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { bundled, kill, startProcess, stop } from "../support/ServerProcess.ts"
import { startServer } from "../support/TestServers.ts"

const add = "g.addV('person').property('name', 'x').iterate()"
const count = async (authority: string) => (await post(authority, "g.V().count()")).json.result.data[0]

const lmdb = ["storage.backend=lmdb", "storage.directory=db"]

/** Looks at the trace of a process, 50 ms apart, that must find no new call before the trace counts as quiet. */
const QUIET_CHECKS = 8

/** Reasons in the test report for skipped tests. Other tests cover the same behaviour everywhere. */
const NO_TRACER = "strace is not installed; the injected flush in Flushes.test.ts covers this without the system"
const NO_DISKS = "unshare cannot mount a separate disk here; a limit on the size of files replaces the full disk"
const AS_ROOT = "root can write every folder; a disk that is mounted read-only replaces this case"

describe("The server as a process", () => {
  let bundle = ""
  beforeAll(async () => {
    bundle = await bundled({ main: "src/main.ts" })
  })
  const hasTracer = spawnSync("strace", ["-V"]).status === 0

  it("answers a commit after the system has written it to disk", async ({ skip }) => {
    skip(!hasTracer, NO_TRACER)
    const folder = newFolder()
    const trace = join(folder, "trace")
    const before = ["strace", "-D", "-f", "-qq", "-o", trace, "-e", "trace=fdatasync,fsync,msync"]
    const server = await startProcess(bundle, folder, { properties: lmdb, before })
    const syncs = () =>
      readFileSync(trace, "utf8")
        .split("\n")
        .filter((line) => line.includes("sync(")).length
    /** The number of syncs when no further one comes: one that follows an answer belongs to the write before. */
    const settled = async (): Promise<number> => {
      let seen = -1
      for (let quiet = 0; quiet < QUIET_CHECKS; quiet++) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        const now = syncs()
        if (now !== seen) quiet = 0
        seen = now
      }
      return seen
    }
    await post(`127.0.0.1:${server.port}`, add)
    for (let write = 0; write < 5; write++) {
      const earlier = await settled()
      expect((await post(`127.0.0.1:${server.port}`, add)).status).toBe(200)
      expect(syncs()).toBeGreaterThan(earlier)
    }
    await stop(server)
  })

  it("answers an error when the write fails, and accepts no more writes", async ({ skip }) => {
    skip(!hasTracer, NO_TRACER)
    const folder = newFolder()
    const quiet = ["strace", "-D", "-f", "-qq", "-o", "/dev/null"]
    // Calls are counted by thread; the first ones belong to the start.
    const before = [...quiet, "-e", "inject=fdatasync,fsync,msync:error=EIO:when=25+"]
    const server = await startProcess(bundle, folder, { properties: lmdb, before })
    const authority = `127.0.0.1:${server.port}`
    let written = 0
    let answer = await post(authority, add)
    for (; answer.status === 200 && written < 300; written++) answer = await post(authority, add)
    expect(written).toBeGreaterThan(0)
    expect(answer.json.message).toContain("Nothing was written")
    expect((await post(authority, add)).json.message).toContain("takes no more writes")
    expect(await count(authority)).toBe(written)
    expect(server.log.join("\n")).toContain("takes no more writes")
    await kill(server)
    const next = await startProcess(bundle, folder, { properties: lmdb })
    expect(await count(`127.0.0.1:${next.port}`)).toBe(written)
    expect((await post(`127.0.0.1:${next.port}`, add)).status).toBe(200)
    await stop(next)
  })

  const large = `g.addV('large').property('text', '${"x".repeat(12_000)}').iterate()`

  /** Writes until a write is refused. Returns the number of successful writes, and the answer. */
  const fill = async (authority: string) => {
    let written = 0
    let answer = await post(authority, large)
    for (; answer.status === 200 && written < 500; written++) answer = await post(authority, large)
    expect(written).toBeGreaterThan(5)
    expect([answer.status, answer.json["Exception-Class"]]).toEqual([500, "StorageFailure"])
    expect(answer.json.message).toContain("Nothing was written to the graph in")
    expect(await count(authority)).toBe(written)
    return { written, message: answer.json.message as string }
  }

  it("reports truncated writes, continues to read, and loses nothing", async () => {
    const folder = newFolder()
    // Limits the size of a file, in kilobytes.
    const limit = ["bash", "-c", 'ulimit -f 600; exec "$0" "$@"']
    const server = await startProcess(bundle, folder, { properties: lmdb, before: limit })
    const { written } = await fill(`127.0.0.1:${server.port}`)
    await stop(server)
    const next = await startProcess(bundle, folder, { properties: lmdb })
    expect(await count(`127.0.0.1:${next.port}`)).toBe(written)
    expect((await post(`127.0.0.1:${next.port}`, large)).status).toBe(200)
    await stop(next)
  })

  const hasDisks = spawnSync("unshare", ["-rm", "true"]).status === 0

  it("reports a full disk, continues to read, and writes again as soon as there is room", async ({ skip }) => {
    skip(!hasDisks, NO_DISKS)
    const folder = newFolder()
    mkdirSync(join(folder, "db"))
    // A separate disk, of which another file uses a part.
    const mount =
      'mount -t tmpfs -o size=2m tmpfs "$1/db" && head -c 400000 /dev/zero > "$1/db/other" && shift && exec "$@"'
    const before = ["unshare", "-rm", "bash", "-c", mount, "bash", folder]
    const server = await startProcess(bundle, folder, { properties: lmdb, before })
    const authority = `127.0.0.1:${server.port}`
    const { message, written } = await fill(authority)
    expect(message).toContain("The disk is full")
    rmSync(join(`/proc/${server.child.pid}/root`, folder, "db", "other"))
    expect((await post(authority, large)).status).toBe(200)
    expect(await count(authority)).toBe(written + 1)
    await stop(server)
  })

  it("does not create a graph on a full disk, and reports it", async ({ skip }) => {
    skip(!hasDisks, NO_DISKS)
    const folder = newFolder()
    mkdirSync(join(folder, "db"))
    const mount = 'mount -t tmpfs -o size=300k tmpfs "$1/db" && shift && exec "$@"'
    const before = ["unshare", "-rm", "bash", "-c", mount, "bash", folder]
    await expect(startProcess(bundle, folder, { properties: lmdb, before })).rejects.toThrow(
      "there is no room on the disk"
    )
  })

  it("does not start on a read-only disk, gives advice, and can read it", async ({ skip }) => {
    skip(!hasDisks, NO_DISKS)
    const folder = newFolder()
    const server = await startProcess(bundle, folder, { properties: lmdb })
    await post(`127.0.0.1:${server.port}`, add)
    await stop(server)
    const mount = 'mount --bind "$1/db" "$1/db" && mount -o remount,ro,bind "$1/db" && shift && exec "$@"'
    const before = ["unshare", "-rm", "bash", "-c", mount, "bash", folder]
    await expect(startProcess(bundle, folder, { properties: lmdb, before })).rejects.toThrow(
      /cannot be created \(EROFS.*set storage.read-only=true/
    )
    const properties = [...lmdb, "storage.read-only=true"]
    const reader = await startProcess(bundle, folder, { properties, before })
    expect(await count(`127.0.0.1:${reader.port}`)).toBe(1)
    await stop(reader)
  })

  it("does not start on a folder that another server has open, and names that server", async () => {
    const folder = newFolder()
    const first = await startProcess(bundle, folder, { properties: lmdb })
    const second = startProcess(bundle, join(folder, "other"), {
      properties: ["storage.backend=lmdb", `storage.directory=${join(folder, "db")}`]
    })
    await expect(second).rejects.toThrow(`in use by another server (process ${first.child.pid} on`)
    expect((await post(`127.0.0.1:${first.port}`, add)).status).toBe(200)
    await stop(first)
    expect(readdirSync(join(folder, "db")).toSorted()).toEqual(["graph.mdb", "graph.mdb-lock"])
  })
})

describe("A folder without write permission", () => {
  it("stops the start with advice, and can be read", async ({ skip }) => {
    skip(process.getuid?.() === 0, AS_ROOT)
    const folder = newFolder()
    const server = await startServer(onLmdb(folder))
    await post(server.authority, add)
    await server.end()
    chmodSync(join(folder, "db"), 0o500)
    await expect(startServer(onLmdb(folder))).rejects.toThrow("storage.read-only=true")
    const reader = await startServer(onLmdb(folder, "storage.read-only=true"))
    expect(await count(reader.authority)).toBe(1)
    await reader.end()
    chmodSync(join(folder, "db"), 0o700)
  })

  it("is not created by a read-only graph", async () => {
    const folder = newFolder()
    await expect(startServer(onLmdb(folder, "storage.read-only=true"))).rejects.toThrow("There is no graph in")
    expect(existsSync(join(folder, "db"))).toBe(false)
  })

  it("is read with storage.read-only=true, which refuses every write", async () => {
    const folder = newFolder()
    const server = await startServer(onLmdb(folder))
    await post(server.authority, add)
    await server.end()
    const reader = await startServer(onLmdb(folder, "storage.read-only=true"))
    expect(await count(reader.authority)).toBe(1)
    expect((await post(reader.authority, add)).json.message).toContain("storage.read-only")
  })
})
