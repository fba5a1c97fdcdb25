import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { parse } from "yaml"
import { settingsBelow } from "../../src/layers/config/FileDecoder.ts"
import { defaultSettings } from "../../src/services/Config.ts"
import { availableProcessors } from "../../src/services/Processors.ts"
import { loadYaml } from "../layers/config/Folder.ts"

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const lines = read("docs/reference/jvm-counterparts.md").split("\n")
const table = lines.slice(lines.indexOf("| On the JVM | Here | Setting or test |") + 2)

/** The rows of the table: the behaviour of the JVM, its counterpart here, and the setting or test that shows it. */
const rows = table.slice(0, table.indexOf("")).map((line) => {
  const [, jvm = "", here = "", shownBy = ""] = line.split("|").map((cell) => cell.trim())
  return { jvm, here, shownBy }
})

/** The counterpart in the row that begins with a text. */
const row = (start: string): string => {
  const found = rows.filter(({ jvm }) => jvm.startsWith(start))
  assert.strictEqual(found.length, 1, start)
  return found[0]!.here
}

const shipped = parse(read("conf/engine-server/engine-server.yaml")) as Readonly<Record<string, unknown>>
const script = read("bin/service-server.sh") + read("bin/service-functions.sh")

/** The source of a shell function of the launcher. */
const shellFunction = (name: string): string => new RegExp(`^${name}\\(\\) \\{$.*?^\\}$`, "ms").exec(script)![0]

/** The option of Node.js for an option of the JVM; undefined if the launcher only names the option in the log. */
const translated = (option: string): string | undefined => {
  const program = `${shellFunction("megabytes")}\n${shellFunction("translate")}\ntranslate "$1"`
  const { status, stdout } = spawnSync("sh", ["-c", program, "sh", option], { encoding: "utf8" })
  return status === 0 ? stdout.trim() : undefined
}

describe("docs/reference/jvm-counterparts.md", () => {
  it("names an existing setting or test in each row with a counterpart", () => {
    assert.strictEqual(rows.length, 39)
    const settings = settingsBelow([])
    for (const { here, jvm, shownBy } of rows) {
      assert.notStrictEqual(here, "", jvm)
      if (shownBy === "") assert.match(here, /^none\b/, jvm)
      let file = ""
      for (const part of shownBy.split("; ").filter((each) => each !== "")) {
        const [, name = "", title] = /^(?:`([^`]+)`|the same)(?:: (.+))?$/.exec(part) ?? [undefined, part]
        if (name.endsWith(".test.ts")) file = name
        if (title === undefined) assert.include(settings, name, jvm)
        else {
          assert.isTrue(existsSync(new URL(`../${file}`, import.meta.url)), `${jvm}: ${file}`)
          // The title of the test may have more words.
          assert.include(read(`test/${file}`), title.trim(), jvm)
        }
      }
    }
  })

  it("names for each option of the JVM the option that the launcher gives Node.js", () => {
    const named = rows.flatMap(({ here, jvm }) =>
      [...jvm.matchAll(/`(-[^`]+)`/g)].map(([, option = ""]) => ({ option, here }))
    )
    assert.isAbove(named.length, 12)
    for (const { here, option } of named) {
      const wanted = here.startsWith("none") ? undefined : /^`(--[^`]+)`/.exec(here)?.[1]
      assert.strictEqual(translated(option), wanted, option)
    }
    const inTable = named.map(({ option }) => option)
    const others = read("conf/jvm.options")
      .split("\n")
      .filter((line) => line.startsWith("-") && !inTable.includes(line) && !line.startsWith("-Dengine.io."))
    // One row covers all options of the collectors.
    for (const option of others) {
      assert.match(option, /CMS|SurvivorRatio|MaxTenuringThreshold|ThreadPriority/)
      assert.isUndefined(translated(option), option)
    }
    assert.include(row("`-XX:+HeapDumpOnOutOfMemoryError`"), "`-XX:HeapDumpPath`")
    assert.strictEqual(translated("-XX:HeapDumpPath=/dumps"), "--diagnostic-dir=/dumps")
    assert.match(read("conf/jvm.options"), /^-Xmx4096m$/m)
  })

  it("has the defaults and the versions of the server", () => {
    const defaults = defaultSettings()
    assert.include(row("`enginePool`: threads"), "default the number of processors")
    assert.strictEqual(defaults.enginePool, availableProcessors())
    assert.strictEqual(/shipped file sets (\d+)/.exec(row("`enginePool`: threads"))?.[1], String(shipped.enginePool))
    assert.include(row("`enginePoolVirtualThreads`: run"), `default ${defaults.enginePoolVirtualThreads}`)
    const requirements = read("src/services/PoolRequirements.ts")
    const [, needed = ""] = /MIN_NODE_VERSION_FOR_LANES_ON_DEMAND = (\d+)/.exec(requirements) ?? []
    assert.notStrictEqual(needed, "")
    for (const start of ["It needs a JVM of version 24", "Version 25", "Container images"]) {
      assert.match(row(start), new RegExp(`\\b${needed}\\b`), start)
    }
    assert.include(row("`-Xss256k`"), "`maxNestingDepth`")
    assert.isAbove(defaults.maxNestingDepth, 0)
    assert.include(row("Container images"), "`BASE_IMAGE`")
    assert.match(read("Dockerfile"), /^ARG BASE_IMAGE=node:\d+/m)
  })

  it.effect("names the default channelizer and the forms of its name", () =>
    Effect.gen(function* () {
      assert.include(row("The WebSocket channelizer is"), "It is the default of the setting")
      assert.strictEqual(defaultSettings().channelizer, "WebSocketChannelizer")
      assert.include(row("The WebSocket channelizer is"), `The shipped file sets \`${shipped.channelizer}\``)
      assert.include(row("The channelizer value"), "With any package prefix, or with none")
      for (const prefix of ["", "org.apache.tinkerpop.gremlin.server.channel.", "com.example."]) {
        const { settings } = yield* loadYaml(
          `channelizer: ${prefix}HttpChannelizer\ngraphs: {graph: graph.properties}\n`
        )
        assert.strictEqual(settings.channelizer, "HttpChannelizer")
      }
    })
  )

  it("names commands that the launcher has", () => {
    for (const start of ["`jstack`", "`jcmd <pid> Thread.dump_to_file"]) {
      const command = /^`(\S+) (\w+)/.exec(row(start))
      assert.strictEqual(command?.[1], "bin/service-server.sh")
      assert.match(script, new RegExp(`^  ${command?.[2]}\\)`, "m"))
    }
    for (const name of ["NODE_HOME", "JAVA_HOME", "JAVA_OPTIONS_FILE", "JAVA_OPTIONS", "CP", "SERVICE_LIB"]) {
      assert.include(script, `\${${name}:-`, name)
    }
  })
})
