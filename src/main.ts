import { setFlagsFromString } from "node:v8"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { exitStatus, run } from "./layers/commands/CommandLine.ts"
import { StandardOutput } from "./layers/commands/StandardOutput.ts"
import { asProgram } from "./services/OwnModules.ts"

// What a request makes is gone with it, and the same code makes what caches keep. V8 takes the second for a sign to put
// all of it where only the large garbage collection looks: a hop over a graph on disk then costs twice as much.
setFlagsFromString("--no-allocation-site-pretenuring")
// Little outlives a request, so that the small collection is done before other threads have woken up to help with it.
setFlagsFromString("--no-parallel-scavenge")

asProgram(() => import("./index.ts"))

const output = new StandardOutput()

const program = run({
  arguments: process.argv.slice(2),
  environment: process.env,
  cwd: process.cwd(),
  print: output.print,
  serve: () => import("./layers/Server.ts").then(({ serve }) => serve),
  password: () => import("./layers/commands/PasswordPrompt.ts").then(({ readPassword }) => readPassword())
})

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  teardown: (exit, onExit) => output.end(exitStatus(exit), onExit)
})
