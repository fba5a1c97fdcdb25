import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** What a run of the tests may make in the repository: what is built, and what is kept between runs. */
const made: ReadonlySet<string> = new Set(["dist", ".cache", "coverage"])

/** Fails a run that leaves something behind in the repository: tests write to temporary folders. */
export default (): (() => void) => {
  const before = new Set(readdirSync(root))
  return () => {
    const left = readdirSync(root).filter((name) => !before.has(name) && !made.has(name))
    if (left.length > 0) throw new Error(`The tests left behind in the repository: ${left.join(", ")}`)
  }
}
