import { mkdirSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { availableProcessors } from "../../src/services/Processors.ts"
import { newFolder } from "../Folders.ts"

/** The processors of a machine with 16 and these files. Node.js says that the process may use some of them. */
const processorsWith = (files: Readonly<Record<string, string>>, parallelism = 16): number => {
  const root = newFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return availableProcessors(root, parallelism, 16)
}

/** A process in a control group of version 2, whose quotas are those of the files `cpu.max` by folder. */
const unified = (quotas: Readonly<Record<string, string>>, group = "/a/b"): number =>
  processorsWith({
    "proc/self/cgroup": `0::${group}\n`,
    ...Object.fromEntries(Object.entries(quotas).map(([at, text]) => [join("sys/fs/cgroup", at, "cpu.max"), text]))
  })

describe("The processors that a process may use", () => {
  it("are those of the machine without a quota, and where the system has no control groups", () => {
    expect(processorsWith({})).toBe(16)
    expect(unified({ "": "max 100000\n", "a/b": "max 100000\n" })).toBe(16)
    expect(unified({ "a/b": "nonsense" })).toBe(16)
    expect(availableProcessors("/nonexistent")).toBe(availableParallelism())
    expect(availableProcessors()).toBeLessThanOrEqual(availableParallelism())
  })

  it("are those of the least quota of its control group and its parents, rounded up", () => {
    expect(unified({ "a/b": "200000 100000\n" })).toBe(2)
    expect(unified({ "a/b": "250000 100000\n" })).toBe(3)
    expect(unified({ "a/b": "50000 100000\n" })).toBe(1)
    expect(unified({ "a/b": "800000 100000\n", a: "350000 50000\n" })).toBe(7)
    expect(unified({ "a/b": "9000000 100000\n" })).toBe(16)
    // A container: the path is that of the host.
    expect(unified({ "": "150000 100000\n" }, "/system.slice/docker-1")).toBe(2)
  })

  it("are rounded up also where Node.js rounds the quota down", () => {
    const group = { "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "250000 100000\n" }
    expect(processorsWith(group, 2)).toBe(3)
  })

  it("are those of its affinity if these are fewer than the quota", () => {
    const group = { "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "550000 100000\n" }
    const status = (list: string) => ({ ...group, "proc/self/status": `Name:\tnode\nCpus_allowed_list:\t${list}\n` })
    expect(processorsWith(status("0-2,7"), 4)).toBe(4)
    expect(processorsWith(status("5"), 1)).toBe(1)
    expect(processorsWith(status("0-127"), 5)).toBe(6)
    expect(processorsWith({ ...status("0-127"), "sys/fs/cgroup/cpu.max": "9000000 100000\n" })).toBe(16)
  })

  it("are those of the quota of a control group of version 1", () => {
    const quota = (folder: string, value: string) => ({
      [`${folder}/cpu.cfs_quota_us`]: `${value}\n`,
      [`${folder}/cpu.cfs_period_us`]: "100000\n"
    })
    const groups = { "proc/self/cgroup": "5:memory:/a\n4:cpu,cpuacct:/a\n" }
    expect(processorsWith({ ...groups, ...quota("sys/fs/cgroup/cpu,cpuacct/a", "300000") })).toBe(3)
    expect(processorsWith({ ...groups, ...quota("sys/fs/cgroup/cpu/a", "-1") })).toBe(16)
    expect(processorsWith({ ...groups, ...quota("sys/fs/cgroup/cpu", "120000") })).toBe(2)
    expect(processorsWith({ ...groups, ...quota("sys/fs/cgroup/memory/a", "100000") })).toBe(16)
  })
})
