import { spawn, spawnSync } from "node:child_process"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { emptyTinkerGraph, type ServerSettings, tinkerGraphDefaults } from "../../src/services/Config.ts"

/** `g` over the modern toy graph, and `gtx` over an empty graph with explicit commit. */
export const graphs: Partial<ServerSettings> = {
  graphs: new Map([
    ["graph", { ...emptyTinkerGraph, name: "graph" }],
    [
      "tx",
      { ...emptyTinkerGraph, name: "tx", factory: { kind: "TinkerTransactionGraph", tinkergraph: tinkerGraphDefaults } }
    ]
  ]),
  traversalSources: [
    { name: "g", graph: "graph", expression: undefined },
    { name: "gtx", graph: "tx", expression: undefined }
  ],
  datasets: [{ graph: "graph", dataset: "modern", file: undefined }]
}

/** Whether a command of a toolchain exists. */
export const has = (command: string, ...args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0

/** Runs a program until it ends, without blocking the server in this process. Returns its standard output. */
export const run = (
  command: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
    let out = ""
    let errors = ""
    child.stdout.on("data", (data) => {
      out += data
    })
    child.stderr.on("data", (data) => {
      errors += data
    })
    child.on("error", reject)
    child.on("close", (status) => {
      if (status === 0) resolve(out)
      else reject(new Error(`${command} ended with ${status}:\n${errors}\n${out}`))
    })
  })

/** A way to a server that a test can cut: the connections end, and new ones work. */
export interface CuttableWay {
  readonly authority: string
  readonly cut: () => void
  readonly close: () => void
}

/** Forwards connections to a server of this machine. */
export const cuttableWay = async (port: number): Promise<CuttableWay> => {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1")
    for (const [from, to] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      open.add(from)
      from.on("error", () => {})
      from.on("close", () => {
        open.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    authority: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: () => {
      cut()
      server.close()
    }
  }
}
