/**
 * Chooses the tests of `npm test -- --changed`: uncommitted tests, and tests that import an uncommitted file. If no test imports
 * an uncommitted file, all tests of the mirrored folder run. Indirect importers are left out, because they are nearly all tests.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

/** The paths that a command of git lists, relative to the root. */
const listed = (root, ...args) =>
  execFileSync("git", [...args, "-z"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter(Boolean)

/**
 * Paths of files that differ from the last commit or are not in it: also of those that `git add` has staged, and of those that are gone,
 * whose tests show what still needs them.
 */
const uncommitted = (root) =>
  [
    ...listed(root, "diff", "--name-only", "--no-renames", "HEAD"),
    ...listed(root, "ls-files", "--others", "--exclude-standard")
  ].filter((file) => /^(?:src|test)\/.*\.[jt]s$/.test(file))

/** Each test file, with the files that it imports. */
const testImports = (root) =>
  readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => {
      const file = join(root, "test", name)
      const imports = Array.from(
        readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+\.[jt]s)"/g),
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
