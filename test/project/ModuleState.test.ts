import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "./Projects.ts"

describe("A module of src", () => {
  it("has no variables: what changes belongs to an object that somebody makes", () => {
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    const found = files
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) =>
        Array.from(
          readFileSync(join(root, "src", file), "utf8").matchAll(/^(?:export )?(?:let|var) .*/gm),
          ([line]) => `${file}: ${line}`
        )
      )
    expect(found).toEqual([])
  })
})
