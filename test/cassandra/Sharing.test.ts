import { setTimeout as pause } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import type { CqlStore } from "../../src/storage/cassandra/CqlStore.ts"
import { IdAuthority } from "../../src/storage/cassandra/coordination/IdAuthority.ts"
import { type CellGraph, openCellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { claimKey, readClaim } from "../../src/storage/janusgraph/format/IdBlocks.ts"
import { vertexId } from "../../src/storage/janusgraph/format/Ids.ts"
import { defaultCellGraphOptions } from "../../src/storage/janusgraph/Options.ts"
import { runLater } from "../process/run.ts"
import { type JanusGraphPeer, openJanusGraph } from "./JanusGraphPeer.ts"
import { cqlStore, newKeyspace } from "./Stores.ts"

/** A longer wait of the lock protocol: test machines stall, and JanusGraph gives up quickly. */
const PATIENT = { "storage.lock.wait-time": 400 }

const closing: Array<() => Promise<void>> = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close().catch(() => undefined)
})

const janusGraph = async (
  keyspace: string,
  name: string,
  options: Readonly<Record<string, string | number>> = {}
): Promise<JanusGraphPeer> => {
  const peer = await openJanusGraph(keyspace, name, { ...PATIENT, ...options })
  closing.push(() => peer.crash())
  return peer
}

const store = async (keyspace: string, instance: string): Promise<CqlStore> => {
  const opened = await cqlStore(keyspace, {}, { instance, lockWait: PATIENT["storage.lock.wait-time"] })
  closing.push(() => opened.close())
  return opened
}

const graph = async (keyspace: string, instance: string): Promise<CellGraph> =>
  openCellGraph(await store(keyspace, instance), { ...defaultCellGraphOptions, name: "test" }, instance)

/** Runs a traversal in its own transaction. Returns the results, or the name of the error. */
const run = async (opened: CellGraph, script: string): Promise<ReadonlyArray<unknown> | string> => {
  const transaction = opened.begin()
  try {
    return await runLater(opened, script, { transaction })
  } catch (error) {
    return (error as Error).constructor.name
  } finally {
    transaction.rollback()
  }
}

const numberOf = (answer: ReadonlyArray<unknown> | string): number => Number(answer[0])

describe("A keyspace that JanusGraph has open at the same time", () => {
  it("has no overlapping blocks of ids, claimed in turns or concurrently", async () => {
    const keyspace = newKeyspace()
    const java = await janusGraph(keyspace, "java", { "ids.block-size": 20, "cluster.max-partitions": 2 })
    const { columns, coordination } = await store(keyspace, "ours")
    const { idBlockSize, idTagBits, idWait, partitionBits } = coordination.settings
    expect([idBlockSize, idTagBits, partitionBits]).toEqual([20, 4, 1])
    const ours: Array<number> = []
    const claim = async (instance: string, partition: number, blocks: number): Promise<void> => {
      const ids = new IdAuthority(columns, coordination.clock, {
        instance,
        partitionBits,
        blockSize: idBlockSize,
        partition,
        tagBits: idTagBits,
        tag: 0,
        wait: idWait,
        timeout: 120_000
      })
      for (let i = 0; i < blocks; i++) {
        const { count, first, step } = await ids.claim("vertex")
        for (let at = 0; at < count; at++) ours.push(vertexId(first + at * step, partition, partitionBits))
      }
    }
    const theirs: Array<number> = []
    for (let turn = 0; turn < 2; turn++) {
      theirs.push(...(await java.ask("add 50")).split(" ").map(Number))
      await claim("ours", turn, 2)
    }
    const [added] = await Promise.all([java.ask("add 600"), claim("ours", 0, 12), claim("other", 1, 12)])
    theirs.push(...added.split(" ").map(Number))
    expect([ours.length, theirs.length]).toEqual([28 * 20, 700])
    expect(new Set([...ours, ...theirs]).size).toBe(ours.length + theirs.length)
    // Both have claimed in the same row, so they competed.
    const claims = await columns.slice({ table: "janusgraph_ids", key: claimKey("vertex", 0, partitionBits) }, "system")
    expect(new Set(claims.map(({ column }) => readClaim(column).instance))).toEqual(new Set(["java", "ours"]))
    expect(await java.ask("count")).toBe("700")
  })

  it("gives a value of a unique index, and the name of a type, to one of both", async () => {
    const keyspace = newKeyspace()
    const java = await janusGraph(keyspace, "java")
    expect(await java.ask("unique mail")).toBe("made")
    const ours = await graph(keyspace, "ours")
    const other = await graph(keyspace, "other")
    let put = 0
    for (let round = 0; round < 8; round++) {
      const script = `g.addV().property('mail', 'm${round}').none()`
      // Both servers at the same time, at a random moment of JanusGraph's commit.
      const delay = Math.random() * 200
      const late = async (opened: CellGraph) => {
        await pause(delay)
        return run(opened, script)
      }
      const [theirs, first, second] = await Promise.all([java.ask(`put mail m${round}`), late(ours), late(other)])
      const winners = [theirs === "put", typeof first !== "string", typeof second !== "string"]
      const won = winners.filter((isWinner) => isWinner).length
      expect(won, `${theirs} ${first} ${second}`).toBeLessThanOrEqual(1)
      put += won
      expect(Number(await java.ask(`count mail m${round}`))).toBe(won)
      expect(numberOf(await run(ours, `g.V().has('mail', 'm${round}').count()`))).toBe(won)
    }
    // All may lose a round, as each may see the claim of another one. They do not lose every round.
    expect(put).toBeGreaterThan(2)
    await Promise.all([
      java.ask("put colour red"),
      run(ours, "g.addV().property('colour', 'red').none()"),
      run(other, "g.addV().property('colour', 'red').none()")
    ])
    await pause(1000)
    const reds = Number(await java.ask("count colour red"))
    expect(reds).toBeGreaterThan(0)
    expect(numberOf(await run(ours, "g.V().has('colour', 'red').count()"))).toBe(reds)
    expect(numberOf(await run(other, "g.V().has('colour', 'red').count()"))).toBe(reds)
  })

  it("loses no change of a property with ConsistencyModifier.LOCK", async () => {
    const keyspace = newKeyspace()
    const java = await janusGraph(keyspace, "java")
    await java.ask("locked n")
    expect(await java.ask("raise n")).toBe("1")
    const ours = await graph(keyspace, "ours")
    const other = await graph(keyspace, "other")
    let raised = 1
    const raise = async (opened: CellGraph): Promise<void> => {
      const done = await run(opened, "g.V().has('n').property('n', __.values('n').math('_ + 1')).none()")
      if (typeof done !== "string") raised++
      else expect(done).toBe("TransactionConflict")
      await pause(Math.random() * 300)
    }
    for (let round = 0; round < 8; round++) {
      const [theirs] = await Promise.all([java.ask("raise n"), raise(ours), raise(other)])
      if (!theirs.startsWith("error")) raised++
    }
    expect(raised).toBeGreaterThan(4)
    expect(numberOf(await run(ours, "g.V().has('n').values('n')"))).toBe(raised)
    expect(await java.ask("raise n")).toBe(String(raised + 1))
  })

  it("has complete indexes, because each waits for the acknowledgement of the other", async () => {
    const keyspace = newKeyspace()
    const java = await janusGraph(keyspace, "java")
    const ours = await graph(keyspace, "ours")
    await java.ask("key name")
    await java.ask("put name a")
    expect(await run(ours, "g.addV().property('name', 'a').none()")).toEqual([])
    // JanusGraph waits until transactions of this server have ended.
    const open = ours.begin()
    const made = java.ask("index name 120")
    expect(await Promise.race([made, pause(10_000, "waits")])).toBe("waits")
    open.rollback()
    expect(await made).toBe("registered")
    // This server waits for JanusGraph's acknowledgement before it builds.
    await java.ask("key town")
    await java.ask("put town b")
    await run(ours, "g.addV().property('town', 'b').none()")
    await ours.management.createIndex("town", "vertex")
    expect(await java.ask("put town b")).toBe("put")
    expect(await java.ask("status vertex:town")).toBe("ENABLED")
    expect(numberOf(await run(ours, "g.V().has('town', 'b').count()"))).toBe(3)
    expect(await java.ask("count town b")).toBe("3")
  })

  it("lists the instances of both; a crashed one is closed by force", async () => {
    const keyspace = newKeyspace()
    const { coordination } = await store(keyspace, "ours")
    const java = await janusGraph(keyspace, "java")
    expect(await java.ask("instances")).toBe("java(current) ours")
    expect((await coordination.instances.others()).map(({ name }) => name)).toEqual(["java"])
    await java.crash()
    expect((await coordination.instances.others()).map(({ name }) => name)).toEqual(["java"])
    await coordination.instances.forceClose("java", coordination.clock.now())
    expect(await coordination.instances.others()).toEqual([])
    // JanusGraph opens a keyspace of this server, under the name that was freed.
    const again = await janusGraph(keyspace, "java")
    expect(await again.ask("instances")).toBe("java(current) ours")
    await coordination.close()
    expect(await again.ask("instances")).toBe("java(current)")
  })
})
