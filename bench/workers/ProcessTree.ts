import { childrenOf, cpuBetween, cpuMicroseconds } from "../ServerProcess.ts"

/** CPU time of a server since its start, microseconds: of the process that was started, and of each of its workers. */
export interface TreeCpu {
  readonly primary: number
  readonly workers: ReadonlyArray<number>
}

/** The CPU time of a process and its children. */
export const treeCpu = (pid: number): TreeCpu => ({
  primary: cpuMicroseconds(pid),
  workers: childrenOf(pid).map(cpuMicroseconds)
})

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** CPU time between two measurements. */
export interface SpentCpu {
  readonly primary: number
  /** Of the workers; of the only process where there are no workers. */
  readonly serving: number
  /** The share of the busiest worker in the time of all workers, 0 to 1. */
  readonly busiestShare: number
}

/** The CPU time between two measurements of the same processes. Throws when a worker has started or ended between them. */
export const spent = (before: TreeCpu, after: TreeCpu): SpentCpu => {
  if (after.workers.length !== before.workers.length) throw new Error("a worker has started or ended")
  const primary = cpuBetween(before.primary, after.primary)
  if (after.workers.length === 0) return { primary: 0, serving: primary, busiestShare: 1 }
  const each = after.workers.map((time, i) => cpuBetween(before.workers[i]!, time))
  return { primary, serving: sum(each), busiestShare: Math.max(...each) / sum(each) }
}
