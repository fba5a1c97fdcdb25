import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

/** What a test of the whole system has in it: a call that starts a server or runs a command, or the library by the name of its package or its entry. */
const starts =
  /\b(?:startServer|startInside|startProcess|command|serving)\(|\bbundled\(\{ main:|from "(?:engine-server|\.[^"]*\/src\/index\.ts)"/

/** Modules that define these calls. */
const harness = /layers\/support\/(?:Commands|TestServers|ServerProcess)\.ts$/

/** Relative imports of a module. */
const importsOf = (file: string, text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/from "(\.[^"]+\.ts)"/g), ([, name]) => join(dirname(file), name!))

/**
 * Files of tests, below the root, that start servers: they can run against the built package. A file says so by what it
 * calls, itself or through other modules of the tests.
 */
export const systemTests = (root: string): ReadonlyArray<string> => {
  const folder = join(root, "test")
  const known = new Map<string, boolean>()
  const isSystem = (file: string): boolean => {
    const found = known.get(file)
    if (found !== undefined) return found
    // Imports in a circle lead nowhere else.
    known.set(file, false)
    if (!file.startsWith(folder) || harness.test(file) || !existsSync(file)) return false
    const text = readFileSync(file, "utf8")
    const answer = starts.test(text) || importsOf(file, text).some(isSystem)
    known.set(file, answer)
    return answer
  }
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && !/^(?:cassandra|conformance|launcher|packed)\//.test(name))
    .map((name) => join(folder, name))
    .filter(isSystem)
    .map((file) => relative(root, file))
    .sort()
}
