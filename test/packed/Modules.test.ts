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
})
