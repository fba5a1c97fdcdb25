import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

/**
 * Marks of a system test: a call that starts a server or runs a command, or an import of the library by its package or
 * entry.
 */
const starts =
  /\b(?:startServer|startInside|startProcess|command|serving)\(|\bbundled\(\{ main:|from "(?:engine-server|\.[^"]*\/src\/index\.ts)"/

/** Modules that define these calls. */
const harness = /layers\/support\/(?:Commands|TestServers|ServerProcess)\.ts$/

/** Relative imports of a module. */
const importsOf = (file: string, text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/from "(\.[^"]+\.ts)"/g), ([, name]) => join(dirname(file), name!))

/**
 * Test files, relative to the root, that start servers and can run against the built package. A file is one if it, or a
 * test module that it imports, contains such a call.
 */
export const systemTests = (root: string): ReadonlyArray<string> => {
  const folder = join(root, "test")
  const known = new Map<string, boolean>()
  const isSystem = (file: string): boolean => {
    const found = known.get(file)
    if (found !== undefined) return found
    // A cycle of imports adds no further modules.
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
