import { readFileSync } from "node:fs"

/** The pages of a process that are in memory. A process that has ended has none. */
const ownBytes = (pid: number): number => {
  try {
    const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

const childrenOf = (pid: number): ReadonlyArray<number> => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Bytes of memory that a process and its descendants, such as the workers of a server, occupy. */
export const residentBytes = (pid: number): number =>
  ownBytes(pid) + childrenOf(pid).reduce((sum, child) => sum + residentBytes(child), 0)
