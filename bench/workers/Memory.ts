import { readFileSync } from "node:fs"
import { childrenOf } from "../ServerProcess.ts"

/** Memory of a process, MB. */
export interface ProcessMemory {
  /** What no other process has: the memory that its end would free. */
  readonly own: number
  /** Its own memory, and its part of what it shares with other processes, such as the program and the pages of a graph. */
  readonly proportional: number
}

/** The memory of a process, from `/proc/PID/smaps_rollup`. */
const memoryOf = (pid: number): ProcessMemory => {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)![1]) / 1024
  return { own: of("Private_Clean") + of("Private_Dirty"), proportional: of("Pss") }
}

/** The memory of a server: of the process that was started, and of each of its workers. */
export const treeMemory = (pid: number): readonly [ProcessMemory, ...ReadonlyArray<ProcessMemory>] => [
  memoryOf(pid),
  ...childrenOf(pid).map(memoryOf)
]
