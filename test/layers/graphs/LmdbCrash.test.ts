import { join } from "node:path"
import { expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { check, checkCounts, connect, LongWriter, prepare, verified, Writer } from "../support/CrashWriters.ts"
import { bundled, kill, startProcess, stop } from "../support/ServerProcess.ts"
import { eventually } from "../support/TestServers.ts"

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 20)
const WRITERS = 4

it(
  `Every answered commit exists, and no commit was applied in part, after a server was killed ${ROUNDS} times`,
  async () => {
    const bundle = await bundled({ main: "src/main.ts" })
    const folder = newFolder()
    const start = () => startProcess(bundle, folder, { properties: ["storage.backend=lmdb", "storage.directory=db"] })
    const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(index + 1))
    let server = await start()
    let client = await connect(server)
    await prepare(client, writers)
    const long = new LongWriter()
    let answered = 0
    let answeredLong = 0
    for (let round = 0; round < ROUNDS; round++) {
      const clients = await Promise.all(writers.map(() => connect(server)))
      const work = writers.map((writer, index) => writer.run(clients[index]!))
      const longClient = await connect(server)
      if (round % 2 === 1) work.push(long.run(longClient))
      // At a time between the first commit and hundreds of commits.
      await new Promise((resolve) => setTimeout(resolve, Math.random() ** 2 * 400))
      // On a slow machine, no long commit may have ended in any round.
      if (round >= ROUNDS - 2 && round % 2 === 1 && answeredLong === 0) {
        await eventually(() => [...long.numbers.values()].includes(true))
      }
      const inRound = () => writers.flatMap(({ numbers }) => [...numbers.values()]).filter((each) => each).length
      // Nor as many short ones as there are rounds.
      if (round === ROUNDS - 1) await eventually(() => answered + inRound() > ROUNDS)
      await kill(server)
      await Promise.all(work)
      answered += inRound()
      await Promise.allSettled([client, longClient, ...clients].map((each) => each.close()))
      answeredLong += [...long.numbers.values()].filter((each) => each).length
      server = await start()
      client = await connect(server)
      await long.check(client)
      for (const writer of writers) await check(client, writer)
    }
    expect(answered).toBeGreaterThan(ROUNDS)
    expect(answeredLong).toBeGreaterThan(0)
    const edges = await checkCounts(client)
    expect(edges).toBeGreaterThanOrEqual(2 * answered)
    await client.close()
    await stop(server)
    const found = await verified(join(folder, "db"))
    expect(found.findings).toEqual([])
    expect(found.edges).toBe(edges)
  },
  30_000 + ROUNDS * 6_000
)
