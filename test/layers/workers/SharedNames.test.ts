import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, expect, it, onTestFinished } from "vitest"
import { SESSION_ENTRIES } from "../../../src/layers/workers/RegionLayout.ts"
import { reclaim } from "../../../src/layers/workers/Slots.ts"
import { workerBounds } from "../../../src/layers/workers/WorkerBounds.ts"
import { PROCESSES_MS } from "../../Limits.ts"
import { bundled } from "../support/ServerProcess.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startInside } from "../support/TestServers.ts"
import { boundsOf, newRegion } from "./Regions.ts"

const ROUNDS = 3_000
const FILES = 60_000

describe("The names that workers share", () => {
  it("go to exactly one of two workers that take them at the same instant", { timeout: PROCESSES_MS }, async () => {
    const { descriptor } = await newRegion(2)
    const bundle = await bundled({ TakingProcess: "test/layers/workers/TakingProcess.ts" })
    const program = join(bundle, "TakingProcess.mjs")
    const takings = [0, 1].map(async (slot) => {
      const child = spawn(process.execPath, [program, String(slot), String(ROUNDS)], {
        stdio: ["ignore", "pipe", "inherit", descriptor]
      })
      onTestFinished(() => void child.kill("SIGKILL"))
      const [taken] = await Promise.all([text(child.stdout!), once(child, "exit")])
      return JSON.parse(taken) as Array<number>
    })
    const taken = (await Promise.all(takings)).flat().sort((a, b) => a - b)
    expect(taken).toEqual(Array.from({ length: ROUNDS }, (_, round) => round))
  })

  it("have room for very many files of imports, which take none of the sessions", async () => {
    const { region } = await newRegion(2)
    const [first, second] = [0, 1].map((slot) => workerBounds(region, slot))
    for (let file = 0; file < FILES; file++) {
      if (first!.imports.take(`graph /data/${file}.csv`) !== "taken") throw new Error(`file ${file} has no room`)
    }
    expect(second!.imports.take("graph /data/59999.csv")).toBe("elsewhere")
    for (let session = 0; session < 1_000; session++) {
      if (second!.sessions.open(`s${session}`, 1_024) !== "opened") throw new Error(`session ${session} has no room`)
    }
    first!.imports.giveBack("graph /data/0.csv")
    expect(second!.imports.take("graph /data/0.csv")).toBe("taken")
    reclaim(region, 0)
    expect(second!.imports.take("graph /data/1.csv")).toBe("taken")
  })

  it("tell a client that there is no room for the name of its session, which is not maxSessions", async () => {
    const [bounds] = await boundsOf(1)
    for (let name = 0; name < 2 * SESSION_ENTRIES; name++) bounds!.requests.take(`request ${name}`)
    const server = await startInside({}, {}, bounds)
    const client = await SocketClient.connect(server.authority)
    const { status } = await client.eval("1", { session: "one" })
    expect([status.code, status.message]).toEqual([
      429,
      "The workers of the server have no room for the names of further sessions and requests. Close a session, or try again later."
    ])
  })
})
