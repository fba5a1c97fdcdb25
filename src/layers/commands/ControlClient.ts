import { closeSync, openSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { basename, dirname } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { errorOf } from "../../scheduling/Pending.ts"

/**
 * A command of the control socket: one line. The answer ends when the server closes the connection. `credentials` is followed
 * by a request for the users, as JSON.
 */
export type ControlCommand = "status" | "unblock" | "dump text" | "dump json" | `credentials ${string}`

/** Milliseconds that {@link request} waits for data. */
const ANSWER_TIMEOUT_MS = 10_000

/** No server answers at the socket. */
export class ControlUnreachable extends Data.TaggedError("ControlUnreachable")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `No server answers at ${this.path}: ${this.reason}`
  }
}

/** The server has taken a command and has not answered it. */
class AnswerMissing extends Data.TaggedError("AnswerMissing")<{
  readonly path: string
  readonly command: string
  readonly reason: string
}> {
  override get message(): string {
    return (
      `The outcome of the command ${this.command} is unknown: the server at ${this.path} took it, but ${this.reason}. ` +
      "The log of the server may say why."
    )
  }
}

/** What to do about an error of the operating system, by its code. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: "Only the user of the server may use its socket: run the command as that user, or as root.",
  ECONNREFUSED: "No server listens there: start the server, or name the socket of the one that runs."
}

const unreachable = (path: string, cause: unknown): ControlUnreachable => {
  const { code = "", message }: NodeJS.ErrnoException = errorOf(cause)
  const absent = `there is no such socket. Start the server with --control-socket ${path}, or with bin/service-server.sh`
  const remedy = remedies[code]
  const reason = remedy === undefined ? message : `${message}. ${remedy}`
  return new ControlUnreachable({ path, reason: code === "ENOENT" ? absent : reason })
}

/** Size of `sun_path` in sockaddr_un without the closing zero: 108 - 1 on Linux, 104 - 1 on BSD and macOS. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103

/**
 * Calls `use` with a path that fits into a socket address. A longer path is replaced on Linux by one through the descriptor of
 * its folder, which is open during the call.
 */
export const withShortPath = <A>(path: string, use: (path: string) => A): A => {
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES || process.platform !== "linux") return use(path)
  const folder = openSync(dirname(path), "r")
  try {
    return use(`/proc/self/fd/${folder}/${basename(path)}`)
  } finally {
    closeSync(folder)
  }
}

/**
 * Sends a command to a running server. Fails with ControlUnreachable if no server takes it, and with AnswerMissing if the
 * connection ends without an answer or there is none within {@link ANSWER_TIMEOUT_MS}.
 */
export const request = (
  path: string,
  command: ControlCommand
): Effect.Effect<string, ControlUnreachable | AnswerMissing> =>
  Effect.async((resume) => {
    const chunks: Array<string> = []
    let isSent = false
    const missing = (reason: string) => resume(new AnswerMissing({ path, command: command.split(" ", 1)[0]!, reason }))
    const fail = (cause: unknown) => {
      if (isSent) missing(errorOf(cause).message)
      else resume(unreachable(path, cause))
    }
    try {
      withShortPath(path, (short) => {
        const socket = connect(short, () => {
          isSent = true
          socket.write(`${command}\n`)
        })
        socket
          .setEncoding("utf8")
          .setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error("it did not answer in time")))
        socket.on("data", (chunk: string) => chunks.push(chunk))
        socket.on("end", () =>
          chunks.length === 0
            ? missing("it closed the connection without an answer")
            : resume(Effect.succeed(chunks.join("")))
        )
        socket.on("error", fail)
      })
    } catch (cause) {
      fail(cause)
    }
  })

/**
 * Sends a command that may take long, and calls `take` with each line of the answer as it arrives. There is no timeout;
 * interruption closes the connection, which stops the command.
 */
export const converse = (
  path: string,
  command: string,
  take: (line: string) => void
): Effect.Effect<void, ControlUnreachable> =>
  Effect.async((resume) => {
    const fail = (cause: unknown) => resume(Effect.fail(unreachable(path, cause)))
    let socket: Socket | undefined
    let rest = ""
    try {
      withShortPath(path, (short) => {
        const opened = connect(short, () => opened.write(`${command}\n`))
        socket = opened
        opened.setEncoding("utf8")
        opened.on("data", (chunk: string) => {
          const lines = (rest + chunk).split("\n")
          rest = lines.pop()!
          for (const line of lines) take(line)
        })
        opened.on("end", () => resume(Effect.void))
        opened.on("error", fail)
      })
    } catch (cause) {
      fail(cause)
    }
    return Effect.sync(() => socket?.destroy())
  })
