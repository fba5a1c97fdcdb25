import { setFlagsFromString } from "node:v8"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { exitStatus, run } from "./layers/commands/CommandLine.ts"
import { StandardOutput } from "./layers/commands/StandardOutput.ts"
import { asProgram } from "./services/OwnModules.ts"

// The same code allocates short-lived objects of requests and long-lived ones of caches. V8's pretenuring would allocate
// all of them in the old generation: a hop over a graph on disk then costs twice as much.
setFlagsFromString("--no-allocation-site-pretenuring")
// Few objects outlive a request, so a scavenge ends before helper threads have woken up.
setFlagsFromString("--no-parallel-scavenge")

asProgram(() => import("./index.ts"))

const output = new StandardOutput()

const program = run({
  arguments: process.argv.slice(2),
  environment: process.env,
  cwd: process.cwd(),
  print: output.print,
  serve: (role) => import("./layers/Serving.ts").then(({ serveAs }) => serveAs(role)),
  password: () => import("./layers/commands/PasswordPrompt.ts").then(({ readPassword }) => readPassword())
})

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  teardown: (exit, onExit) => output.end(exitStatus(exit), onExit)
})
