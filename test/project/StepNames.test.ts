import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const source = join(import.meta.dirname, "..", "..", "src", "process")

/** Folders of files that define steps, which name them. */
const definesSteps = (file: string): boolean => file.startsWith("steps") || file.startsWith("olap")

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))

const linesWith = (pattern: RegExp, wanted: (file: string) => boolean): ReadonlyArray<string> =>
  files.filter(wanted).flatMap((file) =>
    readFileSync(join(source, file), "utf8")
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`)
  )

describe("Code that works on steps", () => {
  it("names no step: properties of steps are in their traits", () => {
    assert.deepEqual(
      linesWith(/"\w+Step"/, (file) => !definesSteps(file) && file !== join("language", "Errors.ts")),
      []
    )
  })

  it("does not compare the name of a step", () => {
    const compared = /\b(step|next|inner|before|parent|child)\??\.name (===|!==)/
    assert.deepEqual(
      linesWith(compared, () => true),
      []
    )
  })

  it("keeps no list of the names or operators of steps", () => {
    const looked =
      /\.(has|includes)\(((step|next|inner|before|parent|last|first|child|at|instruction)\??\.)(operator|name)\)/
    assert.deepEqual(
      linesWith(looked, () => true),
      []
    )
  })
})
