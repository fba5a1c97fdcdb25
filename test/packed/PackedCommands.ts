import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { packedPackage } from "./Package.ts"

/** What a command wrote, and its exit status. */
export interface Outcome {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** The launcher of the installed package. */
export const packedProgram = (): string => join(packedPackage(), "bin", "engine-server.js")

/** The environment of a program whose home is a folder, with more variables. */
export const environmentOf = (folder: string, more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env.PATH ?? "",
  SERVICE_HOME: folder,
  ...more
})

/** Starts a command of the packed program in a folder. */
export const startCommand = (
  folder: string,
  words: ReadonlyArray<string>,
  more: Readonly<Record<string, string>> = {}
): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [packedProgram(), ...words], { cwd: folder, env: environmentOf(folder, more) })

/** Runs a command of the packed program in a folder until it ends. Its input is `input`. */
export const runCommand = async (
  folder: string,
  words: ReadonlyArray<string>,
  input = "",
  more: Readonly<Record<string, string>> = {}
): Promise<Outcome> => {
  const child = startCommand(folder, words, more)
  let out = ""
  let err = ""
  child.stdout.on("data", (data) => {
    out += data
  })
  child.stderr.on("data", (data) => {
    err += data
  })
  // A command that reads no input may have ended before it is written.
  child.stdin.on("error", () => {})
  child.stdin.end(input)
  const [status] = await once(child, "close")
  return { status, out, err }
}
