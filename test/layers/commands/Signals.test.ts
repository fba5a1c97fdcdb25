import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { mutexHolder } from "../../../src/storage/lmdb/WriteMutex.ts"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { http, post } from "../support/HttpClient.ts"
import { bundled, type ServerProcess, startProcess, stop } from "../support/ServerProcess.ts"
import { eventually } from "../support/TestServers.ts"

const properties = ["storage.backend=lmdb", "storage.directory=db"]
const ANSWERED = 100
/** Vertices of a commit that takes seconds. */
const LONG = 150_000
/** Claims of ids are separate transactions before the commit, and take less time than this. */
const LONGER_THAN_CLAIMS_MS = 500

let bundle: string
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts", MutexHolder: "test/storage/lmdb/MutexHolder.ts" })
})

const add = ({ port }: ServerProcess, count: number) =>
  post(`127.0.0.1:${port}`, "g.inject(x).unfold().as('n').addV('many').property('n', __.select('n')).count()", {
    bindings: { x: Array.from({ length: count }, (_, i) => i) },
    evaluationTimeout: 60_000 * patience
  })

const count = async ({ port }: ServerProcess): Promise<number> =>
  (await post(`127.0.0.1:${port}`, "g.V().count()")).json.result.data[0]

/** Starts a server and brings it into the transaction of a long commit, after an answered one. */
const committing = async (folder: string) => {
  const server = await startProcess(bundle, folder, { properties })
  expect((await add(server, ANSWERED)).status).toBe(200)
  const answer = add(server, LONG).then(
    ({ status }) => status,
    () => "cut"
  )
  const isInside = () => mutexHolder(join(folder, "db"))?.pid === server.child.pid
  let since = Number.POSITIVE_INFINITY
  await eventually(() => {
    if (!isInside()) since = Number.POSITIVE_INFINITY
    else if (since === Number.POSITIVE_INFINITY) since = performance.now()
    return performance.now() - since > LONGER_THAN_CLAIMS_MS
  })
  return { server, answer, isInside }
}

const signalled = ({ log }: ServerProcess) => log.some((line) => line.includes("SIGTERM: no new requests"))

describe("SIGTERM during a long commit on disk", () => {
  it("lets the commit end and answers it, while a second server is refused; then the process exits with 0", async () => {
    const folder = newFolder()
    const { answer, isInside, server } = await committing(folder)
    server.child.kill("SIGTERM")
    await eventually(() => signalled(server))
    await eventually(isInside)
    await expect(startProcess(bundle, folder, { properties })).rejects.toThrow(
      `db is in use by another server (process ${server.child.pid}`
    )
    expect(await answer).toBe(200)
    await server.exit
    expect(server.child.exitCode).toBe(0)
    const next = await startProcess(bundle, folder, { properties })
    expect(await count(next)).toBe(ANSWERED + LONG)
    await stop(next)
  })

  it("twice ends the process at once, and the next server has all answered commits", async () => {
    const folder = newFolder()
    const { answer, isInside, server } = await committing(folder)
    server.child.kill("SIGTERM")
    await eventually(() => signalled(server))
    await eventually(isInside)
    server.child.kill("SIGTERM")
    await server.exit
    expect([server.child.signalCode, await answer]).toEqual(["SIGTERM", "cut"])
    const next = await startProcess(bundle, folder, { properties })
    // The outcome of the interrupted commit is unknown: it was applied completely or not at all.
    expect([ANSWERED, ANSWERED + LONG]).toContain(await count(next))
    expect((await add(next, 10)).status).toBe(200)
    await stop(next)
    expect(next.child.exitCode).toBe(0)
  })
})

describe("A start on a folder whose write lock another process holds", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("logs the wait and the holder, and ends on %s", async (signal) => {
    const folder = newFolder()
    await stop(await startProcess(bundle, folder, { properties }))
    const holder = spawn(process.execPath, [join(bundle, "MutexHolder.mjs"), join(folder, "db")])
    try {
      await once(holder.stdout, "data")
      rmSync(join(folder, "db", "server.lock"))
      const log: Array<string> = []
      const child = spawn(process.execPath, [join(bundle, "main.mjs"), join(folder, "server.yaml")], {
        env: { ...process.env, SERVICE_HOME: folder }
      })
      const ended = once(child, "exit")
      child.stdout.on("data", (data) => log.push(String(data)))
      await eventually(() =>
        log.join("").includes(`process ${holder.pid} (node) holds LMDB's write lock. The start fails`)
      )
      child.kill(signal)
      expect(await ended).toEqual([0, null])
      expect(existsSync(join(folder, "db", "server.lock"))).toBe(false)
    } finally {
      holder.kill("SIGKILL")
    }
    const next = await startProcess(bundle, folder, { properties })
    expect((await http(`127.0.0.1:${next.port}`, { path: "/health/ready" })).status).toBe(200)
    await stop(next)
  })
})
