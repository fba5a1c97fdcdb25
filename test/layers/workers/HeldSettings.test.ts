import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { heldSettings, keptLines } from "../../../src/layers/workers/HeldSettings.ts"
import { newFolder } from "../../Folders.ts"

const settings = {
  controlSocket: "/run/control.sock",
  host: "localhost",
  logging: { format: "text", level: "info", file: "server.log" },
  port: 8182,
  scriptLogLength: 500,
  shutdownTimeout: 10_000
} as const
const own = heldSettings(settings)

describe("What a reload says about the primary process", () => {
  it("is nothing when the new workers would use the same", () => {
    expect(keptLines(own, structuredClone(own))).toBe("")
  })

  it("names the file of JVM options if its options have changed", () => {
    const options = { file: "/etc/jvm.options", lines: "-Xmx1g" }
    expect(keptLines({ ...own, options }, { ...own, options: { ...options } })).toBe("")
    expect(keptLines({ ...own, options }, { ...own, options: { ...options, lines: "-Xmx2g" } })).toContain(
      "The options in /etc/jvm.options were changed."
    )
    // Workers of an earlier version do not report them.
    expect(keptLines({ ...own, options }, own)).toBe("")
  })

  it("compares the options in the file, and not its comments", () => {
    const file = join(newFolder(), "jvm.options")
    vi.stubEnv("JAVA_OPTIONS_FILE", file)
    onTestFinished(() => void vi.unstubAllEnvs())
    const written = (text: string) => {
      writeFileSync(file, text)
      return heldSettings(settings).options
    }
    expect(heldSettings(settings).options).toEqual({ file, lines: "" })
    expect(written("# heap\n-Xmx1g\n")).toEqual({ file, lines: "-Xmx1g" })
    expect(written("# the heap\r\n -Xmx1g\r\n\r\n-XX:+UseG1GC")).toEqual({ file, lines: "-Xmx1g\n-XX:+UseG1GC" })
  })

  it("names a changed address", () => {
    expect(keptLines(own, { ...own, port: 8183 })).toBe(
      "The configuration names localhost:8183 now. The server still listens on localhost:8182: restart it to change the address.\n"
    )
  })

  it("is only about the address when the program of the workers is so old that they report no more", () => {
    expect(keptLines(own, { host: "localhost", port: 8182 })).toBe("")
    expect(keptLines(own, { host: "localhost", port: 8183 })).toContain("names localhost:8183 now")
  })

  it("names the settings that it keeps", () => {
    const others = { ...own.others, "logging.format": "json", "logging.level": "debug" }
    expect(keptLines(own, { ...own, others })).toBe(
      "The primary process keeps its values of these settings until a restart: logging.format, logging.level.\n"
    )
  })

  it("names the version of its program, and ignores settings that the other program does not know", () => {
    expect(keptLines(own, { ...own, version: "9.0.0", others: {} })).toBe(
      `The workers have version 9.0.0 of the program. The primary process keeps version ${own.version} until a restart.\n`
    )
  })
})
