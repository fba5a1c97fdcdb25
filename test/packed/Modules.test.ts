import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packedProject } from "./Package.ts"
import { both, place, start, value } from "./Programs.ts"

/** A graph of the library whose first two commits conflict. It returns and throws objects of its own imports. */
const graph = `import * as Effect from "effect/Effect"
import { openGraph, TransactionConflict, tinkerGraphDefaults } from "engine-server"

export default async (settings) => {
  const factory = { kind: "TinkerTransactionGraph", tinkergraph: tinkerGraphDefaults }
  const graph = await Effect.runPromise(openGraph({ ...settings, factory }))
  const begin = graph.begin.bind(graph)
  let conflicts = 0
  graph.begin = (options) => {
    const transaction = begin(options)
    const commit = transaction.commit.bind(transaction)
    transaction.commit = () => {
      if (transaction.dirty && conflicts++ < 2) throw new TransactionConflict("the test")
      return commit()
    }
    return transaction
  }
  return graph
}
`

/** A graph on disk in a folder that an option names. `members` are those of its settings besides the factory. */
const onDisk = (members: string): string => `import * as Effect from "effect/Effect"
import { openGraph } from "engine-server"

export default (settings) => {
  const storage = { backend: "lmdb", directory: settings.options.get("my.folder"), hostname: [], readOnly: false }
  return Effect.runPromise(openGraph({ ${members}, factory: { kind: "JanusGraphFactory", storage } }))
}
`

/** A module of the project with the installed package. */
const moduleOf = (name: string, text: string): string => {
  const folder = join(packedProject(), "modules")
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

describe("A module of the user", () => {
  it("that opens a graph of the library returns elements, maps and conflicts that the packed program recognises", async () => {
    const file = moduleOf("graph.mjs", graph)
    const server = await start(place("own-graph", both, { graph: [`engine.graph=${file}`] }))
    const { authority } = server
    await value(authority, "g.addV('person').property('name','marko').as('a').addE('knows').to('a').iterate()")
    await value(authority, "g.V().property('tags', [k: ['x', 1]]).iterate()")
    expect(await value(authority, "g.V().valueMap('name', 'tags')")).toEqual([
      { name: ["marko"], tags: [{ k: ["x", 1] }] }
    ])
    expect(await value(authority, "g.V().outE('knows').inV().path().by(label)")).toMatchObject([
      { objects: ["person", "knows", "person"] }
    ])
    expect(await value(authority, "g.V().properties('name')")).toMatchObject([{ label: "name", value: "marko" }])
    await server.stop()
    expect(server.log()).not.toMatch(/ERROR|defect/)
  })

  it("that opens a graph in memory is served by one process with workers: auto, and refused with a number above 1", async () => {
    const properties = { graph: [`engine.graph=${moduleOf("graph.mjs", graph)}`] }
    const server = await start(place("own-graph-auto", `${both}workers: auto\n`, properties))
    await server.stop()
    expect(server.log()).toContain(
      "workers is auto: one worker, because the graph 'graph' is that of a module, which may keep it in the memory of one process"
    )
    const refused = await start(place("own-graph-two", `${both}workers: 2\n`, properties)).then(
      () => "it serves",
      (failure: Error) => failure.message
    )
    expect(refused).toMatch(
      /graph\.mjs is in the memory of one process, and workers cannot share it\. Set workers to 1/
    )
  })

  it("that opens a graph on disk shares it with all workers if it passes on the settings that it gets", async () => {
    const shared = moduleOf("disk.mjs", onDisk("...settings"))
    const server = await start(
      place("own-disk", `${both}workers: 2\n`, { graph: [`engine.graph=${shared}`, "my.folder=db"] })
    )
    await value(server.authority, "g.addV('person').iterate()")
    // Requests at the same time have connections of their own, which the workers take in turns.
    const counts = await Promise.all([1, 2, 3, 4].map(() => value(server.authority, "g.V().count()")))
    expect(counts).toEqual([[1], [1], [1], [1]])
    await server.stop()
    const own = moduleOf("own-disk.mjs", onDisk("name: 'x', file: undefined, options: new Map(), origins: new Map()"))
    const refused = await start(
      place("own-disk-alone", `${both}workers: 2\n`, { graph: [`engine.graph=${own}`, "my.folder=db"] })
    ).then(
      () => "it serves",
      (failure: Error) => failure.message
    )
    expect(refused).toContain("if it makes it from the settings that it gets: openGraph({ ...settings, factory })")
  })
})
