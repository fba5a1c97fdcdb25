import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { main } from "./main.ts"

const HOME = join("test", "differential")

describe("The differential fuzzer without a Gremlin Server", () => {
  const folder = mkdtempSync(join(tmpdir(), "differential-"))
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true, force: true })
  })

  it("reports why it does not run, and counts its cases as skipped if it is optional", async () => {
    cpSync(HOME, join(folder, "home"), { recursive: true })
    vi.stubEnv("PATH", "")
    const lines: Array<string> = []
    vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line))
    const status = await main(
      ["--optional", "--cases", "3000"],
      join(folder, "home"),
      join(folder, "cache"),
      process.cwd()
    )
    expect(status).toBe(0)
    expect(lines[0]).toContain("not run, Gremlin Server cannot be obtained: the command java is needed")
    expect(lines.at(-1)).toBe("0 passed, 0 failed, 3000 skipped")
  })
})
