import { createRequire } from "node:module"
import { expect } from "vitest"
import { openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { CellVerifier } from "../../../src/storage/janusgraph/maintenance/verify/CellVerifier.ts"
import type { Finding } from "../../../src/storage/janusgraph/maintenance/verify/Findings.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"

const require = createRequire(import.meta.url)

/** A client of the driver. */
export interface Client {
  submit(script: string, bindings?: Record<string, unknown>): Promise<{ toArray(): ReadonlyArray<unknown> }>
  open(): Promise<void>
  close(): Promise<void>
}
const { driver }: { readonly driver: { readonly Client: new (url: string, options: object) => Client } } =
  require("gremlin")

/** Rethrows an error that the server has answered: only a closed connection is expected. */
const assertCut = (error: unknown): void => {
  if (error instanceof Error && "statusCode" in error) throw error
}

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

/** A client with a connection to a server. */
export const connect = async ({ port }: { readonly port: number }): Promise<Client> => {
  const client = new driver.Client(`ws://127.0.0.1:${port}/gremlin`, { traversalSource: "g" })
  await client.open()
  return client
}

/** The only result of a script. */
const one = async (client: Client, script: string, bindings = {}): Promise<unknown> =>
  (await client.submit(script, bindings)).toArray()[0]

/** A client that commits small transactions in sequence, each with a number of its own. */
export class Writer {
  readonly name: string
  sent = 0
  /** The number of its last answered commit. */
  acknowledged = 0
  /** True after its connection was closed before an answer: the outcome of the last commit is unknown. */
  isCut = false
  /** Set to end {@link run}. */
  isOver = false
  /** Numbers of the last round; true for answered commits, false for those whose outcome is unknown. */
  readonly numbers = new Map<number, boolean>()
  readonly #first: number

  constructor(index: number) {
    this.name = `w${index}`
    this.#first = index * 10_000_000
  }

  number(count: number): number {
    return this.#first + count
  }

  /** Commits in sequence until its connection is closed, or until it is told to end. Rejects when the server answers with an error. */
  async run(client: Client): Promise<void> {
    this.numbers.clear()
    this.isCut = false
    this.isOver = false
    while (!this.isOver) {
      const number = this.number(++this.sent)
      this.numbers.set(number, false)
      try {
        await client.submit(WRITE, { writer: this.name, number })
      } catch (error) {
        assertCut(error)
        this.isCut = true
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

/** Long commits in sequence, concurrent with those of other writers. */
export class LongWriter {
  readonly numbers = new Map<number, boolean>()
  /** Set to end {@link run}. */
  isOver = false
  #sent = 0

  async run(client: Client): Promise<void> {
    const parts = Array.from({ length: LONG_COMMIT_VERTICES }, (_, part) => part)
    this.isOver = false
    while (!this.isOver) {
      const number = ++this.#sent
      this.numbers.set(number, false)
      try {
        await client.submit(WRITE_LONG, { parts, number })
      } catch (error) {
        assertCut(error)
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
export const check = async (client: Client, writer: Writer): Promise<void> => {
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
export const verified = async (directory: string) => {
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

/** Creates the indexes and the vertices of writers. */
export const prepare = async (client: Client, writers: ReadonlyArray<Writer>): Promise<void> => {
  for (const key of ["batch", "number", "writer"])
    await client.submit(`graph.createIndex('${key}', Vertex.class); null`)
  for (const { name } of writers) await client.submit("g.addV('writer').property('writer', name).iterate()", { name })
}

/** Counters, scans, and both ends of every edge agree. Returns the number of edges. */
export const checkCounts = async (client: Client): Promise<number> => {
  const counts = (await one(
    client,
    "g.inject(0).project('v', 'scanned', 'e', 'out', 'in').by(__.V().count()).by(__.V().filter(__.label()).count())" +
      ".by(__.E().count()).by(__.V().outE().count()).by(__.V().inE().count())"
  )) as Map<string, number>
  expect(counts.get("scanned")).toBe(counts.get("v"))
  expect([counts.get("out"), counts.get("in")]).toEqual([counts.get("e"), counts.get("e")])
  return Number(counts.get("e"))
}
