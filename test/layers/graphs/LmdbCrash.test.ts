import { createRequire } from "node:module"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { CellVerifier } from "../../../src/storage/janusgraph/maintenance/verify/CellVerifier.ts"
import type { Finding } from "../../../src/storage/janusgraph/maintenance/verify/Findings.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"
import { newFolder } from "../support/LmdbGraphs.ts"
import { bundled, kill, type ServerProcess, startProcess, stop } from "../support/ServerProcess.ts"
import { eventually } from "../support/TestServers.ts"

const require = createRequire(import.meta.url)

interface Client {
  submit(script: string, bindings?: Record<string, unknown>): Promise<{ toArray(): ReadonlyArray<unknown> }>
  open(): Promise<void>
  close(): Promise<void>
}
const { driver }: { readonly driver: { readonly Client: new (url: string, options: object) => Client } } =
  require("gremlin")

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 20)
const WRITERS = 4

/** One commit: two vertices and the edge between them, all with the same number, and a new value of the writer. */
const WRITE =
  "g.V().has('writer', writer).property('value', number).as('w')" +
  ".addV('left').property('number', number).as('l')" +
  ".addV('right').property('number', number).as('r').addE('pair').from('l').property('number', number)" +
  ".addE('wrote').from('w').to('r').iterate()"

/** The elements with a number: 2 vertices by the index, and along the edges from each end. */
const CHECK =
  "g.V().has('number', within(numbers)).group().by('number').by(__.fold().project('labels', 'out', 'in', 'writers')" +
  ".by(__.unfold().label().order().fold())" +
  ".by(__.unfold().outE('pair').as('e').inV().values('number').fold())" +
  ".by(__.unfold().inE('pair').as('e').outV().values('number').fold())" +
  ".by(__.unfold().in('wrote').values('writer').fold()))"

const connect = async ({ port }: ServerProcess): Promise<Client> => {
  const client = new driver.Client(`ws://127.0.0.1:${port}/gremlin`, { traversalSource: "g" })
  await client.open()
  return client
}

const one = async (client: Client, script: string, bindings = {}): Promise<unknown> =>
  (await client.submit(script, bindings)).toArray()[0]

class Writer {
  readonly name: string
  sent = 0
  acknowledged = 0
  /** Numbers of the last round; true for answered commits. */
  readonly numbers = new Map<number, boolean>()
  readonly #first: number

  constructor(index: number) {
    this.name = `w${index}`
    this.#first = index * 10_000_000
  }

  number(count: number): number {
    return this.#first + count
  }

  /** Commits in sequence until the server is killed. */
  async run(client: Client): Promise<void> {
    this.numbers.clear()
    for (;;) {
      const number = this.number(++this.sent)
      this.numbers.set(number, false)
      try {
        await client.submit(WRITE, { writer: this.name, number })
      } catch {
        return
      }
      this.numbers.set(number, true)
      this.acknowledged = number
    }
  }
}

/** Vertices of a long commit, which is applied in slices. */
const LONG_COMMIT_VERTICES = 500

const WRITE_LONG =
  "g.inject(parts).unfold().addV('part').property('batch', number).as('p').addE('same').from('p').to('p').iterate()"

/** Long commits in sequence, concurrent with the others in every second round. */
class LongWriter {
  readonly numbers = new Map<number, boolean>()
  #sent = 0

  async run(client: Client): Promise<void> {
    const parts = Array.from({ length: LONG_COMMIT_VERTICES }, (_, part) => part)
    for (;;) {
      const number = ++this.#sent
      this.numbers.set(number, false)
      try {
        await client.submit(WRITE_LONG, { parts, number })
      } catch {
        return
      }
      this.numbers.set(number, true)
    }
  }

  /** Answered commits exist; each other commit was applied completely or not at all. */
  async check(client: Client): Promise<void> {
    for (const [number, answered] of this.numbers) {
      const parts = "g.V().has('batch', number)"
      const [vertices, edges] = [
        Number(await one(client, `${parts}.count()`, { number })),
        Number(await one(client, `${parts}.outE('same').count()`, { number }))
      ]
      expect([number, vertices, edges]).toEqual([
        number,
        ...(answered || vertices > 0 ? [LONG_COMMIT_VERTICES, LONG_COMMIT_VERTICES] : [0, 0])
      ])
    }
    this.numbers.clear()
  }
}

/** Answered commits exist, and every existing one is complete. */
const check = async (client: Client, writer: Writer): Promise<void> => {
  const numbers = [...writer.numbers.keys()]
  const found = (await one(client, CHECK, { numbers })) as Map<number, Map<string, unknown>>
  for (const [number, answered] of writer.numbers) {
    const seen = found.get(number)
    if (seen === undefined) expect([number, answered]).toEqual([number, false])
    else {
      expect([number, Object.fromEntries(seen)]).toEqual([
        number,
        { labels: ["left", "right"], out: [number], in: [number], writers: [writer.name] }
      ])
    }
  }
  const value = await one(client, "g.V().has('writer', writer).values('value')", { writer: writer.name })
  const newest = Math.max(0, ...[...found.keys()])
  if (newest > 0) expect([writer.name, value]).toEqual([writer.name, newest])
}

/** The findings of the command verify. */
const verified = async (directory: string) => {
  const store = await openLmdbStore({ directory, sync: "durable", readOnly: false })
  const graph = await openCellGraph(store, { ...defaultCellGraphOptions, name: "graph" }, "verify")
  const snapshot = store.snapshot()
  const findings: Array<Finding> = []
  const verifier = new CellVerifier(graph.core, snapshot, (finding) => findings.push(finding))
  for (const _ of verifier.work());
  snapshot.close()
  await graph.close()
  return { findings, edges: verifier.verified.edges }
}

it(
  `Every answered commit exists, and no commit was applied in part, after a server was killed ${ROUNDS} times`,
  async () => {
    const bundle = await bundled({ main: "src/main.ts" })
    const folder = newFolder()
    const start = () => startProcess(bundle, folder, { properties: ["storage.backend=lmdb", "storage.directory=db"] })
    const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(index + 1))
    let server = await start()
    let client = await connect(server)
    for (const key of ["batch", "number", "writer"])
      await client.submit(`graph.createIndex('${key}', Vertex.class); null`)
    for (const { name } of writers) await client.submit("g.addV('writer').property('writer', name).iterate()", { name })
    const long = new LongWriter()
    let answered = 0
    let answeredLong = 0
    for (let round = 0; round < ROUNDS; round++) {
      const clients = await Promise.all(writers.map(() => connect(server)))
      const work = writers.map((writer, index) => writer.run(clients[index]!))
      const longClient = await connect(server)
      if (round % 2 === 1) work.push(long.run(longClient))
      // At a time between the first commit and hundreds of commits.
      await new Promise((resolve) => setTimeout(resolve, Math.random() ** 2 * 400))
      // On a slow machine, no long commit may have ended in any round.
      if (round >= ROUNDS - 2 && round % 2 === 1 && answeredLong === 0) {
        await eventually(() => [...long.numbers.values()].includes(true))
      }
      await kill(server)
      await Promise.all(work)
      answered += writers.flatMap(({ numbers }) => [...numbers.values()]).filter((each) => each).length
      await Promise.allSettled([client, longClient, ...clients].map((each) => each.close()))
      answeredLong += [...long.numbers.values()].filter((each) => each).length
      server = await start()
      client = await connect(server)
      await long.check(client)
      for (const writer of writers) await check(client, writer)
    }
    expect(answered).toBeGreaterThan(ROUNDS)
    expect(answeredLong).toBeGreaterThan(0)
    // Counters, scans, and both ends of every edge.
    const counts = (await one(
      client,
      "g.inject(0).project('v', 'scanned', 'e', 'out', 'in').by(__.V().count()).by(__.V().filter(__.label()).count())" +
        ".by(__.E().count()).by(__.V().outE().count()).by(__.V().inE().count())"
    )) as Map<string, number>
    expect(counts.get("scanned")).toBe(counts.get("v"))
    expect([counts.get("out"), counts.get("in")]).toEqual([counts.get("e"), counts.get("e")])
    expect(counts.get("e")).toBeGreaterThanOrEqual(2 * answered)
    await client.close()
    await stop(server)
    const found = await verified(join(folder, "db"))
    expect(found.findings).toEqual([])
    expect(found.edges).toBe(counts.get("e"))
  },
  30_000 + ROUNDS * 6_000
)
