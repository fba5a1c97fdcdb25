import { readdirSync, writeFileSync } from "node:fs"
import { afterEach, describe, expect, it, vi } from "vitest"
import { read } from "../../../src/storage/lmdb/LockFile.ts"
import { changeLeft, REPLACING, replace } from "../../../src/storage/lmdb/Replacement.ts"
import { removeLeftWork, workFiles } from "../../../src/storage/lmdb/WorkFiles.ts"
import { thisProcess } from "../../../src/storage/shared/ProcessIdentity.ts"
import { newFolder } from "../../Folders.ts"

/** The process that runs now, those that have ended, and what happens before the next operations on files. */
const machine = vi.hoisted(() => ({ process: 1, ended: new Set<number>(), beforeEach: () => {} }))

vi.mock(import("../../../src/storage/shared/ProcessIdentity.ts"), async (importOriginal) => ({
  ...(await importOriginal()),
  thisProcess: () => ({ pid: machine.process, started: "1", boot: "", namespace: "", host: "" }),
  stateOf: ({ pid }) => (machine.ended.has(pid) ? "ended" : "running")
}))

vi.mock(import("node:fs"), async (importOriginal) => {
  const fs = await importOriginal()
  const watched = <Call extends (...args: never) => unknown>(call: Call) =>
    ((...args) => {
      machine.beforeEach()
      return call(...args)
    }) as Call
  const names = ["linkSync", "openSync", "readFileSync", "renameSync", "rmSync", "statSync", "writeFileSync"] as const
  const calls = Object.fromEntries(
    names.map((name) => [name, watched<never>(fs[name] as never)])
  ) as unknown as typeof fs
  /** As the system does it: the file is made or emptied, then written. */
  const writeFileSync: typeof fs.writeFileSync = (file, data, options) => {
    calls.writeFileSync(file, "", options)
    calls.writeFileSync(file, data)
  }
  return { ...fs, ...calls, writeFileSync }
})

afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(machine, { process: 1, ended: new Set(), beforeEach: () => {} })
})

/** Runs a call as another process. */
const as = <Result>(process: number, call: () => Result): Result => {
  const before = machine.process
  machine.process = process
  try {
    return call()
  } finally {
    machine.process = before
  }
}

class Killed extends Error {}

/**
 * Runs a call as process 1. Before each of its operations on files, `others` runs with their number, from 0 on. Returns the result,
 * and the number of operations; undefined for a process that was killed.
 */
const interleaved = <Result>(call: () => Result, others: (operation: number) => void) => {
  let operations = 0
  let isKilled = false
  machine.beforeEach = () => {
    if (machine.process !== 1) return
    // A process that was killed does nothing any more.
    if (isKilled) throw new Killed()
    try {
      others(operations++)
    } catch (error) {
      isKilled = error instanceof Killed
      throw error
    }
  }
  try {
    return { result: as(1, call), operations }
  } catch (error) {
    if (!isKilled) throw error
    machine.ended.add(1)
    return { result: undefined, operations }
  } finally {
    machine.beforeEach = () => {}
  }
}

const NAME = "index-1"
const work = (directory: string) => workFiles(directory, "server")
type Taking = ReturnType<ReturnType<typeof work>["take"]>
const releaseOf = (taking: Taking | undefined) =>
  typeof taking === "object" && "release" in taking ? taking.release : undefined

/** A folder in which a process that has ended has taken the work. Its id is 9. */
const leftFolder = (): string => {
  const directory = newFolder()
  as(9, () => work(directory).take(NAME, false))
  machine.ended.add(9)
  return directory
}

/** The number of operations of a process that takes the work of one that has ended. */
const operationsOfTake = (): number =>
  interleaved(
    () => work(leftFolder()).take(NAME, false),
    () => {}
  ).operations

/** A process takes work in the folder, and ends it, and nothing is left. */
const expectUsable = (directory: string): void => {
  const release = releaseOf(as(5, () => work(directory).take(NAME, false)))
  expect(release).toBeDefined()
  as(5, () => release!())
  expect(readdirSync(directory).filter((name) => !/\.[0-9a-f-]{36}$/.test(name))).toEqual([])
}

describe("The work of a process that has ended", () => {
  const operations = operationsOfTake()
  const steps = Array.from({ length: operations }, (_, step) => step)

  it("is taken by one process at a time, also if another one takes and releases it between two operations of the first", () => {
    expect(operations).toBeGreaterThan(5)
    for (const takes of steps) {
      for (const releases of steps.slice(takes)) {
        const directory = leftFolder()
        let second: Taking | undefined
        let third: Taking | undefined
        const { result } = interleaved(
          () => work(directory).take(NAME, false),
          (operation) => {
            if (operation === takes) second = as(2, () => work(directory).take(NAME, false))
            if (operation !== releases) return
            // While the second process has the work, and after its end, a third one takes it.
            if (releaseOf(second) !== undefined)
              expect(as(3, () => work(directory).take(NAME, false))).toBe("elsewhere")
            as(2, () => releaseOf(second)?.())
            second = undefined
            third = as(3, () => work(directory).take(NAME, false))
          }
        )
        const holders = [result, second, third].flatMap((taking) => releaseOf(taking) ?? [])
        expect(holders.length, `${takes} ${releases}`).toBeLessThan(2)
        if (holders.length === 1) expect(as(4, () => work(directory).take(NAME, false))).toBe("elsewhere")
        for (const release of holders) release()
        expectUsable(directory)
      }
    }
  })

  it("is not lost when the process that takes it is killed between any two operations", () => {
    for (const killed of steps) {
      const directory = leftFolder()
      interleaved(
        () => work(directory).take(NAME, false),
        (operation) => {
          if (operation === killed) throw new Killed()
        }
      )
      expectUsable(directory)
    }
  })

  it("stays with the process that has it when another one releases it late", () => {
    const directory = newFolder()
    const release = releaseOf(work(directory).take(NAME, false))
    machine.ended.add(1)
    expect(releaseOf(as(2, () => work(directory).take(NAME, false)))).toBeDefined()
    release!()
    release!("the disk is full")
    expect(as(3, () => work(directory).take(NAME, false))).toBe("elsewhere")
    expect(as(3, () => work(directory).failure(NAME))).toBeUndefined()
  })

  it("is removed by another server, but not from a process of that server that has taken it meanwhile", () => {
    const own = () => ({ ...thisProcess(), server: "next" })
    const next = (directory: string) => workFiles(directory, "next")
    const removals = interleaved(
      () => removeLeftWork(leftFolder(), own()),
      () => {}
    ).operations
    for (let takes = 0; takes < removals; takes++) {
      const directory = leftFolder()
      let taking: Taking | undefined
      interleaved(
        () => removeLeftWork(directory, own()),
        (operation) => {
          if (operation === takes) taking = as(2, () => next(directory).take(NAME, false))
        }
      )
      expect(typeof taking === "object" || taking === "busy").toBe(true)
      if (typeof taking === "object") expect(as(3, () => next(directory).take(NAME, false))).toBe("elsewhere")
    }
  })
})

describe("The failure of work", () => {
  it("is what a process that follows gets, and never the work, wherever the failure comes between its operations", () => {
    const { operations } = interleaved(
      () => {
        const directory = newFolder()
        as(2, () => work(directory).take(NAME, false))
        work(directory).take(NAME, true)
      },
      () => {}
    )
    for (let fails = 0; fails < operations; fails++) {
      const directory = newFolder()
      const release = releaseOf(as(2, () => work(directory).take(NAME, false)))!
      const { result } = interleaved(
        () => work(directory).take(NAME, true),
        (operation) => {
          if (operation === fails) as(2, () => release("the disk is full"))
        }
      )
      expect(["elsewhere", { failure: "the disk is full" }]).toContainEqual(result)
      expect(work(directory).take(NAME, true)).toEqual({ failure: "the disk is full" })
      expect(releaseOf(work(directory).take(NAME, false))).toBeDefined()
    }
  })

  it("is written at once: other processes see that the work is being done, or has failed", () => {
    const seen = new Set<string>()
    const directory = newFolder()
    const release = releaseOf(work(directory).take(NAME, false))!
    interleaved(
      () => release("the disk is full"),
      () => {
        const taking = as(2, () => work(directory).take(NAME, true))
        seen.add(JSON.stringify([taking, as(2, () => work(directory).failure(NAME))]))
      }
    )
    expect([...seen]).toEqual(['["elsewhere",null]'])
    expect(work(directory).failure(NAME)).toBe("the disk is full")
  })
})

describe("The file of a process that has ended", () => {
  it("is not changed by a second process while the first one changes it, and afterwards has changed", () => {
    const directory = newFolder()
    const path = `${directory}/server.work.x`
    const found = JSON.stringify({ server: "server" })
    as(9, () => work(directory).take("x", false))
    const left = read(path)!
    let meanwhile: unknown
    expect(
      changeLeft(path, left, () => {
        meanwhile = as(2, () => replace(path, left, found))
      })
    ).toBe("done")
    expect(meanwhile).toBe("busy")
    expect(as(2, () => replace(path, left, found))).toBe("done")
    expect(as(3, () => replace(path, left, "another"))).toBe("changed")
    expect(read(path)).toBe(found)
  })

  it("is changed beside a marker of this process, which it could not remove, but not beside that of another one that runs", () => {
    const directory = newFolder()
    const path = `${directory}/server.work.x`
    const marker = `${directory}/${REPLACING}`
    writeFileSync(path, "ended")
    writeFileSync(marker, JSON.stringify({ ...thisProcess(), opening: "left" }))
    expect(as(2, () => replace(path, "ended", "replaced"))).toBe("busy")
    expect(replace(path, "ended", "replaced")).toBe("done")
    expect(readdirSync(directory)).toEqual(["server.work.x"])
  })

  it("reports once that its work waits for a process that changes another file for a second", () => {
    const directory = newFolder()
    let now = 0
    vi.spyOn(performance, "now").mockImplementation(() => now)
    as(9, () => work(directory).take("x", false))
    machine.ended.add(9)
    writeFileSync(`${directory}/${REPLACING}`, JSON.stringify({ ...thisProcess(), pid: 5, opening: "stopped" }))
    const texts: Array<string> = []
    const files = workFiles(directory, "server", (text) => texts.push(text))
    for (; now < 900; now += 100) expect(files.take("x", false)).toBe("busy")
    expect(texts).toEqual([])
    for (; now < 5_000; now += 100) files.take("x", false)
    expect(texts).toEqual([expect.stringContaining("Process 5 replaces a file of a process that has ended")])
  })
})
