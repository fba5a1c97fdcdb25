import { load } from "../Load.ts"
import { median } from "../Median.ts"
import type { ServerProcess } from "../ServerProcess.ts"
import type { Connection } from "../WebSocketClient.ts"
import { connect } from "./Measure.ts"
import type { Request } from "./Requests.ts"

/** A turn is short, because the speed of a machine that others share changes from second to second. */
const TURN_SECONDS = 0.25
/** Seconds of requests before the first turn. */
const WARM_SECONDS = 2

/** One of the versions that are compared. */
export interface Version {
  readonly name: string
  readonly server: ServerProcess
}

/** CPU times of the requests of each turn, microseconds, in the order of the versions. */
const turnsOf = async (
  versions: ReadonlyArray<Version>,
  request: Request,
  inFlight: number,
  seconds: number
): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const connections: Array<ReadonlyArray<Connection>> = []
  for (const { server } of versions) {
    const own = await connect(server, inFlight)
    await load(own, WARM_SECONDS, request.message)
    connections.push(own)
  }
  const turns: Array<ReadonlyArray<number>> = []
  for (let turn = 0; turn < seconds / TURN_SECONDS; turn++) {
    const cpus = new Array<number>(versions.length)
    for (let i = 0; i < versions.length; i++) {
      // Another version is the first of each turn.
      const at = (turn + i) % versions.length
      const { server } = versions[at]!
      const before = server.cpu()
      const { requests } = await load(connections[at]!, TURN_SECONDS, request.message)
      cpus[at] = (server.cpu() - before) / requests
    }
    turns.push(cpus)
  }
  for (const own of connections) for (const connection of own) connection.close()
  return turns
}

/** Gives the versions the same requests in alternate turns. Prints the median CPU times, and the median of the ratios of each turn. */
export const compareVersions = async (
  versions: ReadonlyArray<Version>,
  request: Request,
  inFlight: number,
  seconds: number
): Promise<void> => {
  const turns = await turnsOf(versions, request, inFlight, seconds)
  for (const [at, { name, server }] of versions.entries()) {
    const cpu = median(turns.map((cpus) => cpus[at]!))
    const ratio = median(turns.map((cpus) => cpus[at]! / cpus[0]!))
    const what = `${request.name}, ${inFlight} in flight, ${name}`
    console.log(
      `${what.padEnd(60)} CPU ${cpu.toFixed(1)} us, ratio ${ratio.toFixed(3)}, RSS ${server.memory().toFixed(0)} MB`
    )
  }
}
