import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
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

  /** A run of the fuzzer that may lack the reference, and what it prints. */
  const optional = () => {
    const lines: Array<string> = []
    vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line))
    const args = ["--optional", "--cases", "3000"]
    return { lines, run: () => main(args, join(folder, "home"), join(folder, "cache"), process.cwd()) }
  }

  it("reports why it does not run, and counts its cases as skipped if it is optional", async () => {
    cpSync(HOME, join(folder, "home"), { recursive: true })
    vi.stubEnv("PATH", "")
    const { lines, run } = optional()
    expect(await run()).toBe(0)
    expect(lines[0]).toContain("not run, Gremlin Server cannot be obtained: the command java is needed")
    expect(lines.at(-1)).toBe("0 passed, 0 failed, 3000 skipped")
  })

  /** Programs that print a text and end with a status, instead of those that are installed. */
  const withPrograms = (programs: Readonly<Record<string, readonly [text: string, status: number]>>): void => {
    const bin = join(folder, "bin")
    mkdirSync(bin, { recursive: true })
    for (const [name, [text, status]] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho '${text}'\nexit ${status}\n`)
      chmodSync(join(bin, name), 0o755)
    }
    vi.stubEnv("PATH", `${bin}:/usr/bin:/bin`)
  }

  it("skips its cases if no registry can be reached, and fails if Maven fails for another reason", async () => {
    cpSync(HOME, join(folder, "home"), { recursive: true })
    withPrograms({ java: ["", 0], mvn: ["Could not transfer artifact x: Unknown host registry", 1] })
    const { lines, run } = optional()
    expect(await run()).toBe(0)
    expect(lines.at(-1)).toBe("0 passed, 0 failed, 3000 skipped")
    withPrograms({ java: ["", 0], mvn: ["Non-parseable POM", 1] })
    await expect(run()).rejects.toThrow("Non-parseable POM")
  })
})
