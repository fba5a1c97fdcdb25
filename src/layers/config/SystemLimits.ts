import { readFileSync } from "node:fs"

/** Files that this process may have open; undefined on systems other than Linux. */
export const descriptorLimit = (): number | undefined => {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))
    return found === null ? undefined : Number(found[1])
  } catch {
    return undefined
  }
}
