import { load } from "../Load.ts"
import { median } from "../Median.ts"
import { childrenOf, type ServerProcess } from "../ServerProcess.ts"
import type { Connection } from "../WebSocketClient.ts"
import { type Contender, connections } from "./Contenders.ts"
import { type SpentCpu, spent, type TreeCpu, treeCpu } from "./ProcessTree.ts"
import { messageOf } from "./Requests.ts"

/** How long everything is measured. */
export interface Times {
  readonly rounds: number
  /** Time of a turn. */
  readonly seconds: number
  /** Time in which the code is compiled before the first turn, for each process: with two of them, each gets half of the requests. */
  readonly compileSeconds: number
}

/** With fewer connections, some workers would compile their code in a later turn. */
const COMPILE_CONNECTIONS = 16
/** Time before each turn: the processes were idle meanwhile. */
const WARM_SECONDS = 0.1

/** One turn, or the medians of several. */
export interface Measured {
  readonly perSecond: number
  /** CPU time of all processes of the server for one request. */
  readonly microseconds: number
  readonly primary: number
  readonly busiestShare: number
  readonly p50: number
  readonly p99: number
}

/** The turns of one contender. */
export interface Turns extends Contender {
  readonly turns: ReadonlyArray<Measured>
}

/** The CPU time of servers, as of one with all of their processes. */
const cpuOf = (servers: ReadonlyArray<ServerProcess>): TreeCpu => {
  const [first, ...others] = servers.map(({ pid }) => treeCpu(pid))
  return others.length === 0 ? first! : { primary: 0, workers: [first!, ...others].map(({ primary }) => primary) }
}

const measuredOf = (cpu: SpentCpu, { p50, p99, requests, seconds }: Awaited<ReturnType<typeof load>>): Measured => ({
  perSecond: requests / seconds,
  microseconds: (cpu.primary + cpu.serving) / requests,
  primary: cpu.primary / requests,
  busiestShare: cpu.busiestShare,
  p50,
  p99
})

/** One turn. */
export const turn = async (
  { servers }: Pick<Contender, "servers">,
  open: ReadonlyArray<Connection>,
  script: string,
  seconds: number
): Promise<Measured> => {
  const message = messageOf(script)
  await load(open, WARM_SECONDS, message)
  const before = cpuOf(servers)
  const result = await load(open, seconds, message)
  return measuredOf(spent(before, cpuOf(servers)), result)
}

const processesOf = ({ servers }: Contender): number =>
  servers.reduce((sum, { pid }) => sum + Math.max(1, childrenOf(pid).length), 0)

/** Lets all processes compile the code of a request. A process that has had fewer requests has less of it compiled, and needs more CPU time. */
export const compile = async (contender: Contender, script: string, seconds: number): Promise<void> => {
  const open = await connections(contender, COMPILE_CONNECTIONS)
  await load(open, seconds * processesOf(contender), messageOf(script))
  for (const connection of open) connection.close()
}

/** Measures all contenders in alternate turns, after {@link compile}. Every second round has the opposite order. */
export const compare = async (
  contenders: ReadonlyArray<Contender>,
  script: string,
  count: number,
  { rounds, seconds }: Pick<Times, "rounds" | "seconds">
): Promise<ReadonlyArray<Turns>> => {
  const all = []
  for (const contender of contenders) {
    all.push({ ...contender, open: await connections(contender, count), turns: [] as Array<Measured> })
  }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? all : all.toReversed()
    for (const each of order) each.turns.push(await turn(each, each.open, script, seconds))
  }
  for (const connection of all.flatMap(({ open }) => open)) connection.close()
  return all
}

/** The median of a figure in all turns. */
export const middle = ({ turns }: Turns, of: keyof Measured): number => median(turns.map((each) => each[of]))

/** The median of the ratios that two contenders have in each round: other work on the machine affects both of a round. */
export const ratio = (one: Turns, other: Turns, of: keyof Measured): number =>
  median(one.turns.map((each, round) => each[of] / other.turns[round]![of]))
