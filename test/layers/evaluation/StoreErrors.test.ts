import { describe, expect, it } from "vitest"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import type { Ref, VertexProperty } from "../../../src/structure/elements/Element.ts"
import { StorageFailure, TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import { ForwardingTransaction } from "../../../src/structure/graph/ForwardingTransaction.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import type { EnumValue } from "../../../src/structure/scalars/Enums.ts"
import { HeldGraph, serving } from "../support/HeldGraph.ts"
import { post } from "../support/HttpClient.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { eventually, startInside } from "../support/TestServers.ts"

/** A graph whose n-th write of the property `x` throws an error. Commits wait while it holds them. */
class FailingGraph extends HeldGraph {
  /** Writes of `x` until the one that fails. */
  left = Number.POSITIVE_INFINITY
  error: Error = new StorageFailure("the disk is gone")

  override begin(options: { readonly readOnly?: boolean } = {}): GraphTransaction {
    return new FailingTransaction(this, super.begin(options))
  }
}

class FailingTransaction extends ForwardingTransaction {
  readonly #graph: FailingGraph
  constructor(graph: FailingGraph, inner: GraphTransaction) {
    super(inner)
    this.#graph = graph
  }
  override get store() {
    return this.#graph
  }
  override setVertexProperty(ref: Ref, cardinality: EnumValue | null, key: string, value: unknown): VertexProperty {
    if (key === "x" && --this.#graph.left === 0) throw this.#graph.error
    return super.setVertexProperty(ref, cardinality, key, value)
  }
}

const started = async () => {
  const graph = new FailingGraph(new MemoryGraph(tinkerTransactionGraph("graph")))
  graph.holds = false
  const { authority } = await startInside({}, { graphs: serving(graph) })
  const asked = async (script: string) => {
    const { json, text } = await post(authority, script)
    return json?.result?.data ?? text
  }
  expect(await asked("for (i in 1..4) g.addV('v').iterate(); 1")).toEqual([1])
  return { graph, asked }
}

const write =
  "try { g.V().property('x', 1).iterate() } catch (TransactionException e) { 'failed' } finally { g.addV('f').iterate() }"

describe("An error of the store inside of a traversal of a script", () => {
  sourcesOnly("the store of the test is in the process of the server")

  it("ends the request, which writes nothing", async () => {
    const { asked, graph } = await started()
    for (const type of ["TransactionException e", "Throwable e", "e"]) {
      graph.left = 3
      expect(await asked(write.replace("TransactionException e", type))).toContain("the disk is gone")
      expect(await asked("g.V().has('x').count().next() + g.V().hasLabel('f').count().next()")).toEqual([0])
    }
  })

  it("is repeated with the request if it is a conflict", async () => {
    const { asked, graph } = await started()
    graph.left = 3
    graph.error = new TransactionConflict("a vertex")
    expect(await asked(`${write}; 'ended'`)).toEqual(["ended"])
    expect(await asked("[g.V().has('x').count().next(), g.V().hasLabel('f').count().next()]")).toEqual([4, 1])
  })

  it("is an exception of the script if its own commit raises it", async () => {
    const { asked, graph } = await started()
    for (const commit of ["g.tx().commit()", "graph.tx().commit()", "def f = { g.tx().commit() }; f()"]) {
      graph.holds = true
      const answer = asked(
        `g.addV('w').iterate(); try { ${commit}; 'done' } catch (TransactionException e) { e.message }`
      )
      await eventually(() => graph.waiting.length === 1)
      graph.release({ before: new StorageFailure("the disk is gone") })
      expect(await answer).toEqual(["the disk is gone"])
      expect(await asked("g.V().hasLabel('w').count()")).toEqual([0])
    }
  })
})
