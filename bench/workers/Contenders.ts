import { cpSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { final } from "../Messages.ts"
import { type ServerProcess, startServer } from "../ServerProcess.ts"
import { type Connection, connectWebSocket } from "../WebSocketClient.ts"

/** A server with workers, whose primary process can be asked. */
export interface Served extends ServerProcess {
  readonly controlSocket: string
}

/** What is measured in one turn. */
export interface Contender {
  readonly name: string
  /** One server, or several separate ones to which the connections are divided. */
  readonly servers: ReadonlyArray<Served>
}

/** How the graph of a server is kept. */
interface Place {
  readonly directory: string
  readonly sync: "durable" | "none"
}

/** A server with workers over a graph in a folder. */
export const served = async (workers: number, { directory, sync }: Place): Promise<Served> => {
  const controlSocket = `${directory}.socket`
  const server = await startServer({
    yaml: `enginePool: 256\nworkers: ${workers}\ncontrolSocket: ${controlSocket}\n`,
    properties: `gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=${directory}\nstorage.lmdb.sync=${sync}\n`
  })
  return { ...server, controlSocket }
}

/** Starts servers, each with a copy of a graph. */
export class Copies {
  readonly #all: Array<Served> = []
  readonly #graph: string
  readonly #folder: string

  /**
   * @param graph the folder of the graph
   * @param folder where the copies are
   */
  constructor(graph: string, folder: string) {
    this.#graph = graph
    this.#folder = folder
  }

  async start(workers: number): Promise<Served> {
    const directory = join(this.#folder, String(this.#all.length))
    cpSync(this.#graph, directory, { recursive: true })
    const server = await served(workers, { directory, sync: "durable" })
    this.#all.push(server)
    const started = `started in ${server.startedAfter.toFixed(0)} ms`
    console.log(`${workers} workers: ${started}, ${server.memory().toFixed(0)} MB in the first process`)
    return server
  }

  async stop(): Promise<void> {
    for (const server of this.#all) await server.stop()
  }
}

/** Opens connections to a contender. */
export const connections = ({ servers }: Contender, count: number): Promise<ReadonlyArray<Connection>> =>
  Promise.all(Array.from({ length: count }, (_, i) => connectWebSocket(servers[i % servers.length]!.port, final)))

/** A worker, as the command `dump` shows it. */
interface ShownWorker {
  readonly pid: number
  readonly connections: number
}

/** The workers of a server and the number of their connections. */
const shownWorkers = ({ controlSocket }: Served): Promise<ReadonlyArray<ShownWorker>> =>
  new Promise((resolve, reject) => {
    let answer = ""
    const socket = connect(controlSocket, () => socket.write("dump json\n"))
    socket
      .setEncoding("utf8")
      .on("data", (chunk) => {
        answer += chunk
      })
      .on("end", () => resolve((JSON.parse(answer) as { readonly workers: ReadonlyArray<ShownWorker> }).workers))
      .on("error", reject)
  })

/** The number of connections of each worker. */
export const divisionOf = async (server: Served): Promise<ReadonlyArray<number>> =>
  (await shownWorkers(server)).map(({ connections }) => connections)

/** Time between two looks at the connections of the workers. */
const LOOK_MS = 50

/** The workers when the connections that the client has closed are closed in them, too. */
const settledWorkers = async (server: Served): Promise<ReadonlyArray<ShownWorker>> => {
  for (let before = await shownWorkers(server); ; ) {
    await sleep(LOOK_MS)
    const after = await shownWorkers(server)
    if (after.every(({ connections, pid }) => before.find((each) => each.pid === pid)?.connections === connections)) {
      return after
    }
    before = after
  }
}

/** Connections to one server by the process that has them. */
export const connectionsByWorker = async (
  server: Served,
  count: number
): Promise<ReadonlyMap<number, ReadonlyArray<Connection>>> => {
  const all = new Map<number, Array<Connection>>()
  let before = await settledWorkers(server)
  for (let i = 0; i < count; i++) {
    const connection = await connectWebSocket(server.port, final)
    const after = await shownWorkers(server)
    const has = after.find((worker) => worker.connections > before.find(({ pid }) => pid === worker.pid)!.connections)
    all.set(has!.pid, [...(all.get(has!.pid) ?? []), connection])
    before = after
  }
  return all
}
