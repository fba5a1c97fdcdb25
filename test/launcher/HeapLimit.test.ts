import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { root } from "../project/Projects.ts"
import { writeSystem } from "./Installation.ts"

const MB = 1_048_576
/** What version 1 of the control groups has for no limit. */
const UNLIMITED = "9223372036854771712\n"

const folders: Array<string> = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Memory for all heaps, the size of a semi-space, and the heap of one process, MB. */
const limits = (
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
  shown = "$SERVICE_HEAP_MEGABYTES $semi_space $heap_megabytes"
) => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-system-"))
  folders.push(folder)
  writeSystem(folder, files)
  const script = `. "$1"; limit_heap; echo "${shown}"`
  const { stderr, stdout } = spawnSync("sh", ["-c", script, "sh", join(root, "bin", "service-functions.sh")], {
    encoding: "utf8",
    env: { PATH: process.env.PATH ?? "", SERVICE_SYSTEM_ROOT: folder, ...environment }
  })
  expect(stderr).toBe("")
  return stdout.trim()
}

const group = "/system.slice/engine-server.service"

/** The heap of a process without an option for it, MB. */
const withoutOption = (files: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>> = {}) =>
  limits(files, environment, "$default_megabytes")

describe("The limit of the heaps", () => {
  it("is set where no option names one and a control group limits the memory", () => {
    const grouped = { "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": `${2_000 * MB}\n` }
    expect(withoutOption(grouped)).toBe("1404")
    expect(withoutOption({ ...grouped, "sys/fs/cgroup/memory.max": `${12_000 * MB}\n` })).toBe("4096")
    expect(withoutOption({})).toBe("")
    expect(withoutOption(grouped, { JAVA_OPTIONS: "-Xmx2g" })).toBe("")
    expect(withoutOption({}, { SERVICE_HEAP_MEGABYTES: "1000" })).toBe("904")
  })

  it("is three quarters of the memory of the machine, without a limit of its own", () => {
    expect(limits({})).toBe("18432 32 18336")
    expect(limits({ "proc/meminfo": `MemTotal:    ${2 * MB} kB\nMemFree: 1 kB\n` })).toBe("1536 32 1440")
    expect(limits({ "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n" })).toBe("18432 32 18336")
  })

  it("is that of a container, by both versions of control groups, also with the path of the host", () => {
    const max = { "sys/fs/cgroup/memory.max": `${1000 * MB}\n` }
    expect(limits({ "proc/self/cgroup": "0::/\n", ...max })).toBe("750 32 654")
    expect(limits({ "proc/self/cgroup": "0::/kubepods.slice/pod1/container\n", ...max })).toBe("750 32 654")
    const first = { "sys/fs/cgroup/memory/memory.limit_in_bytes": `${1000 * MB}\n` }
    expect(limits({ "proc/self/cgroup": "3:cpu,cpuacct:/\n2:memory:/docker/abc\n", ...first })).toBe("750 32 654")
    const mixed = { "proc/self/cgroup": "2:memory:/\n0::/\n", "sys/fs/cgroup/unified/memory.max": `${800 * MB}` }
    expect(limits({ ...mixed, "sys/fs/cgroup/memory/memory.limit_in_bytes": UNLIMITED })).toBe("600 32 504")
  })

  it("is the least of the process's own group and of its parents", () => {
    const own = { "proc/self/cgroup": `0::${group}\n`, [`sys/fs/cgroup${group}/memory.max`]: `${1000 * MB}\n` }
    expect(limits(own)).toBe("750 32 654")
    expect(limits({ ...own, "sys/fs/cgroup/system.slice/memory.max": `${600 * MB}\n` })).toBe("450 32 354")
  })

  it("has a smaller young generation in little memory", () => {
    const little = { "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": `${128 * MB}\n` }
    expect(limits(little)).toBe("96 8 72")
  })

  it("is left to the user by an option for the heap, and by no other option", () => {
    for (const environment of [
      { JAVA_OPTIONS: "-Dlog4j2.level=info -Xmx2g" },
      { JAVA_OPTIONS: "-XX:MaxHeapSize=2g" },
      { NODE_OPTIONS: "--max_old_space_size=2048", SERVICE_HEAP_MEGABYTES: "500" }
    ])
      expect(limits({}, environment)).toBe("32")
    expect(limits({}, { JAVA_OPTIONS: "-Dlog4j2.level=info", NODE_OPTIONS: "--trace-warnings" })).toBe("18432 32 18336")
    expect(limits({}, { SERVICE_HEAP_MEGABYTES: "1000" })).toBe("1000 32 904")
  })
})
