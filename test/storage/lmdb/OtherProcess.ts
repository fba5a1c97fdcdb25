import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"
import { bundled } from "../../layers/support/ServerProcess.ts"

/** Another process of a server, which runs SharedProcess.ts. */
export interface OtherProcess {
  readonly child: ChildProcess
  /** The numbers of the commits of the command `work` that were answered so far. */
  readonly answered: ReadonlyArray<number>
  /** Sends a command and returns its result. Fails with the error of the command, and when the process ends. */
  readonly run: (command: string) => Promise<unknown>
  /** Sends a command, and returns when it has begun. `done` is its end. */
  readonly begin: (command: string) => Promise<{ readonly done: Promise<unknown> }>
  /** Kills the process, and returns when it has ended. */
  readonly kill: () => Promise<void>
}

/** Bundles the program of other processes. */
export const sharedProgram = (): Promise<string> => bundled({ SharedProcess: "test/storage/lmdb/SharedProcess.ts" })

/**
 * Starts another process on the folder of a graph, as {@link openShared} opens it. It is killed at the end of the test. `program`: the result
 * of {@link sharedProgram}, where a test starts many processes.
 */
export const otherProcess = async (directory: string, name: string, program?: string): Promise<OtherProcess> => {
  const bundle = program ?? (await sharedProgram())
  const child = spawn(process.execPath, [join(bundle, "SharedProcess.mjs"), directory, name], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  // A test may kill the process while a command is written: its answer then fails.
  child.stdin.on("error", () => {})
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const waiting: Array<{ readonly word: RegExp; readonly take: (line: string) => void }> = []
  const answered: Array<number> = []
  createInterface(child.stdout).on("line", (line) => {
    if (line.startsWith("answered ")) answered.push(Number(line.slice("answered ".length)))
    const at = waiting.findIndex(({ word }) => word.test(line))
    if (at >= 0) waiting.splice(at, 1)[0]!.take(line)
  })
  const line = (word: RegExp): Promise<string> =>
    Promise.race([
      new Promise<string>((take) => waiting.push({ word, take })),
      ended.then(() => Promise.reject(new Error(`the process ${name} has ended`)))
    ])
  const result = async (): Promise<unknown> => {
    const text = await line(/^(done|failed) /)
    if (text.startsWith("failed ")) throw new Error(text.slice("failed ".length))
    return JSON.parse(text.slice("done ".length))
  }
  const send = (command: string): Promise<unknown> => {
    const answer = result()
    answer.catch(() => undefined)
    child.stdin.write(`${command}\n`)
    return answer
  }
  await line(/^open$/)
  return {
    child,
    answered,
    run: send,
    begin: async (command) => {
      const begun = line(/^begun$/)
      const done = send(command)
      // A command that fails before it has begun says only that.
      await Promise.race([begun, done.then(() => begun)])
      return { done }
    },
    kill: async () => {
      child.kill("SIGKILL")
      await ended
    }
  }
}
