import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect, type TLSSocket } from "node:tls"
import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { certify } from "../support/Certificates.ts"
import { http } from "../support/HttpClient.ts"
import { isPacked } from "../support/Packed.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { eventually } from "../support/TestServers.ts"
import { startWorkers, until, type WorkerServer } from "../support/WorkerServer.ts"

const opened = (port: number): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => resolve(socket))
    socket.once("error", reject)
  })

/** The certificates of as many connections as there are workers. They are open at the same time, so each worker has one. */
const certificates = async ({ port }: WorkerServer, count: number): Promise<ReadonlyArray<string>> => {
  const sockets: Array<TLSSocket> = []
  for (let i = 0; i < count; i++) sockets.push(await opened(port))
  const found = sockets.map((socket) => socket.getPeerCertificate().serialNumber)
  for (const socket of sockets) socket.destroy()
  return found
}

describe.each([2, 4])("A server with %i workers", (count) => {
  it("uses new certificates in all workers when their files change", async () => {
    const folder = newFolder()
    const write = (): void => {
      const { certificate, key } = certify("localhost")
      writeFileSync(join(folder, "tls.key"), key)
      writeFileSync(join(folder, "tls.crt"), certificate)
    }
    write()
    const bundle = await bundled({ main: "src/main.ts" })
    const tls = `ssl: {enabled: true, keyFile: ${folder}/tls.key, keyCertChainFile: ${folder}/tls.crt, refreshInterval: 20}`
    const server = await startWorkers(bundle, count, [tls])
    const before = await certificates(server, count)
    expect(new Set(before).size).toBe(1)
    write()
    const after = await until(
      () => certificates(server, count),
      (found) => !found.includes(before[0]!)
    )
    expect([new Set(after).size, after.length]).toEqual([1, count])
    await stop(server)
  })

  it("runs the program that is installed now in all workers after a reload", async () => {
    const bundle = await bundled({ main: "src/main.ts" })
    const server = await startWorkers(bundle, count)
    const program = join(bundle, "main.mjs")
    const line = "the program that was installed later"
    writeFileSync(program, `${readFileSync(program, "utf8")}\nconsole.log(${JSON.stringify(line)})\n`)
    await server.reload()
    await eventually(() => server.log.filter((each) => each.includes(line)).length === count)
    await stop(server)
  })
})

describe("A server whose program is replaced while it runs", () => {
  it("says what to do when a file is gone, and does not keep the failure", async ({ skip }) => {
    skip(isPacked, "the tests share the files of the package")
    const bundle = await bundled({ main: "src/main.ts" })
    const server = await startWorkers(bundle, 2)
    const away = `${bundle}.away`
    // All files at once: Node.js would keep the failure of a module that finds only some of those that it imports.
    const hide = (isHidden: boolean): void => (isHidden ? renameSync(bundle, away) : renameSync(away, bundle))
    const metrics = () => http(server.authority, { path: "/metrics", agent: false })
    hide(true)
    // The workers cannot load the code of metrics any more.
    expect((await metrics()).status).toBe(500)
    expect(server.log.join("\n")).toContain("another version was installed since the server was started")
    hide(false)
    await server.reload()
    hide(true)
    expect((await metrics()).status).toBe(500)
    hide(false)
    await eventually(async () => (await metrics()).status === 200)
    await stop(server)
  })
})
