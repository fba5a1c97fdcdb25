import { readdirSync } from "node:fs"
import { basename, dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

/** Folders of tests of the whole program. They mirror no folder of src/. */
const WHOLE_PROGRAM = [
  "cassandra",
  "clients",
  "conformance",
  "console",
  "differential",
  "documentation",
  "fuzz",
  "launcher",
  "manuals",
  "packed",
  "project"
]

/** Folders of tests that clients attack a server. They mirror no folder of src/. */
const BEHAVIOURS = ["layers/hostile"]

/** TypeScript files below a folder of the project, relative to it, without their extension. */
const modulesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(fileURLToPath(new URL(`../../${folder}/`, import.meta.url)), { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .map((name) => name.slice(0, -".ts".length))

/** The first folder of a path: the room of a source file. */
const roomOf = (path: string): string => path.split("/")[0]!

/**
 * Returns the problems with the places of tests. A test whose name is that of a source file of its room must stand in the
 * folder of that file. Each other test is named after a behaviour, and its folder must exist in src/.
 *
 * @param tests files below test/, helpers included
 * @param sources files below src/
 */
const misplacedTests = (tests: ReadonlyArray<string>, sources: ReadonlyArray<string>): ReadonlyArray<string> => {
  const folders = new Set(sources.map(dirname))
  return tests.flatMap((test) => {
    if (!test.endsWith(".test") || WHOLE_PROGRAM.includes(roomOf(test))) return []
    const subject = test.slice(0, -".test".length)
    // A helper of the tests may have a test beside it.
    if (sources.includes(subject) || tests.includes(subject)) return []
    const sameName = sources.filter((it) => basename(it) === basename(subject) && roomOf(it) === roomOf(subject))
    if (sameName.length > 0) return [`test/${test}.ts has the name of src/${sameName[0]}.ts in another folder`]
    const folder = dirname(subject)
    if (folders.has(folder) || BEHAVIOURS.includes(folder) || [...folders].some((it) => it.startsWith(`${folder}/`))) {
      return []
    }
    return [`test/${test}.ts is in a folder that src/ does not have`]
  })
}

describe("A test file", () => {
  const tests = modulesOf("test")
  const sources = modulesOf("src")

  it("stands in the folder of the source file with its name, or has the name of a behaviour", () => {
    expect(misplacedTests(tests, sources)).toEqual([])
  })

  it("is reported if it has the name of a source file in another folder, or its folder is not in src/", () => {
    const files = ["room/part/Name", "room/Other"]
    expect(misplacedTests(["room/part/Name.test", "room/Behaviour.test", "project/Name.test"], files)).toEqual([])
    expect(misplacedTests(["room/Name.test", "room/lost/Behaviour.test"], files)).toEqual([
      "test/room/Name.test.ts has the name of src/room/part/Name.ts in another folder",
      "test/room/lost/Behaviour.test.ts is in a folder that src/ does not have"
    ])
    expect(misplacedTests(["room/helpers/Helper", "room/helpers/Helper.test"], files)).toEqual([])
  })

  it("is in a folder of src/ or of tests of the whole program", () => {
    const rooms = new Set(sources.map(roomOf))
    const others = new Set(tests.filter((test) => test.endsWith(".test")).map(roomOf))
    expect([...others].filter((folder) => !rooms.has(folder)).sort()).toEqual(WHOLE_PROGRAM)
  })
})
