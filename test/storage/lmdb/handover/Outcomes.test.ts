import { setTimeout as sleep } from "node:timers/promises"
import { expect, it, onTestFinished, vi } from "vitest"
import type { CellBatch } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { CommitOutcomeUnknown, StorageUnavailable } from "../../../../src/structure/errors/StoreErrors.ts"
import { settled } from "../../Completion.ts"
import { cellsOf, increment, put, type Side, twoSides } from "./Sharing.ts"

const CLIENTS = 12
const COMMITS = 40
const SUMS = 3

const chance = (share: number): boolean => Math.random() < share

/** Makes the transactions of a process fail at random, at different moments, and adds synchronous commits to them. */
const disturb = ({ commits, handover }: Side): void => {
  const [takeBack, gather] = [handover.takeBack.bind(handover), handover.gather.bind(handover)]
  vi.spyOn(handover, "takeBack").mockImplementation((environment) => {
    if (chance(0.03)) throw new StorageUnavailable("the begin failed")
    return takeBack(environment)
  })
  vi.spyOn(handover, "gather").mockImplementation(async (environment, own) => {
    if (chance(0.05)) throw new StorageUnavailable("the wait failed")
    if (chance(0.05)) {
      // As lmdb fails: the cause is known later.
      const commitError = sleep(Math.random() * 3).then(() => Promise.reject(new StorageUnavailable("it failed later")))
      commitError.catch(() => undefined)
      throw Object.assign(new Error("the commit failed"), { commitError })
    }
    if (chance(0.2)) await sleep(Math.random() * 3)
    if (chance(0.1)) commits.commitNow(put(`claim${Math.random()}`, "1"))
    await gather(environment, own)
  })
}

/** What the answers of all commits say. */
interface Answers {
  readonly completed: Array<string>
  readonly failed: Array<string>
  /** How often completed commits have added to each sum. */
  readonly sums: Map<string, number>
  /** The sums to which commits have added whose outcome is unknown. */
  readonly unknown: Set<string>
}

const commitSome = async (sides: ReadonlyArray<Side>, client: number, answers: Answers): Promise<void> => {
  for (let i = 0; i < COMMITS; i++) {
    const { commits } = sides[Math.floor(Math.random() * sides.length)]!
    const [name, sum] = [`commit ${client} ${i}`, `sum${Math.floor(Math.random() * SUMS)}`]
    const [adds, isRefused, isLong] = [chance(0.4), chance(0.1), chance(0.03)]
    const work = (batch: CellBatch): void => {
      put(name, "1")(batch)
      if (adds) increment(sum)(batch)
      if (isRefused) throw new StorageUnavailable("refused")
    }
    const inSlices = function* (batch: CellBatch): Generator<void> {
      yield
      work(batch)
    }
    try {
      await settled(isLong ? commits.commitLong(inSlices) : commits.commit(work))
      answers.completed.push(name)
      if (adds) answers.sums.set(sum, (answers.sums.get(sum) ?? 0) + 1)
    } catch (error) {
      if (error instanceof CommitOutcomeUnknown) answers.unknown.add(sum)
      else if (error instanceof StorageUnavailable) answers.failed.push(name)
      else throw error
    }
    if (chance(0.3)) await sleep(Math.random() * 4)
  }
}

it.each([1, 2, 3, 4])(
  "Commits have the outcome that their answers say, although shared transactions fail at random (round %d)",
  async () => {
    onTestFinished(() => void vi.restoreAllMocks())
    const { environment, left, right, hold, close } = await twoSides()
    const sides = [left, right]
    for (const side of sides) disturb(side)
    const answers: Answers = { completed: [], failed: [], sums: new Map(), unknown: new Set() }
    const clients = Array.from({ length: CLIENTS }, (_, client) => commitSome(sides, client, answers))
    let isOver = false
    const waits = (async () => {
      while (!isOver) {
        const release = await hold()
        await sleep(Math.random() * 4)
        await release()
        await sleep(Math.random() * 6)
      }
    })()
    await Promise.all(clients)
    isOver = true
    await waits
    const cells = cellsOf(environment)
    expect(answers.completed.filter((name) => !(name in cells))).toEqual([])
    expect(answers.failed.filter((name) => name in cells)).toEqual([])
    for (const [sum, count] of answers.sums) if (!answers.unknown.has(sum)) expect(cells[sum]).toBe(String(count))
    vi.restoreAllMocks()
    await close()
  }
)
