import { readFileSync } from "node:fs"
import { availableParallelism, cpus } from "node:os"
import { join } from "node:path"

/** The text of a file of the system; empty if there is none. */
const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Processors that a quota of time in a period allows, both in microseconds; infinite without a quota: `max`, or -1. */
const share = (quota: string | undefined, period: string | undefined): number => {
  const processors = Number(quota) / Number(period)
  return processors > 0 ? processors : Number.POSITIVE_INFINITY
}

/** The quota in the folder of a control group of version 2, which has one file for it. */
const unified = (folder: string): number => {
  const [quota, period] = read(join(folder, "cpu.max")).trim().split(" ")
  return share(quota, period)
}

/** The quota in the folder of a control group of version 1. */
const separate = (folder: string): number =>
  share(read(join(folder, "cpu.cfs_quota_us")), read(join(folder, "cpu.cfs_period_us")))

/** The least quota of a control group and of all its parents. */
const least = (mount: string, group: string, quotaIn: (folder: string) => number): number => {
  const names = group.split("/").filter((name) => name !== "")
  // In a container the path of a group may be that of the host, which is not there: its quota is that of the first folder.
  return Math.min(...[...names.keys(), names.length].map((count) => quotaIn(join(mount, ...names.slice(0, count)))))
}

/** The processors that the control groups of this process allow, of both versions; infinite without a quota. */
const quotaOf = (root: string): number => {
  const groups = join(root, "sys", "fs", "cgroup")
  let processors = Number.POSITIVE_INFINITY
  for (const line of read(join(root, "proc", "self", "cgroup")).split("\n")) {
    const [, controllers, group = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers === "") {
      processors = Math.min(processors, least(groups, group, unified), least(join(groups, "unified"), group, unified))
    } else if (controllers?.split(",").includes("cpu")) {
      for (const mount of new Set(["cpu", controllers])) {
        processors = Math.min(processors, least(join(groups, mount), group, separate))
      }
    }
  }
  return processors
}

/** The processors that the affinity of this process allows; infinite where the system does not say. */
const affinity = (root: string): number => {
  const [, list] = /^Cpus_allowed_list:\s*([\d,-]+)$/m.exec(read(join(root, "proc", "self", "status"))) ?? []
  if (list === undefined) return Number.POSITIVE_INFINITY
  return list.split(",").reduce((count, range) => {
    const [first, last = first] = range.split("-")
    return count + Number(last) - Number(first) + 1
  }, 0)
}

/**
 * The number of processors that this process may use, at least 1: those of the machine, or fewer by its affinity and, rounded up, by the
 * quotas of its control groups. Some versions of Node.js do not read the quotas, and others round them down.
 *
 * @param root for tests: the folder of the system's files
 * @param parallelism for tests: what Node.js says
 * @param machine for tests: the processors of the machine. The affinity may name processors that it does not have
 */
export const availableProcessors = (
  root = "/",
  parallelism = availableParallelism(),
  machine = cpus().length
): number => {
  const quota = Math.ceil(quotaOf(root))
  if (quota === Number.POSITIVE_INFINITY) return Math.max(1, parallelism)
  return Math.max(1, Math.min(machine === 0 ? parallelism : machine, affinity(root), quota))
}
