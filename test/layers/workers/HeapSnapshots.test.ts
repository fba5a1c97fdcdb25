import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { removeCutSnapshot, withOneSnapshot } from "../../../src/layers/workers/HeapSnapshots.ts"

const folder = mkdtempSync(join(tmpdir(), "engine-server-snapshots-"))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it("A worker writes a heap snapshot only while the folder has none", () => {
  const rest = ["--diagnostic-dir=/nowhere", "--expose-gc", `--diagnostic-dir=${folder}`]
  const options = ["--heapsnapshot-near-heap-limit=1", ...rest]
  expect(withOneSnapshot(rest)).toEqual({ options: rest, existing: undefined })
  expect(withOneSnapshot(options)).toEqual({ options, existing: undefined })
  const existing = join(folder, "Heap.20260131.090000.7.0.001.heapsnapshot")
  writeFileSync(existing, "{}")
  expect(withOneSnapshot(options)).toEqual({ options: rest, existing })
  // The launcher has left out the option because of this file.
  const environment = { SERVICE_SNAPSHOT_WANTED: "true" }
  expect(withOneSnapshot(rest, environment)).toEqual({ options: rest, existing })
  rmSync(existing)
  expect(withOneSnapshot(rest, environment).options).toEqual([...rest, "--heapsnapshot-near-heap-limit=1"])
  writeFileSync(existing, "{}")
  expect(withOneSnapshot(options.slice(0, 2))).toEqual({ options: options.slice(0, 2), existing: undefined })
})

it("The heap snapshot that a killed worker was writing is removed, and no other one", () => {
  mkdirSync(folder, { recursive: true })
  const options = ["--heapsnapshot-near-heap-limit=1", `--diagnostic-dir=${folder}`]
  const file = (pid: number, number: number) => `Heap.20260131.090000.${pid}.0.00${number}.heapsnapshot`
  // Of a small process: the heap of the tests may have hundreds of megabytes.
  const write = "require('node:v8').writeHeapSnapshot(process.argv[1])"
  expect(spawnSync(process.execPath, ["--eval", write, join(folder, file(7, 1))]).status).toBe(0)
  writeFileSync(join(folder, file(7, 2)), readFileSync(join(folder, file(7, 1))).subarray(0, 10_000))
  writeFileSync(join(folder, file(77, 1)), "")
  expect(removeCutSnapshot(options.slice(1), 7)).toBe("")
  expect(removeCutSnapshot(options, 7)).toContain(join(folder, file(7, 2)))
  expect(removeCutSnapshot(options, 7)).toBe("")
  expect(readdirSync(folder)).toEqual([file(7, 1), file(77, 1)])
  expect(removeCutSnapshot(options.slice(1), 77, { SERVICE_SNAPSHOT_WANTED: "true" })).toContain(file(77, 1))
})
