import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { exitStatus, run } from "./layers/commands/CommandLine.ts"

const program = run({
  arguments: process.argv.slice(2),
  environment: process.env,
  cwd: process.cwd(),
  print: (text) => void process.stdout.write(text),
  serve: () => import("./layers/Server.ts").then(({ serve }) => serve),
  password: () => import("./layers/commands/PasswordPrompt.ts").then(({ readPassword }) => readPassword())
})

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  teardown: (exit, onExit) => onExit(exitStatus(exit))
})
