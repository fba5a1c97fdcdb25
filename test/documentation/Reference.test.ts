import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { settingsBelow } from "../../src/layers/config/FileDecoder.ts"
import { aliases, serializersWithoutEffect, withoutEffect } from "../../src/layers/config/Legacy.ts"
import { defaultSettings } from "../../src/services/Config.ts"
import { statuses } from "../../src/services/Errors.ts"

const read = (page: string): string => readFileSync(new URL(`../../docs/reference/${page}`, import.meta.url), "utf8")
const text = read("settings.md")

/** The cells of the table row of a setting. */
const row = (setting: string): ReadonlyArray<string> | undefined =>
  text
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .find((cells) => cells[1] === `\`${setting}\``)

const blocks = ["authentication", "authorization", "ssl", "logging", "dynamicGraphs"]
const settings = settingsBelow([]).filter(
  (name) => !blocks.includes(name) && ![...aliases.keys()].some((alias) => alias.split(".")[0] === name)
)

describe("docs/reference/settings.md", () => {
  it("has every setting, and every other name", () => {
    const missing = [...settings, ...aliases.keys()].filter((name) => !text.includes(`\`${name}\``))
    assert.deepStrictEqual(missing, [])
    for (const block of blocks) {
      const below = settingsBelow([block]).flatMap((name) =>
        name === "config"
          ? settingsBelow([block, name]).map((inner) => `${block}.config.${inner}`)
          : [`${block}.${name}`]
      )
      assert.deepStrictEqual(
        below.filter((name) => !text.includes(`\`${name}\``)),
        [],
        block
      )
    }
  })

  it("has the defaults that the server has", () => {
    const {
      ioDirectory: _directory,
      enginePool: _pool,
      memoryBudget: _budget,
      requestMemoryLimit: _limit,
      ...rest
    } = defaultSettings()
    for (const [name, value] of Object.entries(rest)) {
      if (!["string", "number", "boolean"].includes(typeof value)) continue
      assert.strictEqual(row(name)?.[2], `\`${value}\``, name)
    }
  })

  it("names what has no effect", () => {
    const [paragraph] = /Accepted without effect[\s\S]*?(?:\n\n|$)/.exec(text) ?? [""]
    const names = [...withoutEffect.keys(), ...serializersWithoutEffect.keys()]
    const missing = names.filter((name) => !paragraph.includes(`\`${name}\``))
    assert.deepStrictEqual(missing, [])
  })
})

describe("docs/reference/monitoring.md", () => {
  it("has every metric", () => {
    const monitoring = read("monitoring.md")
    const sources = ["Composition.ts", "observability/PrometheusMetrics.ts"].map((file) =>
      readFileSync(new URL(`../../src/layers/${file}`, import.meta.url), "utf8")
    )
    const names = [...sources.join("\n").matchAll(/"(engine_server_\w+)"/g)].map(([, name]) => name)
    assert.isAbove(names.length, 10)
    const missing = names.filter((name) => !monitoring.includes(`\`${name}\``))
    assert.deepStrictEqual(missing, [])
  })
})

describe("docs/reference/protocol.md", () => {
  it("has every pair of status codes that an error can have", () => {
    const protocol = read("protocol.md")
    const rows = protocol.slice(protocol.indexOf("## Status codes")).split("\n")
    const pairs = new Set(
      rows.flatMap((line) => {
        const [, codes = "", http = ""] = line.split("|").map((cell) => cell.trim())
        return codes.split(", ").map((code) => `${code} ${http}`)
      })
    )
    const missing = Object.entries(statuses).filter(
      ([, { bytecode, eval: script, http }]) => !pairs.has(`${script} ${http}`) || !pairs.has(`${bytecode} ${http}`)
    )
    assert.deepStrictEqual(missing, [])
  })
})
