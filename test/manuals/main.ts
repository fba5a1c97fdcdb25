import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { parseArgs } from "node:util"
import { freePort } from "../cassandra/Cassandra.ts"
import { type ChildServer, startChild } from "../conformance/ChildServer.ts"
import { asciidocBlocks, type Block, markdownBlocks } from "./Blocks.ts"
import { play } from "./Play.ts"
import { report } from "./Report.ts"

const USAGE = `node test/manuals/manuals.js FOLDER [options]

Plays the Groovy blocks of the pages (.md, .asciidoc) below a folder on this server, each statement by itself, and reports
the refusals by reason. The blocks of a page run in order in one session; a block that fails there runs once more alone. Nothing is downloaded, and nothing of the pages is kept.

  --peer URL    plays them also on this Gremlin Server or JanusGraph, and reports the differences
  --data PATH   a folder of files that blocks read, such as data/grateful-dead.xml of TinkerPop's sources
  --page TEXT   only pages whose path contains the text`

/** Graphs with a schema: one for each page of JanusGraph's manual, and for each block that runs alone. */
const GRAPHS = 160

/** The properties files of JanusGraph's distribution that blocks open. Here they are graphs in memory. */
const OPENED = ["", "-es"].flatMap((engine) =>
  ["berkeleyje", "cql", "hbase"].map((name) => `janusgraph-${name}${engine}`)
)

/** A line of a block that is for the build tool Gradle. */
const GRADLE = /^\s*(?:(?:compile|implementation)\b.*)?$/

const pagesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:md|asciidoc|adoc)$/.test(file))
    .map((file) => join(folder, file))
    .sort()

const blocksBelow = (folder: string): Block[] =>
  pagesBelow(folder).flatMap((file) => {
    const page = relative(folder, file)
    const text = readFileSync(file, "utf8")
    const blocks = file.endsWith(".md") ? markdownBlocks(page, text) : asciidocBlocks(page, text)
    return blocks.filter(({ lines }) => !lines.every((line) => GRADLE.test(line)))
  })

// Not `graph1`: blocks create graphs of this name.
const graphNames = Array.from({ length: GRAPHS }, (_, index) => `manual${index}`)

/** A new graph of JanusGraph in memory. Its index is Lucene's, because no search engine runs beside it. */
const graphThere = (number: number): string =>
  "JanusGraphFactory.build().set('storage.backend', 'inmemory').set('index.search.backend', 'lucene')" +
  `.set('index.search.directory', '${join(tmpdir(), `manuals-${process.pid}-${number}`)}').open()`

const startServer = async (
  home: string,
  cache: string,
  root: string,
  data: string | undefined
): Promise<ChildServer> => {
  const folder = join(cache, "candidate")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(home, "configuration"), folder, { recursive: true })
  if (data !== undefined) cpSync(data, join(folder, "data", "data"), { recursive: true })
  const opened = join(folder, "graphs", "conf")
  mkdirSync(opened, { recursive: true })
  for (const name of OPENED) writeFileSync(join(opened, `${name}.properties`), "storage.backend=inmemory\n")
  const file = join(folder, "server.yaml")
  const graphs = graphNames.map((name) => `${name}: schema.properties`).join(", ")
  const text = readFileSync(file, "utf8")
    .replace(/^port: .*$/m, `port: ${await freePort()}`)
    .replace("graphs: {", `graphs: { ${graphs},`)
  writeFileSync(file, text)
  return startChild(process.execPath, [join(root, "bin", "engine-server.js"), file], folder)
}

/**
 * Runs the statements of the manuals below a folder, and prints the report. Returns the exit code.
 *
 * @param home folder of this suite
 * @param cache folder for the server
 * @param root folder of the project
 */
export const main = async (args: readonly string[], home: string, cache: string, root: string): Promise<number> => {
  const text = { type: "string" } as const
  const options = { peer: text, page: text, data: text, help: { type: "boolean" } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [folder] = positionals
  if (values.help === true || folder === undefined) {
    console.log(USAGE)
    return values.help === true ? 0 : 1
  }
  const blocks = blocksBelow(folder).filter(({ page }) => page.includes(values.page ?? ""))
  const server = await startServer(home, cache, root, values.data)
  try {
    const lines = await play(blocks, {
      here: `ws://127.0.0.1:${server.port}/gremlin`,
      there: values.peer,
      graphs: graphNames,
      graphThere,
      problem: (block, problem) => console.log(`${block.page}:${block.line}: the preparation failed: ${problem}`)
    })
    console.log(report(lines))
    return 0
  } finally {
    await server.stop()
  }
}
