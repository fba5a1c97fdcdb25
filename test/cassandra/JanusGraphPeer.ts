import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { createInterface } from "node:readline"
import { inject } from "vitest"

const home = join(import.meta.dirname, "janusgraph")
const cache = join(import.meta.dirname, "..", "..", ".cache", "cassandra")

/** Downloads the jars of JanusGraph with Maven, once, about 52 MB. `JANUSGRAPH_JARS` names a folder that has them. */
const obtainJanusGraph = (): string => {
  const given = process.env.JANUSGRAPH_JARS
  const folder = join(cache, "janusgraph-es-1.1.0")
  if (given !== undefined) return given
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  try {
    const goal = ["-B", "-q", "-f", join(home, "pom.xml"), "dependency:copy-dependencies"]
    execFileSync("mvn", [...goal, `-DoutputDirectory=${unfinished}`], { cwd: cache, stdio: ["ignore", "pipe", "pipe"] })
  } catch (cause) {
    const { stdout } = cause as { readonly stdout?: Buffer }
    throw new Error(`Maven could not download JanusGraph (mvn and the network are needed): ${stdout ?? cause}`)
  }
  renameSync(unfinished, folder)
  return folder
}

/** Compiles a program of `janusgraph/` and the classes that it uses. Returns a new folder with them. */
const compiled = (program: string, jars: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-janusgraph-"))
  execFileSync("javac", ["-d", folder, "-cp", jars, "-sourcepath", home, join(home, `${program}.java`)])
  return folder
}

/** A JanusGraph in a separate process. */
export interface JanusGraphPeer {
  /** Sends a request of the program and returns the answer. One request at a time. */
  ask(request: string): Promise<string>
  /** Kills the process. */
  crash(): Promise<void>
  /** Closes the graph and ends the process. */
  close(): Promise<void>
}

/**
 * Opens a keyspace with JanusGraph 1.1 and its `options`. `program`: the class of `janusgraph/` that answers
 * the requests. Resolves when the graph is open.
 */
export const openJanusGraph = async (
  keyspace: string,
  instance: string,
  options: Readonly<Record<string, string | number>> = {},
  program = "Peer"
): Promise<JanusGraphPeer> => {
  const all = {
    "storage.port": inject("cassandraPort"),
    "storage.cql.keyspace": keyspace,
    "graph.unique-instance-id": instance,
    ...options
  }
  const jars = join(obtainJanusGraph(), "*")
  const classes = compiled(program, jars)
  const child = spawn(
    "java",
    [
      "-Xmx384m",
      "-XX:+UseSerialGC",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-cp",
      `${classes}${delimiter}${jars}`,
      program,
      ...Object.entries(all).map(([name, value]) => `${name}=${value}`)
    ],
    { stdio: ["pipe", "pipe", "pipe"] }
  )
  const ended = new Promise<void>((resolve) =>
    child.once("exit", () => {
      rmSync(classes, { recursive: true, force: true })
      resolve()
    })
  )
  let problems = ""
  child.stderr.on("data", (text) => {
    problems += text
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done) throw new Error(`JanusGraph has ended: ${problems.slice(0, 2000)}`)
    return value
  }
  const kill = (): void => void child.kill("SIGKILL")
  process.once("exit", kill)
  const end = async (): Promise<void> => {
    kill()
    await ended
    process.off("exit", kill)
  }
  const ask = (request: string): Promise<string> => {
    child.stdin.write(`${request}\n`)
    return answer()
  }
  const opened = await answer()
  if (opened !== "open") throw new Error(`JanusGraph said ${opened}`)
  return {
    ask,
    crash: end,
    close: async () => {
      await ask("close")
      await end()
    }
  }
}
