import { chmodSync, existsSync, renameSync, rmSync } from "node:fs"
import { createServer, type Server, type Socket } from "node:net"
import { dirname, join } from "node:path"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { DiagnosticsShape } from "../../services/Diagnostics.ts"
import { request, withShortPath } from "./ControlClient.ts"

/** Answers a command that manages the users. An answer that begins with `error: ` reports a failure. */
export type CredentialsAnswer = (request: string) => Effect.Effect<string>

/** Runs a command on a graph. It passes the first lines of its answer to `send`; its result is the last line. */
export type ToolAnswer = (request: string, send: (line: string) => void) => Effect.Effect<string>

/** Maximum number of characters of a request line. The server closes the connection if the line is longer. */
const MAX_LINE_CHARACTERS = 16_384
/** Milliseconds without data after which a connection is closed, unless it runs a command on a graph. */
const LINE_TIMEOUT_MS = 5_000
const CREDENTIALS = "credentials "
const TOOL = "tool "

/** The socket cannot be created. The server then does not start. */
class ControlSocketUnusable extends Data.TaggedError("ControlSocketUnusable")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `The control socket ${this.path} cannot be created: ${this.reason}`
  }
}

/** The functions that answer connections, and their state. */
interface Service {
  readonly diagnostics: DiagnosticsShape
  readonly credentials: CredentialsAnswer
  readonly tools: ToolAnswer
  /** Commands that run on graphs. The server stops them before it closes the graphs. */
  readonly running: Set<Fiber.RuntimeFiber<string>>
  readonly runtime: Runtime.Runtime<never>
}

const answer = (command: string, { credentials, diagnostics }: Service): Effect.Effect<string> => {
  if (command === "status") return Effect.sync(() => diagnostics.status())
  if (command === "dump text") return Effect.sync(() => diagnostics.dump("text"))
  if (command === "dump json") return Effect.sync(() => diagnostics.dump("json"))
  if (command.startsWith(CREDENTIALS)) return credentials(command.slice(CREDENTIALS.length))
  return Effect.succeed("error: unknown command; known are status, dump text, dump json, credentials, tool\n")
}

/** Logs the cause of a failed command. An interruption is no failure: the server or the client ended the command. */
const logged = (command: string, work: () => Effect.Effect<string>): Effect.Effect<string> =>
  Effect.suspend(work).pipe(
    Effect.tapErrorCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.void
        : Effect.logError(`The command '${command}' of the control socket failed`, cause)
    )
  )

const noUsers: CredentialsAnswer = () => Effect.succeed("error: This server keeps no users.\n")
const noTools: ToolAnswer = () => Effect.succeed('{"failure":"This server cannot run commands on graphs."}\n')

/** Runs a command on a graph until the command ends or the client closes the connection. A command may take long. */
const runTool = (socket: Socket, request: string, { running, runtime, tools }: Service): void => {
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
    ? "The command was stopped because the server stops."
    : "The command failed; the log of the server says why."

const serve = (socket: Socket, service: Service): void => {
  let line = ""
  socket.setEncoding("utf8").setTimeout(LINE_TIMEOUT_MS, () => socket.destroy())
  socket.on("error", () => socket.destroy())
  socket.on("data", (data: string) => {
    line += data
    if (line.length > MAX_LINE_CHARACTERS) socket.destroy()
    else if (line.includes("\n")) {
      socket.removeAllListeners("data")
      // A socket that is not read does not report that the client closed it.
      socket.resume()
      if (line.startsWith(TOOL)) {
        runTool(socket, line.trim().slice(TOOL.length), service)
        return
      }
      const command = line.trim()
      const onExit = (exit: Exit.Exit<string>) =>
        socket.end(Exit.getOrElse(exit, () => "error: the command failed; the log of the server says why\n"))
      Runtime.runCallback(service.runtime)(
        logged(command.split(" ", 1)[0]!, () => answer(command, service)),
        { onExit }
      )
    }
  })
}

/**
 * Binds the socket with mode 0600. The umask denies other users access between bind() and chmod(). Between bind() and listen()
 * the system refuses clients: the socket therefore has a temporary name until it accepts connections, and is then renamed.
 */
const bind = (server: Server, path: string): Effect.Effect<void, NodeJS.ErrnoException> =>
  Effect.async((resume) => {
    const made = join(dirname(path), `.${process.pid}.sock`)
    const onError = (cause: NodeJS.ErrnoException) => resume(Effect.fail(cause))
    server.once("error", onError)
    const before = process.umask(0o177)
    try {
      // A process that was killed and had the same PID may have left its socket.
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

/** Fails if a running server answers at the path. The caller replaces a socket that a killed process left. */
const refuseTaken = (path: string): Effect.Effect<void, Error> =>
  existsSync(path)
    ? Effect.flatMap(Effect.either(request(path, "status")), (answer) =>
        Either.isRight(answer) ? Effect.fail(new Error("a running server uses it")) : Effect.void
      )
    : Effect.void

/**
 * Answers commands on a Unix socket (mode 0600) while the scope is open. The server calls this last in its start, so a client
 * that finds the socket finds a server that accepts requests.
 */
export const listen = (
  path: string,
  diagnostics: DiagnosticsShape,
  credentials: CredentialsAnswer = noUsers,
  tools: ToolAnswer = noTools
): Effect.Effect<void, ControlSocketUnusable, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const service: Service = { diagnostics, credentials, tools, running: new Set(), runtime }
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => createServer((socket) => serve(socket, service))),
      (server) =>
        Effect.suspend(() => {
          if (!server.listening) return Effect.void
          server.close()
          rmSync(path, { force: true })
          return Fiber.interruptAll(service.running)
        })
    )
    yield* Effect.suspend(() => refuseTaken(path)).pipe(
      Effect.zipRight(bind(server, path)),
      Effect.mapError((cause) => new ControlSocketUnusable({ path, reason: cause.message }))
    )
    server.unref()
  })
