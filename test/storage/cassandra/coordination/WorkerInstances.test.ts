import { spawn } from "node:child_process"
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { Instances, legalName } from "../../../../src/storage/cassandra/coordination/Instances.ts"
import {
  isEndedSibling,
  isSiblingName,
  workerName
} from "../../../../src/storage/cassandra/coordination/WorkerInstances.ts"
import { simulate } from "./Simulation.ts"

const network = () => ({ delay: () => 2 })

/** The process id of a process that has ended. */
const endedPid = async (): Promise<number> => {
  const ended = spawn(process.execPath, ["-e", ""])
  await once(ended, "exit")
  return ended.pid!
}

describe("The worker processes of a server", () => {
  it("have different names, also when graph.unique-instance-id is set and when a worker replaces another one", () => {
    for (const configured of [undefined, "shop"]) {
      const names = [
        workerName(configured, { server: "one", worker: 1 }, 100),
        workerName(configured, { server: "one", worker: 2 }, 101),
        workerName(configured, { server: "one", worker: 1 }, 102),
        workerName(configured, { server: "other", worker: 1 }, 100)
      ]
      expect(new Set(names).size).toBe(4)
      for (const name of names) expect(legalName(name)).toBe(name)
      expect(names.map((name) => isSiblingName(names[0]!, name))).toEqual([true, true, true, false])
    }
    expect(workerName("shop", { server: "one", worker: 1 }, 100)).toMatch(/^shop-[0-9a-f]{12}-1-100$/)
  })

  it("remove the registration of one that has ended, so that no change of the schema waits for it", async () => {
    const worker = { server: "one", worker: 1 }
    const pid = await endedPid()
    const [own, dead] = [workerName("shop", worker), workerName("shop", { ...worker, worker: 2 }, pid)]
    const [other, foreign] = [workerName("shop", { server: "other", worker: 1 }, pid), `shop-2-${pid}`]
    expect([dead, other, foreign].map((name) => isEndedSibling(own, name))).toEqual([true, false, false])
    const { processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const { clock, columns } = processes[0]!
    const events = { reregistered: () => undefined, failed: () => undefined }
    const named = (name: string): Instances =>
      new Instances(columns, clock, name, events, {
        has: (each) => isSiblingName(name, each),
        hasEnded: (each) => isEndedSibling(name, each)
      })
    const work = async () => {
      for (const name of [dead, other, foreign]) await named(name).register(false)
      const mine = named(own)
      const told = (await mine.register(false)).map(({ name }) => name)
      const seen = (await mine.others()).map(({ name }) => name)
      return [told, seen, (await mine.list()).map(({ name }) => name).sort()]
    }
    const done = work()
    await time.run(1000)
    expect(await done).toEqual([[foreign, other].sort(), [foreign, other].sort(), [foreign, other, own].sort()])
  })

  it("are not removed by a sibling while they run", async () => {
    const worker = { server: "one", worker: 1 }
    const [own, running] = [workerName("shop", worker), workerName("shop", { ...worker, worker: 2 })]
    const { processes } = simulate(1, { processes: 1, skew: 0, network })
    const { clock, columns } = processes[0]!
    const instances = new Instances(
      columns,
      clock,
      own,
      { reregistered: () => undefined, failed: () => undefined },
      { has: (each) => isSiblingName(own, each), hasEnded: (each) => isEndedSibling(own, each) }
    )
    expect([own, running, "other"].map((name) => instances.isOfServer(name))).toEqual([true, true, false])
    await expect(instances.forceClose(running, 0n)).rejects.toThrow("is a running worker of this server")
  })
})
