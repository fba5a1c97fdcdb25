import { load } from "./Load.ts"
import { evalMessage, final } from "./Messages.ts"
import { best, peerOf, withServers } from "./Persons.ts"
import type { ServerProcess } from "./ServerProcess.ts"
import { connectWebSocket } from "./WebSocketClient.ts"

/**
 * npm run bench -- olap [seconds] [part of a traversal] [--peer | --against FOLDER]: traversals over much or all of the
 * graph of `oltp`, one at a time. Prints the CPU time of the server for each. For a JVM this includes garbage collection on
 * other threads. With --peer, Gremlin Server 3.8.1 runs the same traversals in alternate turns; with --against, the server of
 * another checkout.
 */
const { peer, rest } = peerOf(process.argv.slice(2))
const [time = "1", only = ""] = rest
const seconds = Number(time)
/** Turns of a row with two servers. */
const TURNS = 3

const traversals: ReadonlyArray<string> = [
  "g.V().count()",
  "g.E().count()",
  "g.V().out().count()",
  "g.V().out().out().count()",
  "g.V().out('knows').out('knows').out('knows').count()",
  "g.V().both().both().dedup().count()",
  "g.V().has('uid', lt(20)).repeat(both()).emit().times(3).dedup().count()",
  "g.V().has('uid', lt(20)).repeat(out().simplePath()).times(4).path().count()",
  "g.V().has('uid', gte(5000)).count()",
  "g.V().has('name', TextP.containing('99')).count()",
  "g.V().hasLabel('person').values('name').dedup().count()",
  "g.V().values('uid').sum()",
  "g.V().values('uid').mean()",
  "g.V().order().by('name', desc).limit(10).values('name')",
  "g.V().order().by(out().count()).by('uid').tail(10).values('name')",
  "g.V().groupCount().by(label)",
  "g.V().groupCount().by(values('uid').math('_ % 100'))",
  "g.V().group().by(out('knows').count()).by(values('uid').max())",
  "g.V().out().groupCount().by('name').order(local).by(values, desc).limit(local, 10)",
  "g.V().where(out('knows').has('uid', lt(100))).count()",
  "g.V().not(inE()).count()",
  "g.V().filter(out().count().is(gt(9))).count()",
  "g.V().as('a').out().as('b').where('a', lt('b')).by('uid').count()",
  "g.V().as('a').out().as('b').select('a', 'b').by('uid').count()",
  "g.V().match(__.as('a').out().as('b'), __.as('b').out().as('c')).select('a', 'c').count()",
  "g.V().project('name', 'degree').by('name').by(out().count()).count()",
  "g.V().choose(values('uid').is(lt(5000)), out(), in()).count()",
  "g.V().union(out(), in(), identity()).count()",
  "g.V().coalesce(out('likes'), out('knows')).count()",
  "g.V().local(out().limit(2)).count()",
  "g.V().out().path().count()",
  "g.withSack(0).V().out().sack(sum).by('uid').sack().sum()",
  "g.V().valueMap().count()",
  "g.V().elementMap().count()",
  "g.V().limit(1000).elementMap()",
  "g.V().limit(1000)",
  "g.V().values('name')",
  "g.V().values('name').map(toUpper().concat('!')).count()",
  "g.V().has('uid', lt(50)).out().out().tree().count()",
  "g.V().has('uid', lt(200)).outE().subgraph('s').cap('s').count()",
  "g.E().sample(100).count()",
  "g.V().fold().unfold().count()",
  "g.V().properties().key().dedup()",
  "g.E().project('from', 'to').by(outV().values('uid')).by(inV().values('uid')).count()",
  "g.V().hasLabel('person').optional(out('likes')).cyclicPath().count()",
  "g.inject(1).repeat(map(math('_ + 1'))).times(20000)"
]

interface Figures {
  readonly requests: number
  /** CPU time of the server for one traversal, ms. */
  readonly cpu: number
  readonly p50: number
}

const measure = async (script: string, server: ServerProcess, warm: number): Promise<Figures> => {
  const connection = await connectWebSocket(server.port, final)
  const message = () => evalMessage(script)
  await load([connection], warm, message)
  const before = server.cpu()
  const { p50, requests } = await load([connection], seconds, message)
  const cpu = (server.cpu() - before) / requests / 1000
  connection.close()
  return { requests, cpu, p50 }
}

const figure = (milliseconds: number): string => milliseconds.toPrecision(3).padStart(8)

await withServers(peer, async (server, other) => {
  console.log(
    peer === undefined ? "  CPU ms   p50 ms" : `  CPU ms   p50 ms | ${peer.name}: CPU ms, p50 ms, CPU of it / ours`
  )
  for (const script of traversals.filter((each) => each.includes(only))) {
    const own: Array<Figures> = []
    const others: Array<Figures> = []
    for (let turn = 0; turn < (peer === undefined ? 1 : TURNS); turn++) {
      try {
        if (other !== undefined) others.push(await measure(script, other, turn === 0 ? (peer?.warm ?? 1) : 0.3))
        own.push(await measure(script, server, turn === 0 ? 1 : 0.3))
      } catch (error) {
        console.log(`${script}: ${(error as Error).message.slice(0, 200)}`)
        break
      }
    }
    if (own.length === 0) continue
    const ours = best(own)
    let line = `${figure(ours.cpu)} ${figure(ours.p50)}`
    if (others.length > 0) {
      const theirs = best(others)
      line += ` | ${figure(theirs.cpu)} ${figure(theirs.p50)} ${(theirs.cpu / ours.cpu).toFixed(2).padStart(7)}`
    }
    console.log(`${line}  ${script}`)
  }
})
