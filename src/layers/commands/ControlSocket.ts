import { chmodSync, existsSync, renameSync, rmSync, statSync } from "node:fs"
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
import { request, withShortPath } from "./ControlClient.ts"

/** Answers a command that manages the users. An answer that begins with `error: ` reports a failure. */
export type CredentialsAnswer = (request: string) => Effect.Effect<string>

/** Runs a command on a graph. It passes the first lines of its answer to `send`; its result is the last line. */
export type ToolAnswer = (request: string, send: (line: string) => void) => Effect.Effect<string>

/** The commands on users and on graphs. */
export interface ServerCommands {
  /** Undefined: this server keeps no users. */
  readonly credentials?: CredentialsAnswer | undefined
  /** Undefined: this server cannot run commands on graphs. */
  readonly tools?: ToolAnswer
}

/** How a server answers the commands of its control socket. */
interface ControlAnswers extends ServerCommands {
  readonly status: Effect.Effect<string>
  readonly dump: (format: "text" | "json") => Effect.Effect<string>
  /** Replaces the workers; undefined in a server without workers. */
  readonly reload?: Effect.Effect<string, { readonly message: string }>
  /** Allows requests again that workers died of; undefined in a server without workers. */
  readonly unblock?: Effect.Effect<string>
  /** Gives a connection that sent a command of {@link ServerCommands} to a process that answers it. */
  readonly forward?: (socket: Socket, line: string) => void
}

/**
 * Maximum number of characters of a request line. The server closes the connection if the line is longer. An import names all of
 * its files: they come from the arguments of a program, of which Linux takes 2 MB.
 */
const MAX_LINE_CHARACTERS = 4_194_304
/** Milliseconds without data after which a connection is closed that has sent no command. */
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
interface Service<A> {
  readonly answers: A
  /** Commands that run on graphs. The server stops them before it closes the graphs. */
  readonly running: Set<Fiber.RuntimeFiber<string>>
  readonly runtime: Runtime.Runtime<never>
}

const answer = (command: string, { answers }: Service<ControlAnswers>): Effect.Effect<string> => {
  const { dump, reload = noWorkers, status } = answers
  if (command === "status") return status
  if (command === "dump text") return dump("text")
  if (command === "dump json") return dump("json")
  if (command === "unblock") return answers.unblock ?? Effect.succeed(NO_BLOCKS)
  if (command === "reload") return Effect.catchAll(reload, ({ message }) => Effect.succeed(`error: ${message}.\n`))
  return Effect.succeed(
    "error: unknown command; known are status, dump text, dump json, reload, unblock, credentials, tool\n"
  )
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

const NO_BLOCKS = "error: This server has no worker processes, so it refuses no request because of their deaths.\n"
const noUsers: CredentialsAnswer = () => Effect.succeed("error: This server keeps no users.\n")
const noWorkers = Effect.fail({
  message:
    "this server has no worker processes (the setting workers is 1); restart it to change its program or configuration"
})
const noTools: ToolAnswer = () => Effect.succeed('{"failure":"This server cannot run commands on graphs."}\n')

/** Runs a command on a graph until the command ends or the client closes the connection. A command may take long. */
const runTool = (socket: Socket, request: string, { answers, running, runtime }: Service<ServerCommands>): void => {
  const { tools = noTools } = answers
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

/** Ends a connection with the answer to its command. */
const respond = (
  socket: Socket,
  command: string,
  runtime: Runtime.Runtime<never>,
  work: () => Effect.Effect<string>
): void => {
  const onExit = (exit: Exit.Exit<string>) =>
    socket.end(Exit.getOrElse(exit, () => "error: the command failed; the log of the server says why\n"))
  Runtime.runCallback(runtime)(logged(command.split(" ", 1)[0]!, work), { onExit })
}

/** Answers a command on users or on graphs. */
const runCommand = (socket: Socket, command: string, service: Service<ServerCommands>): void => {
  const { answers, runtime } = service
  // A socket that is not read does not report that the client closed it.
  socket.resume()
  if (command.startsWith(TOOL)) runTool(socket, command.slice(TOOL.length), service)
  else respond(socket, command, runtime, () => (answers.credentials ?? noUsers)(command.slice(CREDENTIALS.length)))
}

const serve = (socket: Socket, service: Service<ControlAnswers>): void => {
  let line = ""
  socket.setEncoding("utf8").setTimeout(LINE_TIMEOUT_MS, () => socket.destroy())
  socket.on("error", () => socket.destroy())
  socket.on("data", (data: string) => {
    line += data
    if (line.length > MAX_LINE_CHARACTERS) socket.destroy()
    else if (data.includes("\n")) {
      socket.removeAllListeners("data").setTimeout(0)
      const command = line.trim()
      const isForGraphs = command.startsWith(TOOL) || command.startsWith(CREDENTIALS)
      if (isForGraphs && service.answers.forward !== undefined) {
        socket.pause()
        service.answers.forward(socket, command)
      } else if (isForGraphs) runCommand(socket, command, service)
      else {
        socket.resume()
        respond(socket, command, service.runtime, () => answer(command, service))
      }
    }
  })
}

/** The service of a process, whose end stops the commands that still run. */
const serviceOf = <A>(answers: A): Effect.Effect<Service<A>, never, Scope.Scope> =>
  // An acquisition cannot be interrupted, and neither could the commands of a runtime that is taken in it.
  Effect.flatMap(Effect.runtime<never>(), (runtime) =>
    Effect.acquireRelease(
      Effect.sync((): Service<A> => ({ answers, running: new Set(), runtime })),
      ({ running }) => Fiber.interruptAll(running)
    )
  )

/** Answers connections whose line another process has read. */
interface CommandRunner {
  readonly run: (socket: Socket, line: string) => void
  /** Waits until no command runs on a graph. */
  readonly idle: Effect.Effect<void>
}

/** Runs commands while the scope is open. */
export const commandRunner = (answers: ServerCommands): Effect.Effect<CommandRunner, never, Scope.Scope> =>
  Effect.map(serviceOf(answers), (service) => ({
    run: (socket, line) => {
      socket.setEncoding("utf8").on("error", () => socket.destroy())
      runCommand(socket, line, service)
    },
    idle: Effect.suspend(() => Effect.asVoid(Fiber.awaitAll(service.running)))
  }))

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

/**
 * Fails if a running server answers at the path, if the path names anything but a socket, or if its folder does not exist, for which
 * listen() would report EACCES. The caller replaces a socket that a killed process left.
 */
const refuseTaken = (path: string): Effect.Effect<void, Error> =>
  Effect.suspend(() => {
    const before = statSync(path, { throwIfNoEntry: false })
    if (before === undefined) {
      const folder = dirname(path)
      return existsSync(folder) ? Effect.void : Effect.fail(new Error(`there is no folder ${folder}; create it`))
    }
    if (!before.isSocket()) return Effect.fail(new Error("it exists and is no socket; remove it, or name another path"))
    return Effect.flatMap(Effect.either(request(path, "status")), (answer) =>
      Either.isLeft(answer) && answer.left._tag === "ControlUnreachable"
        ? Effect.void
        : Effect.fail(new Error("a running server uses it"))
    )
  })

/**
 * Answers commands on a Unix socket (mode 0600) while the scope is open. The server calls this last in its start, so a client
 * that finds the socket finds a server that accepts requests.
 */
export const listen = (
  path: string,
  answers: ControlAnswers
): Effect.Effect<void, ControlSocketUnusable, Scope.Scope> =>
  Effect.gen(function* () {
    const service = yield* serviceOf(answers)
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => createServer((socket) => serve(socket, service))),
      (server) =>
        Effect.sync(() => {
          if (!server.listening) return
          server.close()
          rmSync(path, { force: true })
        })
    )
    yield* Effect.suspend(() => refuseTaken(path)).pipe(
      Effect.zipRight(bind(server, path)),
      Effect.mapError((cause) => new ControlSocketUnusable({ path, reason: cause.message }))
    )
    server.unref()
  })
