import { existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { type ControlCommand, request } from "../../../src/layers/commands/ControlClient.ts"
import { reload } from "../../../src/layers/commands/ReloadCommand.ts"
import { newFolder } from "../../Folders.ts"
import { CONDITION_MS } from "../../Limits.ts"
import { type ProcessOptions, type ServerProcess, startProcess } from "./ServerProcess.ts"
import { SocketClient } from "./SocketClient.ts"
import { eventually } from "./TestServers.ts"

/** A server with workers in separate processes. Its graph is on disk unless the options name another one. */
export interface WorkerServer extends ServerProcess {
  readonly folder: string
  /** Its configuration file. */
  readonly file: string
  /** Its control socket. */
  readonly socket: string
  readonly authority: string
  /** Sends a command to the control socket. */
  readonly control: (command: ControlCommand) => Promise<string>
  /** Replaces all workers. */
  readonly reload: () => Promise<string>
  /** The process ids of the workers that serve, by their numbers. */
  readonly pids: () => Promise<ReadonlyArray<number>>
}

/**
 * Starts a server with workers from a bundle of `src/main.ts`. It serves when the promise resolves.
 *
 * @param options further options of the process
 */
export const startWorkers = async (
  bundle: string,
  workers: number,
  settings: ReadonlyArray<string> = [],
  folder: string = newFolder(),
  options: Partial<Pick<ProcessOptions, "before" | "graphs" | "properties">> = {}
): Promise<WorkerServer> => {
  const socket = join(folder, "control.sock")
  const server = await startProcess(bundle, folder, {
    properties: ["storage.backend=lmdb", "storage.directory=db"],
    settings: [`workers: ${workers}`, `controlSocket: ${socket}`, ...settings],
    ...options
  })
  await eventually(() => existsSync(socket))
  const control = (command: ControlCommand) => Effect.runPromise(request(socket, command))
  const pids = async () =>
    Array.from((await control("status")).matchAll(/^worker \d+: process (\d+), serving/gm), ([, pid]) => Number(pid))
  const authority = `127.0.0.1:${server.port}`
  return {
    ...server,
    folder,
    file: join(folder, "server.yaml"),
    socket,
    authority,
    control,
    pids,
    reload: () => Effect.runPromise(reload(socket))
  }
}

/** One WebSocket for each worker: connections are divided equally. The first is that of worker 1 where no other connection is open. */
export const clientOfEach = async (
  { authority }: WorkerServer,
  count: number
): Promise<ReadonlyArray<SocketClient>> => {
  const clients: Array<SocketClient> = []
  for (let i = 0; i < count; i++) clients.push(await SocketClient.connect(authority))
  return clients
}

/** Calls until the value fits, for up to {@link CONDITION_MS}. Returns the value. */
export const until = async <A>(read: () => Promise<A>, fits: (value: A) => boolean): Promise<A> => {
  const limit = performance.now() + CONDITION_MS
  for (;;) {
    const value = await read()
    if (fits(value)) return value
    if (performance.now() > limit) throw new Error(`it is still ${JSON.stringify(value)}`)
    await sleep(20)
  }
}
