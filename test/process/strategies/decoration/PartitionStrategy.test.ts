import { describe, expect, it } from "vitest"
import { MemoryGraph } from "../../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../../src/storage/memory/Options.ts"
import { run } from "../../run.ts"

/** A source that writes and reads the partition a, also in meta-properties. */
const source =
  "g.withStrategies(new PartitionStrategy(partitionKey: 'p', writePartition: 'a', readPartitions: ['a'], includeMetaProperties: true))"
const withoutWrite =
  "g.withStrategies(new PartitionStrategy(partitionKey: 'p', readPartitions: ['a'], includeMetaProperties: true))"

describe("PartitionStrategy with includeMetaProperties", () => {
  it("lets a source read the properties that its mergeV() writes", () => {
    const graph = new MemoryGraph(tinkerTransactionGraph("test"))
    const merge = (city: string) =>
      `${source}.mergeV([name: 'x']).option(Merge.onCreate, [name: 'x', age: 1]).option(Merge.onMatch, [city: '${city}'])`
    run(graph, merge("none"))
    expect(run(graph, `${source}.V().properties().key().order().fold()`)).toEqual([["age", "name"]])
    run(graph, merge("Rome"))
    expect(run(graph, `${source}.V().properties('name', 'age', 'city').value().fold()`)).toEqual([["x", 1, "Rome"]])
    expect(run(graph, "g.V().properties('name', 'age', 'city').values('p').fold()")).toEqual([["a", "a", "a"]])
  })

  it("writes no meta-properties of edges that mergeE() makes", () => {
    const graph = new MemoryGraph(tinkerTransactionGraph("test"))
    run(graph, `${source}.addV('v').property('name', 'x')`)
    const merge = `${source}.V().as('v').mergeE([(T.label): 'self', (Direction.OUT): Merge.outV, (Direction.IN): Merge.inV, w: 1])
      .option(Merge.outV, select('v')).option(Merge.inV, select('v'))`
    run(graph, merge)
    run(graph, merge)
    expect(run(graph, `${source}.E().values('w').fold()`)).toEqual([[1]])
  })

  it("refuses to write properties without a writePartition", () => {
    const graph = new MemoryGraph(tinkerTransactionGraph("test"))
    run(graph, `${source}.addV('v').property('name', 'x')`)
    for (const write of ["V().property('name', 'y')", "addV('v')", "mergeV([name: 'z'])"]) {
      expect(() => run(graph, `${withoutWrite}.${write}`), write).toThrow("needs a string as writePartition")
    }
    expect(run(graph, `${withoutWrite}.V().values('name')`)).toEqual(["x"])
  })
})
