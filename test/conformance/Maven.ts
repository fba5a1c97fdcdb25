import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"

/** Runs a command until it ends. Fails with its output, or with the name of a missing program. */
export const run = (command: string, args: ReadonlyArray<string>, cwd: string): void => {
  try {
    execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: string; stdout?: Buffer; stderr?: Buffer }
    if (code === "ENOENT") throw new Error(`the command ${command} is needed (Maven and a JDK of 11 or later)`)
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout ?? ""}${stderr ?? ""}`)
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
