import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"

/** A server in a separate process. It runs until `stop`. */
export interface ChildServer {
  readonly port: number
  /** Rejected, with the end of its log, when the server ends before `stop`. */
  readonly ended: Promise<never>
  readonly stop: () => Promise<void>
}

/** Time in which a server must listen, or stop. */
const START_STOP_TIMEOUT_MS = 180_000

/** Lines of the server's log that an error shows. */
const shownLines = 40

/** Reads the log of a server: the port on which it listens, and its last lines. */
const follow = (child: ChildProcess) => {
  const lines: Array<string> = []
  const problem = (what: string) => new Error(`the server under test ${what}:\n${lines.join("\n")}`)
  const ended = new Promise<never>((_, reject) => {
    child.once("close", (code, signal) => reject(problem(`ended with ${code ?? signal}`)))
    child.once("error", (error) => reject(problem(`cannot be started: ${error.message}`)))
  })
  // Without a handler, a rejection would end this process if no caller waits.
  ended.catch(() => undefined)
  const port = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(problem(`does not listen after ${START_STOP_TIMEOUT_MS / 1000} s`)),
      START_STOP_TIMEOUT_MS
    )
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
    const timer = setTimeout(() => child.kill("SIGKILL"), START_STOP_TIMEOUT_MS)
    child.once("exit", () => {
      clearTimeout(timer)
      resolve()
    })
    child.kill("SIGTERM")
  })

/**
 * Starts a server that logs the port on which it listens, as this server and Gremlin Server do. Fails with the output of the
 * server if it does not listen in time.
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
