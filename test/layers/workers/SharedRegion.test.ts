import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, fstatSync, ftruncateSync, openSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it, onTestFinished } from "vitest"
import {
  header,
  layoutVersion,
  MAX_WORKERS,
  REGION_BYTES,
  slotWords
} from "../../../src/layers/workers/RegionLayout.ts"
import { SharedMemoryUnavailable } from "../../../src/layers/workers/SharedMemory.ts"
import { attachRegion, makeRegion } from "../../../src/layers/workers/SharedRegion.ts"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../support/ServerProcess.ts"
import { newRegion } from "./Regions.ts"

const platform = Object.getOwnPropertyDescriptor(process, "platform")!
afterEach(() => Object.defineProperty(process, "platform", platform))

describe("The shared region", () => {
  it("counts all that two processes add to the same word and to words of their slots", async () => {
    const { region, descriptor } = await newRegion(2)
    const bundle = await bundled({ AddingProcess: "test/layers/workers/AddingProcess.ts" })
    const program = join(bundle, "AddingProcess.mjs")
    const exits = [0, 1].map(async (slot) => {
      const child = spawn(process.execPath, [program, String(slot), "1000000"], {
        stdio: ["ignore", "inherit", "inherit", descriptor]
      })
      onTestFinished(() => void child.kill("SIGKILL"))
      return once(child, "exit")
    })
    expect(await Promise.all(exits)).toEqual([
      [0, null],
      [0, null]
    ])
    expect(region.get(header.users)).toBe(2_000_000)
    expect([0, 1, 2].map((slot) => region.of(slot, slotWords.waiting))).toEqual([1_000_000, 1_000_000, 0])
    expect(region.sum(slotWords.waiting)).toBe(2_000_000)
  })

  it("is one memory for all that attach to its file", async () => {
    const { region, descriptor } = await newRegion(MAX_WORKERS)
    const worker = await attachRegion(descriptor)
    worker.setOf(MAX_WORKERS - 1, slotWords.onEventLoop, -5)
    worker.lanes[7] = 3
    worker.longs[worker.longs.length - 1] = 1n
    expect(region.of(MAX_WORKERS - 1, slotWords.onEventLoop)).toBe(-5)
    expect(region.lanes[7]).toBe(3)
    expect(region.bytes.length).toBe(REGION_BYTES)
    expect(region.bytes.readBigInt64LE(REGION_BYTES - 8)).toBe(1n)
    worker.close()
    expect(region.lanes[7]).toBe(3)
  })

  it("accepts accesses after it is closed, which reach no other process", async () => {
    const { region, descriptor } = await newRegion(2)
    const worker = await attachRegion(descriptor)
    worker.addTo(1, slotWords.lanes, 4)
    worker.close()
    worker.close()
    expect(worker.addTo(1, slotWords.lanes, -1)).toBe(-1)
    expect(region.of(1, slotWords.lanes)).toBe(4)
  })

  it("has a file without a name, whose whole space is allocated, for this user only", async () => {
    const { descriptor } = await newRegion(1)
    const { blocks, mode, nlink, size } = fstatSync(descriptor)
    expect({ nlink, size, mode: mode & 0o777 }).toEqual({ nlink: 0, size: REGION_BYTES, mode: 0o600 })
    expect(blocks * 512).toBeGreaterThanOrEqual(REGION_BYTES)
  })

  it("refuses to attach to the memory of a program with another layout", async () => {
    const { region, descriptor } = await newRegion(2)
    region.set(header.version, layoutVersion + 1)
    await expect(attachRegion(descriptor)).rejects.toThrow(
      /made by another version of the program: its layout is [\da-f]{8}, and that of this program is [\da-f]{8}\. Restart the server/
    )
    region.set(header.version, layoutVersion)
    region.set(header.magic, 0)
    await expect(attachRegion(descriptor)).rejects.toThrow("does not begin with the mark")
  })

  it("refuses to attach to a file of another length", async () => {
    const descriptor = openSync(join(newFolder(), "file"), "wx+")
    onTestFinished(() => closeSync(descriptor))
    ftruncateSync(descriptor, REGION_BYTES - 1)
    await expect(attachRegion(descriptor)).rejects.toThrow(SharedMemoryUnavailable)
  })

  it("refuses a number of workers that it has no slots for", async () => {
    await expect(makeRegion(MAX_WORKERS + 1)).rejects.toThrow("A server has 1 to 64 workers, not 65.")
    await expect(makeRegion(0)).rejects.toThrow("not 0")
  })

  it("is refused on Windows with what to do instead", async () => {
    Object.defineProperty(process, "platform", { ...platform, value: "win32" })
    await expect(makeRegion(2)).rejects.toThrow(
      "The shared memory of worker processes cannot be mapped: Windows has no mmap. Set 'workers: 1' to run the server in one process."
    )
  })
})
