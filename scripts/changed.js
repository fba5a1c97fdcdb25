/**
 * Chooses the tests of `npm test -- --changed`: uncommitted tests, and tests that import an uncommitted file. If no test imports
 * an uncommitted file, all tests of the mirrored folder run. Indirect importers are left out, because they are nearly all tests.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

/** Paths of files, relative to the root, that differ from the last commit or are not in it. */
const uncommitted = (root) =>
  execFileSync("git", ["ls-files", "--modified", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => /^(?:src|test)\/.*\.ts$/.test(file) && existsSync(join(root, file)))

/** Each test file, with the files that it imports. */
const testImports = (root) =>
  readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => {
      const file = join(root, "test", name)
      const imports = Array.from(
        readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+\.ts)"/g),
        ([, path]) => relative(root, join(dirname(file), path))
      )
      return { file: join("test", name), imports: new Set(imports) }
    })

/**
 * Test files and folders to run, as arguments of vitest; empty when nothing has changed.
 *
 * @param root folder of a git work tree
 */
export const changedTests = (root) => {
  const tests = testImports(root)
  const chosen = new Set()
  for (const changed of uncommitted(root)) {
    const importing = tests.filter(({ file, imports }) => file === changed || imports.has(changed))
    for (const { file } of importing) chosen.add(file)
    const folder = dirname(changed).replace(/^src\b/, "test")
    if (importing.length === 0 && existsSync(join(root, folder))) chosen.add(`${folder}/`)
  }
  return [...chosen].sort()
}
