import { setFlagsFromString } from "node:v8"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { exitStatus, run } from "./layers/commands/CommandLine.ts"
import { asProgram } from "./services/OwnModules.ts"

// What a request makes is gone with it, and the same code makes what caches keep. V8 takes the second for a sign to put
// all of it where only the large garbage collection looks: a hop over a graph on disk then costs twice as much.
setFlagsFromString("--no-allocation-site-pretenuring")
// Little outlives a request, so that the small collection is done before other threads have woken up to help with it.
setFlagsFromString("--no-parallel-scavenge")

// A reader that closes its end early, such as `head`, has seen enough: the command does its work, and its status counts. Any
// other error means that somebody waits for output that is lost.
let outputFailed = false
const written = (error?: NodeJS.ErrnoException | null): void => {
  if (error == null || error.code === "EPIPE" || outputFailed) return
  outputFailed = true
  process.stderr.write(`Standard output cannot be written: ${error.message}\n`)
}
for (const output of [process.stdout, process.stderr]) output.on("error", () => {})

asProgram(() => import("./index.ts"))

const program = run({
  arguments: process.argv.slice(2),
  environment: process.env,
  cwd: process.cwd(),
  print: (text) => void process.stdout.write(text, written),
  serve: () => import("./layers/Server.ts").then(({ serve }) => serve),
  password: () => import("./layers/commands/PasswordPrompt.ts").then(({ readPassword }) => readPassword())
})

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  // Behind everything that was written.
  teardown: (exit, onExit) =>
    void process.stdout.write("", () => onExit(outputFailed ? exitStatus(exit) || 1 : exitStatus(exit)))
})
