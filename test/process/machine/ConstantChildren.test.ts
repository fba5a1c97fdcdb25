import { beforeAll, describe, expect, it } from "vitest"
import type { Progress } from "../../../src/process/machine/ResultSink.ts"
import { TraversalRun } from "../../../src/process/machine/TraversalRun.ts"
import { RepeatedScans } from "../../../src/process/steps/flatmap/RepeatedScans.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import type { Ref } from "../../../src/structure/elements/Element.ts"
import { ForwardingTransaction } from "../../../src/structure/graph/ForwardingTransaction.ts"
import type { IndexChoice, IndexQuery, PropertyReader, RefScan } from "../../../src/structure/graph/GraphReads.ts"
import type { GraphStore, GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { settled } from "../../storage/Completion.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { prepare, type RunOptions, runLater } from "../run.ts"

/** More vertices than a batch has rows. */
const VERTICES = 300
const EDGES = 450
const RARE = 4

const stores = {
  "in memory": async (): Promise<GraphStore> => new MemoryGraph(tinkerTransactionGraph("g")),
  "on disk": async (): Promise<GraphStore> => cellGraph(await lmdbStore({ sync: "none" }))
}
const kinds = Object.keys(stores) as ReadonlyArray<keyof typeof stores>

const filled = async (kind: keyof typeof stores): Promise<GraphStore> => {
  const graph = await stores[kind]()
  const transaction = graph.begin()
  const refs = Array.from({ length: VERTICES }, (_, i) => {
    const ref = transaction.addVertex(i < VERTICES - RARE ? "common" : "rare", undefined)
    transaction.setVertexProperty(ref, Cardinality.single, "n", i)
    return ref
  })
  for (let i = 0; i < EDGES; i++) {
    const label = i % 150 === 0 ? "far" : "near"
    transaction.addEdge(refs[i % VERTICES]!, label, refs[(i * 7 + 1) % VERTICES]!, undefined)
  }
  await settled(transaction.commit())
  return graph
}

/** Counts the elements that scans and index searches visit, and the vertex properties that are read. */
class Counting extends ForwardingTransaction {
  scanned = 0
  read = 0

  #counted(scan: RefScan): RefScan {
    return {
      next: (max, out) => {
        // Elements with another label are visited, too.
        this.scanned += Math.max(max, 1)
        return scan.next(max, out)
      },
      close: () => scan.close()
    }
  }
  override scanVertices(labels: readonly string[] | null): RefScan {
    return this.#counted(this.inner.scanVertices(labels))
  }
  override scanEdges(labels: readonly string[] | null): RefScan {
    return this.#counted(this.inner.scanEdges(labels))
  }
  override vertexReader(key: string): PropertyReader {
    const reader = this.inner.vertexReader(key)
    const value = (ref: Ref): unknown => {
      this.read++
      return reader.value(ref)
    }
    return { value }
  }
  override searchIndex(query: IndexQuery, choice: IndexChoice): RefScan {
    return this.#counted(this.inner.searchIndex(query, choice))
  }
}

/** Has no number of changes, so that each child runs for each traverser. */
class Unknowing extends ForwardingTransaction {
  override get changes(): undefined {
    return undefined
  }
}

let plain: GraphStore
beforeAll(async () => {
  plain = await filled("in memory")
})

/** The results in memory, after uncommitted changes, if each child runs for each traverser. */
const reference = async (
  traversal: string,
  change: (transaction: GraphTransaction) => void = () => undefined
): Promise<Array<unknown>> => {
  const transaction = plain.begin()
  change(transaction)
  const found = await texts(plain, traversal, { transaction: new Unknowing(transaction) })
  transaction.rollback()
  return found
}

const texts = (graph: GraphStore, traversal: string, options: RunOptions) =>
  runLater(graph, traversal, { ...options, as: text })

describe.each(kinds)("A child that begins with V() or E(), %s,", (kind) => {
  it.each([
    "g.V().choose(V().hasLabel('XYZ').count().is(0), constant(1), constant(2)).count()",
    "g.V().choose(V().hasLabel('rare').count().is(gt(3)), constant(1), constant(2)).sum()",
    "g.V().choose(V().has('n', lt(0)).count()).option(0L, constant(1)).option(none, constant(2)).sum()",
    "g.V().where(V().has('n', lt(0))).count()",
    "g.V().not(V().has('n', 299)).count()",
    "g.V().and(V().has('n', 298), V().has('n', 299)).count()",
    "g.V().or(V().has('n', -1), V().hasLabel('rare').out('near')).count()",
    "g.V().filter(E().hasLabel('missing')).count()",
    "g.V().map(V().hasLabel('rare').values('n').sum()).sum()",
    "g.V().project('a').by(V().has('n', gte(0)).count()).select('a').sum()",
    "g.V().group().by(V().hasLabel('rare').count()).by(count())",
    "g.V().where(V().hasLabel('common').has('n', gt(250))).count()"
  ])("runs once instead of for each traverser: %s", async (traversal) => {
    const graph = await filled(kind)
    const transaction = new Counting(graph.begin())
    expect(await texts(graph, traversal, { transaction })).toEqual(await reference(traversal))
    // The source and two children. The last call of a scan requests up to 256 rows more.
    expect(transaction.scanned + transaction.read).toBeLessThan(5 * (Math.max(VERTICES, EDGES) + 512))
    transaction.rollback()
    await graph.close()
  })

  it.each([
    "g.V().coalesce(V().hasLabel('XYZ'), constant(1)).count()",
    "g.V().optional(V().hasLabel('rare')).count()",
    "g.V().flatMap(V().hasLabel('rare')).count()",
    "g.V().local(V().hasLabel('rare').limit(2)).count()",
    "g.V().V().hasLabel('rare').count()",
    "g.V().E().hasLabel('far').count()",
    "g.V().union(V().hasLabel('rare'), E().hasLabel('far')).count()"
  ])("that runs for each traverser scans the graph only twice: %s", async (traversal) => {
    const graph = await filled(kind)
    const transaction = new Counting(graph.begin())
    expect(await texts(graph, traversal, { transaction })).toEqual(await reference(traversal))
    expect(transaction.scanned).toBeLessThan(5 * (Math.max(VERTICES, EDGES) + 512))
    transaction.rollback()
    await graph.close()
  })

  it.each([
    "g.V().where(V().hasLabel('rare').values('n').as('m').where(eq('m'))).count()",
    "g.V().as('a').where(V().hasLabel('rare').where(eq('a'))).values('n')",
    "g.V().as('a').where(V().has('n', 3).out().as('b').where('a', eq('b'))).values('n')",
    "g.V().hasLabel('rare').map(V().hasLabel('rare').path().count(local))",
    "g.withSack(0).V().hasLabel('rare').sack(sum).by('n').map(V().has('n', 3).sack())",
    "g.V().has('n', 1).repeat(where(V().has('n', 2)).out()).times(3).map(V().has('n', 3).loops())",
    "g.V().has('n', 1).repeat(where(V().limit(1).loops().is(lt(2))).out()).emit().times(4).values('n')",
    "g.V().hasLabel('rare').aggregate('x').map(V().has('n', 3).select('x').count(local))",
    "g.V().hasLabel('rare').map(V().hasLabel('rare').order().by('n').values('n').fold())",
    "g.V().limit(300).as('a').map(V().hasLabel('rare').values('n').math('_ + 1').sum())",
    "g.V().hasLabel('rare').match(__.as('a').values('n').as('n'), __.as('a').where(V().has('n', 5))).select('n')"
  ])("has the same results as a child that runs for each traverser: %s", async (traversal) => {
    const graph = await filled(kind)
    const transaction = graph.begin()
    expect(await texts(graph, traversal, { transaction })).toEqual(await reference(traversal))
    const change = (changed: GraphTransaction): void => {
      const ref = changed.addVertex("rare", undefined)
      changed.setVertexProperty(ref, Cardinality.single, "n", 3)
    }
    change(transaction)
    expect(await texts(graph, traversal, { transaction })).toEqual(await reference(traversal, change))
    transaction.rollback()
    await graph.close()
  })

  it("runs for each traverser if it uses random numbers", async () => {
    const graph = await filled(kind)
    const [ids] = await runLater(graph, "g.V().map(V().order().by(shuffle).limit(1).values('n')).dedup().count()")
    expect(Number(ids)).toBeGreaterThan(1)
    await graph.close()
  })

  it.each<readonly [string, ReadonlyArray<string>]>([
    [
      "g.inject(1, 2, 3).choose(V().hasLabel('new').count().is(0), addV('new').constant('made'), constant('there'))",
      ["made", "there", "there"]
    ],
    [
      "g.inject(1, 2, 3).coalesce(V().has('tag', 1).constant('there'), addV('new').property('tag', 1).constant('made'))",
      ["made", "there", "there"]
    ],
    ["g.inject(1, 2, 3).map(addV('new').map(V().hasLabel('new').fold().count(local)))", ["1", "2", "3"]],
    ["g.inject(1, 2, 3).map(V().hasLabel('rare').limit(1).sideEffect(drop()).count())", ["1", "1", "1"]]
  ])("sees the changes of its own traversal: %s", async (traversal, expected) => {
    const graph = await filled(kind)
    expect(await texts(graph, traversal, {})).toEqual(expected)
    await graph.close()
  })

  it("reads a record of its scan the third time, without elements that were removed since", async () => {
    const graph = await filled(kind)
    const transaction = new Counting(graph.begin())
    const scans = new RepeatedScans()
    const next = () =>
      scans.next(transaction, "vertex", () => ({ scan: transaction.scanVertices(["rare"]), ordered: false }))
    const rest = (scan: RefScan): Array<number> => {
      const out = { refs: transaction.newRefs(64), length: 0 }
      while (scan.next(16, out));
      return [...out.refs.subarray(0, out.length)]
    }
    const [first, second] = [rest(next().scan), rest(next().scan)]
    const { scanned } = transaction
    expect([first.length, second, rest(next().scan)]).toEqual([RARE, first, first])
    const { scan } = next()
    const out = { refs: transaction.newRefs(1), length: 0 }
    expect([scan.next(1, out), out.refs[0]]).toEqual([true, first[0]])
    transaction.removeVertex(first[1]!)
    expect(rest(scan)).toEqual(first.slice(2))
    expect(transaction.scanned).toBe(scanned)
    expect(rest(next().scan)).toEqual([first[0], ...first.slice(2)])
    expect(transaction.scanned).toBeGreaterThan(scanned)
    transaction.rollback()
    await graph.close()
  })

  it("reads the counters of the store instead of scanning while the traversal writes", async () => {
    const graph = await filled(kind)
    const scanned = async (traversal: string): Promise<number> => {
      const transaction = new Counting(graph.begin())
      const { plan } = prepare(traversal)
      expect(plan.writes).toBe(true)
      await runLater(graph, traversal, { transaction })
      return transaction.scanned
    }
    const alone = await scanned("g.V().property('flag', 1)")
    const choosing = "g.V().choose(V().hasLabel('XYZ').count().is(0), property('flag', 1), property('flag', 2))"
    expect(await scanned(choosing)).toBe(alone)
    expect(await texts(graph, "g.V().values('flag').groupCount()", {})).toEqual([`{1=${VERTICES}}`])
    await graph.close()
  })

  it("sees changes of another traversal of the transaction between two results", async () => {
    const graph = await filled(kind)
    const transaction: GraphTransaction = graph.begin()
    const running = new TraversalRun(
      prepare("g.V().map(choose(V().has('n', -1), constant('there'), constant('missing')))"),
      transaction
    )
    const found = new Map<unknown, number>()
    const sink = {
      accept: (values: ReadonlyArray<unknown>) => {
        for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
        return false
      }
    }
    let progress: Progress = running.advance(Number.POSITIVE_INFINITY, sink)
    expect([progress, [...found.keys()]]).toEqual(["full", ["missing"]])
    const ref = transaction.addVertex("late", undefined)
    transaction.setVertexProperty(ref, Cardinality.single, "n", -1)
    while (progress !== "done") progress = running.advance(Number.POSITIVE_INFINITY, sink)
    expect([...found.keys()]).toEqual(["missing", "there"])
    expect(found.get("missing")! + found.get("there")!).toBeGreaterThanOrEqual(VERTICES)
    running.close()
    transaction.rollback()
    await graph.close()
  })
})
