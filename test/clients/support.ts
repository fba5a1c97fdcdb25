import { spawn, spawnSync } from "node:child_process"
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
