import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { withOneSnapshot } from "../../../src/layers/workers/HeapSnapshots.ts"

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
