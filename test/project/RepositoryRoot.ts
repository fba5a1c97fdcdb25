import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Files that a test run may create in the repository: build output and caches. */
const made: ReadonlySet<string> = new Set(["dist", ".cache", "coverage"])

/** Fails a run that leaves other files in the repository: tests write to temporary folders. */
export default (): (() => void) => {
  const before = new Set(readdirSync(root))
  return () => {
    const left = readdirSync(root).filter((name) => !before.has(name) && !made.has(name))
    if (left.length > 0) throw new Error(`The tests left files in the repository: ${left.join(", ")}`)
  }
}
