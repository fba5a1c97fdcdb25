import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { exitStatus, run } from "../../../src/layers/commands/CommandLine.ts"
import { serve } from "../../../src/layers/Server.ts"
import { packedPackage } from "../../packed/Package.ts"
import { isPacked } from "./Packed.ts"

/** What a command has written, and its exit status. */
export interface Outcome {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** A command that serves until it is ended. */
export interface Serving {
  readonly end: () => Promise<void>
}

/**
 * Runs a command of the program in a folder, which is also its home: in this process, and by the packed program where the
 * tests run against the built package.
 *
 * @param password what is typed where the command asks for a password; without it the command must not ask
 */
export const command = (folder: string, words: ReadonlyArray<string>, password?: string): Promise<Outcome> =>
  isPacked ? outside(folder, words, password) : inside(folder, words, password)

/** Runs the program as a server in a folder. */
export const serving = (folder: string, words: ReadonlyArray<string>): Serving => {
  if (isPacked) {
    const child = start(folder, words)
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

const start = (folder: string, words: ReadonlyArray<string>) =>
  spawn(process.execPath, [join(packedPackage(), "bin", "engine-server.js"), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", SERVICE_HOME: folder }
  })

const outside = async (folder: string, words: ReadonlyArray<string>, password?: string): Promise<Outcome> => {
  const child = start(folder, words)
  let out = ""
  let err = ""
  child.stdout.on("data", (data) => {
    out += data
  })
  child.stderr.on("data", (data) => {
    err += data
  })
  // A command that asks for a password without one in the test fails, as the input ends at once.
  child.stdin.end(password === undefined ? "" : `${password}\n`)
  const [status] = await once(child, "close")
  return { status, out, err }
}
