import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"
import { basename, dirname, join } from "node:path"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { DiagnosticsShape } from "../../services/Diagnostics.ts"

/**
 * What can be asked over the socket: one line with one of these; the answer ends with the connection. Behind
 * `credentials` stands what is to be done with the users, as JSON.
 */
export type ControlCommand = "status" | "dump text" | "dump json" | `credentials ${string}`

/** Answers what is asked about the users; what begins with `error: ` has failed. */
export type CredentialsAnswer = (request: string) => Effect.Effect<string>

/** Does what a command on a graph asks for: `send` takes lines before the last one, which is the answer. */
export type ToolAnswer = (request: string, send: (line: string) => void) => Effect.Effect<string>

/** Longest line that is read. */
const LONGEST = 16_384
const CREDENTIALS = "credentials "
const TOOL = "tool "

/** The socket cannot be made: the server does not start. */
class ControlSocketUnusable extends Data.TaggedError("ControlSocketUnusable")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `The control socket ${this.path} cannot be made: ${this.reason}`
  }
}

/** Nobody answers at the socket. */
class ControlUnreachable extends Data.TaggedError("ControlUnreachable")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `No server answers at ${this.path}: ${this.reason}`
  }
}

/** Bytes of a socket's path in sockaddr_un, without its closing zero; less elsewhere than on Linux. */
const maxPath = process.platform === "linux" ? 107 : 103

/**
 * Calls `use` with a path that the system takes. Linux reaches a socket below a long path through the descriptor of its
 * folder.
 */
const withShortPath = <A>(path: string, use: (path: string) => A): A => {
  if (Buffer.byteLength(path) <= maxPath || process.platform !== "linux") return use(path)
  const folder = openSync(dirname(path), "r")
  try {
    return use(`/proc/self/fd/${folder}/${basename(path)}`)
  } finally {
    closeSync(folder)
  }
}

const answer = (
  command: string,
  diagnostics: DiagnosticsShape,
  credentials: CredentialsAnswer
): Effect.Effect<string> => {
  if (command === "status") return Effect.sync(() => diagnostics.status())
  if (command === "dump text") return Effect.sync(() => diagnostics.dump("text"))
  if (command === "dump json") return Effect.sync(() => diagnostics.dump("json"))
  if (command.startsWith(CREDENTIALS)) return credentials(command.slice(CREDENTIALS.length))
  return Effect.succeed("error: unknown command; known are status, dump text, dump json, credentials, tool\n")
}

/** An answer that could not be made: the log has the cause. An interruption is the end of the server. */
const logged = (command: string, work: () => Effect.Effect<string>): Effect.Effect<string> =>
  Effect.suspend(work).pipe(
    Effect.tapErrorCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.void
        : Effect.logError(`The command '${command}' of the control socket failed`, cause)
    )
  )

const noUsers: CredentialsAnswer = () => Effect.succeed("error: This server keeps no users.\n")
const noTools: ToolAnswer = () => Effect.succeed('{"failure":"This server has no commands on graphs."}\n')

/** Commands that are under way: they end before the graphs are closed. */
type Running = Set<Fiber.RuntimeFiber<string>>

/** A command may take long: it goes on until it is done or the client goes away. */
const runTool = (
  socket: Socket,
  request: string,
  tools: ToolAnswer,
  running: Running,
  runtime: Runtime.Runtime<never>
): void => {
  socket.setTimeout(0)
  const fiber = Runtime.runFork(runtime)(logged("tool", () => tools(request, (line) => socket.write(line))))
  running.add(fiber)
  fiber.addObserver((exit) => {
    running.delete(fiber)
    socket.end(Exit.getOrElse(exit, (cause) => `${JSON.stringify({ failure: toolFailure(cause) })}\n`))
  })
  socket.on("close", () => Runtime.runFork(runtime)(Fiber.interrupt(fiber)))
}

const toolFailure = (cause: Cause.Cause<never>): string =>
  Cause.isInterruptedOnly(cause)
    ? "The command was stopped, because the server stops."
    : "The command failed; the log of the server says why."

const serve = (
  socket: Socket,
  diagnostics: DiagnosticsShape,
  credentials: CredentialsAnswer,
  tools: ToolAnswer,
  running: Running,
  runtime: Runtime.Runtime<never>
) => {
  let line = ""
  socket.setEncoding("utf8").setTimeout(5_000, () => socket.destroy())
  // A client that goes away early is no concern of the server.
  socket.on("error", () => socket.destroy())
  socket.on("data", (data: string) => {
    line += data
    if (line.length > LONGEST) socket.destroy()
    else if (line.includes("\n")) {
      socket.removeAllListeners("data")
      // Whoever does not read on is not told that the client went away.
      socket.resume()
      if (line.startsWith(TOOL)) {
        runTool(socket, line.trim().slice(TOOL.length), tools, running, runtime)
        return
      }
      const command = line.trim()
      const onExit = (exit: Exit.Exit<string>) =>
        socket.end(Exit.getOrElse(exit, () => "error: the command failed; the log of the server says why\n"))
      Runtime.runCallback(runtime)(
        logged(command.split(" ", 1)[0]!, () => answer(command, diagnostics, credentials)),
        { onExit }
      )
    }
  })
}

/**
 * Binds with a mode that lets nobody else connect, not even for the moment before chmod, and puts the socket in its place
 * when it accepts connections: between bind() and listen() a client would be refused.
 */
const bind = (server: Server, path: string): Effect.Effect<void, NodeJS.ErrnoException> =>
  Effect.async((resume) => {
    const made = join(dirname(path), `.${process.pid}.sock`)
    const onError = (cause: NodeJS.ErrnoException) => resume(Effect.fail(cause))
    server.once("error", onError)
    const before = process.umask(0o177)
    try {
      // Left behind by a process that was killed and had the same number.
      rmSync(made, { force: true })
      withShortPath(made, (short) =>
        server.listen(short, () => {
          server.off("error", onError)
          resume(
            Effect.try({
              try: () => {
                chmodSync(made, 0o600)
                renameSync(made, path)
              },
              catch: (cause) => cause as NodeJS.ErrnoException
            })
          )
        })
      )
    } catch (cause) {
      resume(Effect.fail(cause as NodeJS.ErrnoException))
    } finally {
      process.umask(before)
    }
  })

/** Fails where a running server has the socket; one that was left behind by a process that was killed is replaced. */
const refuseTaken = (path: string): Effect.Effect<void, Error> =>
  existsSync(path)
    ? Effect.flatMap(Effect.either(request(path, "status")), (answer) =>
        Either.isRight(answer) ? Effect.fail(new Error("a running server has it")) : Effect.void
      )
    : Effect.void

/**
 * Answers at a Unix socket (mode 0600) while the scope is open. The socket appears last in a start: where it is, the
 * server serves.
 */
export const listen = (
  path: string,
  diagnostics: DiagnosticsShape,
  credentials: CredentialsAnswer = noUsers,
  tools: ToolAnswer = noTools
): Effect.Effect<void, ControlSocketUnusable, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const running: Running = new Set()
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => createServer((socket) => serve(socket, diagnostics, credentials, tools, running, runtime))),
      (server) =>
        Effect.suspend(() => {
          if (!server.listening) return Effect.void
          server.close()
          rmSync(path, { force: true })
          return Fiber.interruptAll(running)
        })
    )
    yield* Effect.suspend(() => refuseTaken(path)).pipe(
      Effect.zipRight(bind(server, path)),
      Effect.mapError((cause) => new ControlSocketUnusable({ path, reason: cause.message }))
    )
    server.unref()
  })

/** Asks a running server. Fails when there is none, or when it does not answer within 10 seconds. */
export const request = (path: string, command: ControlCommand): Effect.Effect<string, ControlUnreachable> =>
  Effect.async((resume) => {
    const chunks: Array<string> = []
    const fail = (cause: unknown) =>
      resume(
        Effect.fail(new ControlUnreachable({ path, reason: cause instanceof Error ? cause.message : String(cause) }))
      )
    try {
      withShortPath(path, (short) => {
        const socket = connect(short, () => socket.write(`${command}\n`))
        socket.setEncoding("utf8").setTimeout(10_000, () => socket.destroy(new Error("it did not answer in time")))
        socket.on("data", (chunk: string) => chunks.push(chunk))
        socket.on("end", () => resume(Effect.succeed(chunks.join(""))))
        socket.on("error", fail)
      })
    } catch (cause) {
      fail(cause)
    }
  })

/** Sends a command that may take long, and takes the lines of the answer as they come. Interruption hangs up. */
export const converse = (
  path: string,
  command: string,
  take: (line: string) => void
): Effect.Effect<void, ControlUnreachable> =>
  Effect.async((resume) => {
    const fail = (cause: unknown) =>
      resume(
        Effect.fail(new ControlUnreachable({ path, reason: cause instanceof Error ? cause.message : String(cause) }))
      )
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
