import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"

/** A server in a process of its own, until `stop`. */
export interface ChildServer {
  readonly port: number
  /** Rejected, with the end of its log, when the server ends before `stop`. */
  readonly ended: Promise<never>
  readonly stop: () => Promise<void>
}

/** How long a server may take to listen, or to stop, in milliseconds. */
const patience = 180_000

/** Lines of the server's log that an error shows. */
const shownLines = 40

/** Follows the log of a server: the port it listens at, and its end. */
const follow = (child: ChildProcess) => {
  const lines: Array<string> = []
  const problem = (what: string) => new Error(`the server under test ${what}:\n${lines.join("\n")}`)
  const ended = new Promise<never>((_, reject) => {
    child.once("close", (code, signal) => reject(problem(`ended with ${code ?? signal}`)))
    child.once("error", (error) => reject(problem(`cannot be started: ${error.message}`)))
  })
  // no caller waits for it while the server stops
  ended.catch(() => undefined)
  const port = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(problem(`does not listen after ${patience / 1000} s`)), patience)
    const read = (line: string) => {
      lines.push(line)
      if (lines.length > shownLines) lines.shift()
      const found = /Channel started at port (\d+)/i.exec(line)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(Number(found))
    }
    createInterface({ input: child.stdout! }).on("line", read)
    createInterface({ input: child.stderr! }).on("line", read)
    child.once("close", () => clearTimeout(timer))
  })
  return { ended, port }
}

const stop = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const timer = setTimeout(() => child.kill("SIGKILL"), patience)
    child.once("exit", () => {
      clearTimeout(timer)
      resolve()
    })
    child.kill("SIGTERM")
  })

/**
 * Starts a server that says in its log at which port it listens, as this one and Gremlin Server do. Fails with what the
 * server printed when it does not come up.
 */
export const startChild = async (command: string, args: ReadonlyArray<string>, cwd: string): Promise<ChildServer> => {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
  try {
    const { ended, port } = follow(child)
    return { port: await Promise.race([port, ended]), ended, stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  }
}
