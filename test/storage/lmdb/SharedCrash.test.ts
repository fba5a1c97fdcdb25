import { setTimeout as sleep } from "node:timers/promises"
import { expect, it, onTestFinished, vi } from "vitest"
import { newFolder } from "../../Folders.ts"
import { CONDITION_MS } from "../../Limits.ts"
import { findingsIn } from "../janusgraph/Findings.ts"
import { drain } from "../Reads.ts"
import { type OtherProcess, otherProcess, sharedProgram } from "./OtherProcess.ts"
import { openShared } from "./SharedWriter.ts"

const KILLS = Number(process.env.CRASH_ROUNDS ?? 12)
/** Few enough that processes often want the same number. */
const NUMBERS = 50_000

it.each([
  [2, "in transactions of their own", "Infinity"],
  [2, "in shared transactions", "0"],
  [4, "in shared transactions", "0"]
] as const)(
  "Every answered commit exists once, and none in part, after %d processes that commit %s were killed and replaced at random",
  async (count, _, slowSync) => {
    vi.stubEnv("SLOW_SYNC", slowSync)
    onTestFinished(() => void vi.unstubAllEnvs())
    const directory = newFolder()
    const program = await sharedProgram()
    const graph = await openShared(directory, "first")
    await graph.management.createIndex("number", "vertex", { unique: true })
    const all: Array<OtherProcess> = []
    const startWorker = async (): Promise<OtherProcess> => {
      const worker = await otherProcess(directory, `worker${all.length}`, program)
      all.push(worker)
      worker.run(`work ${NUMBERS}`).catch(() => undefined)
      return worker
    }
    const running = await Promise.all(Array.from({ length: count }, startWorker))
    for (let kill = 0; kill < KILLS; kill++) {
      // A new process is killed at any time after its start, but each round has answered commits.
      const before = all.reduce((sum, { answered }) => sum + answered.length, 0)
      await vi.waitFor(
        () => expect(all.reduce((sum, { answered }) => sum + answered.length, 0)).toBeGreaterThan(before),
        { timeout: CONDITION_MS }
      )
      await sleep(Math.random() ** 2 * 200)
      const victims = Math.random() < 0.3 ? running.map((_, index) => index) : [Math.floor(Math.random() * count)]
      await Promise.all(victims.map((index) => running[index]!.kill()))
      await Promise.all(
        victims.map(async (index) => {
          running[index] = await startWorker()
        })
      )
    }
    await Promise.all(running.map(({ kill }) => kill()))

    const answered = all.flatMap((worker) => worker.answered)
    expect(new Set(answered).size).toBe(answered.length)
    expect(answered.length).toBeGreaterThan(KILLS)
    const transaction = graph.begin({ readOnly: true })
    const refs = drain(transaction.scanVertices(null), 1000)
    const number = transaction.vertexReader("number")
    const stored = refs.map((ref) => number.value(ref)).filter((value) => value !== undefined)
    expect(new Set(stored).size).toBe(stored.length)
    const there = new Set(stored)
    expect(answered.filter((each) => !there.has(each))).toEqual([])
    expect(refs.length).toBe(2 * stored.length)
    expect([transaction.counts.vertices(null), transaction.counts.edges(null)]).toEqual([refs.length, stored.length])
    transaction.rollback()
    expect(findingsIn(graph.core)).toEqual([])
    await graph.close()
  },
  60_000 + KILLS * 10_000
)
