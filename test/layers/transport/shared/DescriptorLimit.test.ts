import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { platform, tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { bundled, startProcess } from "../../support/ServerProcess.ts"
import { eventually } from "../../support/TestServers.ts"

describe.runIf(platform() === "linux")("A server with a low limit of open files", () => {
  it("warns at its start, and survives more connections than the limit", async () => {
    const folder = mkdtempSync(join(tmpdir(), "engine-server-files-"))
    const bundle = await bundled({ main: "src/main.ts" })
    const server = await startProcess(bundle, folder, {
      properties: ["storage.backend=inmemory", "storage.memory.schema=false"],
      before: ["sh", "-c", 'ulimit -n 400 && exec "$@"', "sh"]
    })
    assert.match(server.log.join("\n"), /maxConnections is 16384, but the system lets this process open 400 files/)

    const sockets = Array.from({ length: 600 }, () => connect(server.port, "127.0.0.1").on("error", () => {}))
    await Promise.all(sockets.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")])))
    for (const socket of sockets) socket.destroy()
    const answered = async (): Promise<boolean> => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/?gremlin=1%2B1`).catch(() => undefined)
      return answer?.status === 200
    }
    await eventually(answered)

    server.child.kill("SIGTERM")
    await server.exit
    rmSync(folder, { recursive: true, force: true })
  })
})
