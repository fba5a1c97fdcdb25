import { once } from "node:events"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { exitStatus, run } from "../../../src/layers/commands/CommandLine.ts"
import { serve } from "../../../src/layers/Server.ts"
import { type Outcome, runCommand, startCommand } from "../../packed/PackedCommands.ts"
import { isPacked } from "./Packed.ts"

/** A command that serves until end() is called. */
export interface Serving {
  readonly end: () => Promise<void>
}

/**
 * Runs a command of the program in a folder, which is also its home: in this process, or with the packed program when the
 * tests run against the built package.
 *
 * @param password the answer to the command's question for a password; without it the command must not ask
 */
export const command = (folder: string, words: ReadonlyArray<string>, password?: string): Promise<Outcome> =>
  isPacked ? runCommand(folder, words, typed(password)) : inside(folder, words, password)

/** The input of a command. Without a password it is empty, so that a command which asks for one fails. */
const typed = (password: string | undefined): string => (password === undefined ? "" : `${password}\n`)

/** Runs the program as a server in a folder. */
export const serving = (folder: string, words: ReadonlyArray<string>): Serving => {
  if (isPacked) {
    const child = startCommand(folder, words)
    const exit = once(
      child.on("error", () => {}),
      "exit"
    )
    return {
      end: async () => {
        child.kill("SIGTERM")
        await exit
      }
    }
  }
  const fiber = Effect.runFork(run(surroundings(folder, words)))
  return { end: () => Effect.runPromise(Effect.asVoid(Fiber.interrupt(fiber))) }
}

const surroundings = (folder: string, words: ReadonlyArray<string>, password?: string) => ({
  arguments: words,
  environment: { SERVICE_HOME: folder },
  cwd: folder,
  print: (_: string) => {},
  serve: () => Promise.resolve(serve),
  password: () =>
    password === undefined ? Promise.reject(new Error("no password must be asked for")) : Promise.resolve(password)
})

const inside = async (folder: string, words: ReadonlyArray<string>, password?: string): Promise<Outcome> => {
  let out = ""
  let err = ""
  const { write } = process.stderr
  process.stderr.write = ((text: string) => {
    err += text
    return true
  }) as typeof write
  try {
    const print = (text: string): void => {
      out += text
    }
    const exit = await Effect.runPromiseExit(run({ ...surroundings(folder, words, password), print }))
    return { status: exitStatus(exit), out, err }
  } finally {
    process.stderr.write = write
  }
}
