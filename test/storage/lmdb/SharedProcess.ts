import { createInterface } from "node:readline"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { announceOpening } from "../../../src/storage/lmdb/Opening.ts"
import { StorageFull, TransactionConflict, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import { settled } from "../Completion.ts"
import { openShared } from "./SharedWriter.ts"

/** Waits so long, in milliseconds, without a turn of the event loop. */
const block = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** The number of builds of indexes that this process has begun, and whether the next one hangs between two commits. */
const building = { begun: 0, hangs: false }

/** What another process of a server does with the graph, by the name of the command. */
const commands: Readonly<Record<string, (graph: CellGraph, ...args: ReadonlyArray<string>) => Promise<unknown>>> = {
  /** Sets the property `value` of a vertex. */
  set: async (graph, id, value) => {
    const transaction = graph.begin()
    transaction.setVertexProperty(transaction.vertexRef(Number(id)), null, "value", Number(value))
    await settled(transaction.commit())
  },
  /** Adds vertices in one commit. */
  add: async (graph, count) => {
    const transaction = graph.begin()
    for (let i = 0; i < Number(count); i++) transaction.addVertex("added", undefined)
    await settled(transaction.commit())
  },
  /** Sets the property `value` of a vertex so many times, each in a commit. */
  repeat: async (graph, id, count) => {
    for (let i = 0; i < Number(count); i++) await commands.set!(graph, id!, String(i))
  },
  /** A commit in slices that takes so many milliseconds. Says when it has begun. */
  long: async (graph, milliseconds) => {
    let isTold = false
    const commit = graph.core.cells.commitLong(function* () {
      for (const end = performance.now() + Number(milliseconds); performance.now() < end; ) {
        if (!isTold) process.stdout.write("begun\n")
        isTold = true
        block(1)
        yield
      }
    })
    await settled(commit)
  },
  /** Stays in a transaction of lmdb until the process is killed. */
  hang: async (graph) => {
    await settled(
      graph.core.cells.commit(() => {
        process.stdout.write("begun\n")
        block(600_000)
      })
    )
  },
  /** Opens the files of the folder, in the eyes of other processes, until the process is killed. */
  opening: async () => {
    await announceOpening(directory!, undefined)
    process.stdout.write("begun\n")
    block(600_000)
  },
  /** Commits pairs of vertices with a unique number until the process is killed, and writes the number of each answered commit. */
  work: async (graph, numbers) => {
    const commitOne = async (): Promise<void> => {
      const number = Math.floor(Math.random() * Number(numbers))
      const transaction = graph.begin()
      try {
        const ids = transaction.newIds?.()
        if (ids !== undefined) await settled(ids)
        const [left, right] = [transaction.addVertex("left", undefined), transaction.addVertex("right", undefined)]
        transaction.setVertexProperty(left, null, "number", number)
        transaction.addEdge(left, "pair", right, undefined)
        await settled(transaction.commit())
        process.stdout.write(`answered ${number}\n`)
      } catch (error) {
        transaction.rollback()
        if (!(error instanceof TransactionConflict || error instanceof UnsupportedValue)) throw error
      }
    }
    const client = async (): Promise<void> => {
      for (;;) await commitOne()
    }
    await Promise.all([1, 2, 3, 4].map(client))
  },
  /** Keeps a snapshot until the process is killed. */
  read: async (graph) => {
    const transaction = graph.begin({ readOnly: true })
    transaction.counts.vertices(null)
    process.stdout.write("begun\n")
    await new Promise(() => setInterval(() => transaction.counts.vertices(null), 1000))
  },
  /** Creates an index on the property `value`, and waits until it is built. */
  index: async (graph) => graph.management.createIndex("value", "vertex"),
  /** Begins to build such an index, and stays in the build until the process is killed. */
  build: async (graph) => {
    building.hangs = true
    await graph.management.createIndex("value", "vertex")
  },
  /** Builds such an index on a full disk. */
  failing: async (graph) => {
    const { cells } = graph.core
    const commitLong = cells.commitLong
    cells.commitLong = () => {
      cells.commitLong = commitLong
      throw new StorageFull("the disk is full")
    }
    await graph.management.createIndex("value", "vertex")
  },
  /** Why the index could not be built, after the end of its build. */
  failure: async (graph) => {
    const index = (await graph.management.schema()).indexes.find(({ name }) => name === "vertex:value")
    // A change of the schema that this process sees for the first time is followed in the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    await graph.management.done(index?.id ?? 0)?.catch(() => undefined)
    return String(graph.management.failure("vertex:value"))
  },
  /** The number of builds of indexes that this process has begun. */
  builds: async () => building.begun,
  /** The statuses of all indexes. */
  statuses: async (graph) => (await graph.management.schema()).indexes.map(({ name, status }) => `${name} ${status}`),
  close: async (graph) => graph.close()
}

const [directory, name] = process.argv.slice(2)
if (process.argv[1]?.endsWith("SharedProcess.mjs") && directory !== undefined) {
  const graph = await openShared(directory, name!, {
    begun: () => building.begun++,
    building: () => {
      if (!building.hangs) return
      process.stdout.write("begun\n")
      block(600_000)
    },
    enabled: () => undefined
  })
  process.stdout.write("open\n")
  for await (const line of createInterface(process.stdin)) {
    const [command, ...args] = line.split(" ")
    try {
      process.stdout.write(`done ${JSON.stringify((await commands[command!]!(graph, ...args)) ?? null)}\n`)
    } catch (error) {
      process.stdout.write(`failed ${String(error)}\n`)
    }
    if (command === "close") process.exit(0)
  }
}
