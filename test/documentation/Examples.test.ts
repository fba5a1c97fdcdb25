import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { install, python } from "../clients/PythonDriver.ts"
import { run } from "../clients/support.ts"
import { modern, startServer } from "../layers/support/TestServers.ts"
import { blocksOf, linesOf } from "./Blocks.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const work = join(root, ".cache", "documentation")
const documents = ["README.md", "docs/how-to/connect.md", "docs/how-to/embed.md", "docs/reference/protocol.md"]
const withoutPython = await install()

/** The blocks of all documents in one language. */
const blocks = (language: string) =>
  documents.flatMap((document) =>
    blocksOf(join(root, document))
      .filter((block) => block.language === language)
      .map((block, index) => ({ ...block, name: `${document}, ${language} ${index + 1}` }))
  )

/** Replaces the default address in a program by that of the test's server. */
const addressed = (code: string, authority: string): string =>
  code.replaceAll(/(?:localhost|127\.0\.0\.1):8182/g, authority)

const written = (name: string, extension: string, code: string): string => {
  mkdirSync(work, { recursive: true })
  const file = join(work, `${name.replaceAll(/\W+/g, "-")}.${extension}`)
  writeFileSync(file, code)
  return file
}

describe("The examples of the documents", () => {
  for (const { code, name, prints } of blocks("js")) {
    it(`runs the example ${name}`, async () => {
      const { authority } = await startServer(modern)
      const printed = await run(process.execPath, [written(name, "mjs", addressed(code, authority))])
      expect(printed).toBe(prints ?? "[ 'marko', 'vadas', 'josh', 'peter' ]\n")
    })
  }

  for (const { code, name, prints } of blocks("python")) {
    it.skipIf(withoutPython !== undefined)(`runs the example ${name} ${withoutPython ?? ""}`, async () => {
      const { authority } = await startServer(modern)
      const printed = await run(python, [written(name, "py", addressed(code, authority))])
      expect(printed).toBe(prints ?? "['marko', 'vadas', 'josh', 'peter']\n")
    })
  }

  for (const { code, name } of blocks("ts")) {
    it(`compiles the example ${name}`, async () => {
      const outfile = written(name, "mjs", "")
      await build({
        stdin: { contents: code, loader: "ts", resolveDir: root },
        alias: { "engine-server": join(root, "src", "index.ts") },
        outfile,
        bundle: true,
        packages: "external",
        format: "esm",
        platform: "node",
        logLevel: "silent"
      })
      // Other blocks are modules or tests. The test of the package runs the cluster, which needs the built program.
      const isProgram = /^await Effect\.runPromise\(/m.test(code) && !code.includes("EngineServer.cluster(")
      if (isProgram) expect(await firstWords(outfile)).toMatch(/listening on \d+|200/)
    })
  }
})

/** The output of a program up to the line that its page promises. The program is then killed. */
const firstWords = (file: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "pipe"] })
    let printed = ""
    const listen = (data: Buffer): void => {
      printed += data
      if (/message="?(?:listening on|200)/.test(printed)) child.kill("SIGKILL")
    }
    child.stdout.on("data", listen)
    child.stderr.on("data", listen)
    child.on("error", reject)
    child.on("close", () => resolve(printed))
  })

describe("The curl lines of the documents", () => {
  for (const line of documents.flatMap((document) => linesOf(join(root, document), "curl"))) {
    it(`are answered: ${line}`, async () => {
      const { authority } = await startServer(modern)
      const answer = await run("sh", ["-c", addressed(line, authority).replace("curl", "curl -sSf")])
      expect(answer).toMatch(line.includes("text/plain") ? /^==>marko\n==>vadas/ : /"code":200/)
    })
  }
})

describe("conf/remote.yaml", () => {
  it("has the keys that the Gremlin Console reads", () => {
    const remote = parse(readFileSync(join(root, "conf", "remote.yaml"), "utf8"))
    expect(remote).toMatchObject({ hosts: ["localhost"], port: 8182 })
    expect(remote.serializer.className).toMatch(/GraphBinaryMessageSerializerV1$/)
  })
})
