import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"

/** A program is not installed, or the registry of its packages cannot be reached. */
export class NotObtainable extends Error {}

/** What Maven says when it cannot reach a registry. */
const UNREACHABLE =
  /Unknown host|UnknownHostException|Connection (refused|reset|timed out)|Network is unreachable|No route to host/

/** Runs a command until it ends. Fails with its output; with NotObtainable if a program is missing or a registry cannot be reached. */
export const run = (command: string, args: ReadonlyArray<string>, cwd: string): void => {
  try {
    execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: string; stdout?: Buffer; stderr?: Buffer }
    if (code === "ENOENT") throw new NotObtainable(`the command ${command} is needed (Maven and a JDK of 11 or later)`)
    const output = `${stdout ?? ""}${stderr ?? ""}`
    const failure = `${command} ${args.join(" ")} failed:\n${output}`
    throw UNREACHABLE.test(output) ? new NotObtainable(failure) : new Error(failure)
  }
}

/** Fills a directory once. The directory gets its name only after `fill` has succeeded. */
export const once = (directory: string, fill: (unfinished: string) => void): string => {
  if (!existsSync(directory)) {
    const unfinished = `${directory}.unfinished`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    fill(unfinished)
    renameSync(unfinished, directory)
  }
  return directory
}

/** Downloads the jars of a pom with Maven, once. Returns their directory. */
export const obtainJars = (pom: string, directory: string): string => {
  mkdirSync(dirname(directory), { recursive: true })
  return once(directory, (unfinished) =>
    run(
      "mvn",
      ["-B", "-q", "-f", pom, "dependency:copy-dependencies", `-DoutputDirectory=${unfinished}`],
      dirname(directory)
    )
  )
}
