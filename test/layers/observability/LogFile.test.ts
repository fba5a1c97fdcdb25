import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, it, vi } from "vitest"
import { LogFile } from "../../../src/layers/observability/LogFile.ts"
import { newFolder } from "../../Folders.ts"

const notice = (missing: number): string => `${missing} missing`

afterEach(() => void vi.useRealTimers())

it("A log that cannot be opened after its rotation warns once, and is tried again until it can", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const [folder, old] = [join(newFolder(), "logs"), join(newFolder(), "old")]
  mkdirSync(folder)
  const path = join(folder, "service.log")
  const warnings: Array<string> = []
  const log = new LogFile(path, notice, (text) => warnings.push(text))
  log.write("first")
  renameSync(folder, old)
  log.reopen()
  vi.advanceTimersByTime(5_000)
  const complaint = `The log file ${path} cannot be opened, and the log goes to the old one: ENOENT`
  expect(warnings).toEqual([expect.stringContaining(complaint)])
  log.write("second")
  mkdirSync(folder)
  vi.advanceTimersByTime(1_000)
  log.write("third")
  log.close()
  expect(warnings.slice(1)).toEqual([`The log file ${path} is open again`])
  expect(readFileSync(path, "utf8")).toBe("third\n")
  const lines = readFileSync(join(old, "service.log"), "utf8").split("\n")
  expect(lines).toEqual(["first", expect.stringContaining(complaint), "second", ""])
  expect(vi.getTimerCount()).toBe(0)
})

it.skipIf(process.platform !== "linux")(
  "A log on a full disk leaves lines out, says so once, and counts them when there is room again",
  () => {
    const folder = newFolder()
    const path = join(folder, "service.log")
    const warnings: Array<string> = []
    symlinkSync("/dev/full", path)
    const log = new LogFile(path, notice, (text) => warnings.push(text))
    log.write("first")
    log.write("second")
    expect(warnings).toEqual([expect.stringMatching(/service\.log cannot be written, and lines are left out: ENOSPC/)])
    rmSync(path)
    symlinkSync(join(folder, "written.log"), path)
    log.reopen()
    log.write("third")
    log.write("fourth")
    log.close()
    expect(readFileSync(path, "utf8")).toBe("2 missing\nthird\nfourth\n")
    expect(warnings).toHaveLength(1)
  }
)
