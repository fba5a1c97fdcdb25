import { expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

it("Parameters that only search engines use are named in the log when an index in the store of the graph gets them", async () => {
  const { authority, log } = await startServer(onLmdb(newFolder()))
  const run = async (script: string): Promise<void> => {
    const { status, text } = await post(authority, script)
    expect(status, text).toBe(200)
  }
  await run(`m = graph.openManagement()
    name = m.makePropertyKey('name').dataType(String.class).make()
    m.buildIndex('byText', Vertex.class).addKey(name, Mapping.STRING.asParameter()).buildMixedIndex('search')
    m.commit()`)
  expect(log.filter((line) => line.includes("no effect"))).toEqual([])
  await run(`m = graph.openManagement()
    bio = m.makePropertyKey('bio').dataType(String.class).make()
    m.addIndexKey(m.getGraphIndex('byText'), bio, Mapping.TEXT.asParameter(),
      Parameter.of(ParameterType.TEXT_ANALYZER.getName(), 'english'), Parameter.of('mapped-name', 'b'))
    m.commit()`)
  expect(log.filter((line) => line.includes("no effect"))).toEqual([
    expect.stringContaining(
      "The index byText of the graph 'graph' is in the store of the graph: text-analyzer, mapped-name of its key bio"
    )
  ])
})
