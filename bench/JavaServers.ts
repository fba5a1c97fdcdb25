import { spawn, spawnSync } from "node:child_process"
import { connect } from "node:net"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { measured, type ServerProcess } from "./ServerProcess.ts"

/** Copies the jars that the `pom.xml` in a folder of bench/ names into another folder. Returns false if Maven fails. */
export const copyJars = (source: string, target: string): boolean => {
  const goal = ["dependency:copy-dependencies", `-DoutputDirectory=${target}`]
  const pom = join(process.cwd(), "bench", source, "pom.xml")
  return spawnSync("mvn", ["-B", "-q", "-f", pom, ...goal], { stdio: "inherit" }).status === 0
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.on("error", () => resolve(false))
  })

/** What starts a server in Java. */
export interface JavaServer {
  /** Its name in errors. */
  readonly name: string
  /** The folder with its configuration, and its jars in `lib`. */
  readonly folder: string
  readonly port: number
  /** Options of the JVM. */
  readonly options: ReadonlyArray<string>
  /** The class that is started with `server.yaml`. */
  readonly main: string
}

/** Starts a server in Java, and waits until its port accepts connections. Fails if the port is taken or the process ends. */
export const startJava = async ({ folder, main, name, options, port }: JavaServer): Promise<ServerProcess> => {
  if (await accepts(port)) throw new Error(`port ${port} is taken`)
  const begin = performance.now()
  const child = spawn("java", [...options, "-cp", "lib/*", main, "server.yaml"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"]
  })
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    await sleep(50)
  }
  return measured(child, port, performance.now() - begin)
}
