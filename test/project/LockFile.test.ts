import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

interface Locked {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")
)

describe("package-lock.json", () => {
  it("has the optional packages of every platform, which npm ci asks for on each of them", () => {
    const optional = Object.values(lock.packages).flatMap((one) => Object.keys(one.optionalDependencies ?? {}))
    const missing = optional.filter((name) => lock.packages[`node_modules/${name}`] === undefined)
    assert.deepStrictEqual(missing, [], "run `npm run lockfile`")
  })

  it("names no registry", () => {
    const resolved = Object.values(lock.packages).flatMap((one) => one.resolved ?? [])
    assert.deepStrictEqual(resolved, [])
  })
})
