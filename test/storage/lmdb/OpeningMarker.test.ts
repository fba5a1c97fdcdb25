import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it, onTestFinished, vi } from "vitest"
import { announceOpening, isBeingOpened } from "../../../src/storage/lmdb/Opening.ts"
import { createdMarker, markersFrom, OPENING } from "../../../src/storage/lmdb/OpeningMarker.ts"
import { newFolder } from "../../Folders.ts"
import { CONDITION_MS, PROCESSES_MS } from "../../Limits.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { lmdbStore } from "./Stores.ts"

const markerIn = (directory: string): string => join(directory, OPENING)

/** The text of a marker of a process that has ended. */
const ofEnded = (opening: string): string => JSON.stringify({ pid: 2 ** 22 + 1, started: "", opening })

it("A process that saw no marker does not replace that of another process", () => {
  const directory = newFolder()
  const before = markersFrom(markerIn(directory))
  const ended = createdMarker(markerIn(directory), before, ofEnded("first"))
  expect(createdMarker(markerIn(directory), before, ofEnded("second"))).toBeUndefined()
  expect(markersFrom(markerIn(directory))[0]?.process?.opening).toBe("first")
  ended?.()
  expect(readdirSync(directory)).toEqual([])
})

it("Of two processes that saw the marker of a process that has ended, one follows it, also if the other one has done so and ended", () => {
  const directory = newFolder()
  createdMarker(markerIn(directory), [], "{}")
  const before = markersFrom(markerIn(directory))
  const ended = createdMarker(markerIn(directory), before, ofEnded("first"))
  expect(createdMarker(markerIn(directory), before, ofEnded("second"))).toBeUndefined()
  expect(markersFrom(markerIn(directory)).length).toBeGreaterThan(0)
  ended?.()
  expect(createdMarker(markerIn(directory), before, ofEnded("third"))).toBeUndefined()
  expect(readdirSync(directory)).toEqual([])
})

it("A process that ends its opening does not remove the marker that another process makes at that moment", () => {
  const directory = newFolder()
  let removals = 0
  const ended = createdMarker(markerIn(directory), [], ofEnded("first"), (path) => {
    rmSync(path)
    if (++removals === 1) createdMarker(markerIn(directory), [], ofEnded("second"))
  })
  ended?.()
  expect(markersFrom(markerIn(directory))[0]?.process?.opening).toBe("second")
})

it("A process that cannot read its marker at the end of its opening removes it: it would count as long as the process runs", () => {
  const directory = newFolder()
  const removed: Array<string> = []
  const ended = createdMarker(markerIn(directory), [], ofEnded("first"), (path) => removed.push(path))
  rmSync(markerIn(directory))
  // A process of the superuser may read every file, but no folder.
  mkdirSync(markerIn(directory))
  ended?.()
  expect(removed).toEqual([markerIn(directory)])
})

it("A server that opens the files removes what killed processes have left, but not what others are making", async () => {
  const directory = newFolder()
  const uuid = "01234567-89ab-4cde-8f01-23456789abcd"
  const left = [
    `graph.opening.${uuid}`,
    `graph.opening.after.${uuid}`,
    `graph.mdb-lock.${uuid}`,
    `server.lock.${uuid}`,
    `server.lock.replacing.${uuid}`,
    `server.lock.replacing.after.${uuid}`,
    `server.process.${uuid}.new`,
    `server.work.index 1.${uuid}`
  ]
  const kept = [`server.process.${uuid}`, "server.work.index 1", "notes.txt", "graph.opening.txt"]
  for (const [time, names] of [
    [1, left],
    [Date.now() / 1000, left.map((name) => name.replace(uuid, randomUUID()))],
    [1, kept]
  ] as const)
    for (const name of names) {
      writeFileSync(join(directory, name), "")
      utimesSync(join(directory, name), time, time)
    }
  const before = readdirSync(directory)
  const store = await lmdbStore({ directory })
  const after = readdirSync(directory)
  expect(before.filter((name) => !after.includes(name)).sort()).toEqual(left.sort())
  await store.close()
})

it("A marker whose file was removed before its link is made again", () => {
  const directory = newFolder()
  createdMarker(markerIn(directory), [], ofEnded("first"))
  // The link fails as for a removed file.
  const before = markersFrom(markerIn(directory)).map((marker) => ({ ...marker, next: `${directory}/absent/marker` }))
  expect(createdMarker(markerIn(directory), before, ofEnded("second"))).toBeUndefined()
  expect(readdirSync(directory)).toEqual(["graph.opening"])
})

it("One process at a time opens the files, also while others are killed", { timeout: PROCESSES_MS }, async () => {
  const directory = newFolder()
  const program = join(await bundled({ OpeningTaker: "test/storage/lmdb/OpeningTaker.ts" }), "OpeningTaker.mjs")
  const failures: Array<string> = []
  let openings = 0
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [program, directory], { stdio: ["ignore", "pipe", "pipe"] })
    child.stdout.on("data", (data) => {
      openings += String(data).split("\n").length - 1
    })
    child.stderr.on("data", (data) => failures.push(String(data)))
    onTestFinished(() => void child.kill("SIGKILL"))
    return child
  }
  const running = [start(), start(), start()]
  for (let kill = 0; kill < 12; kill++) {
    const before = openings
    await vi.waitFor(() => expect(openings).toBeGreaterThan(before + 50), { timeout: CONDITION_MS })
    await sleep(Math.random() * 20)
    running[kill % 3]!.kill("SIGKILL")
    running[kill % 3] = start()
  }
  for (const child of running) child.kill("SIGKILL")
  expect(failures).toEqual([])
  const ended = await announceOpening(directory, undefined)
  expect(isBeingOpened(directory)).toBe(false)
  ended()
  expect(existsSync(`${directory}/graph.opening`)).toBe(false)
})
