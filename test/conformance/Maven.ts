import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"

/** Runs a command to its end. Fails with what it printed, or with what is missing on this machine. */
export const run = (command: string, args: ReadonlyArray<string>, cwd: string): void => {
  try {
    execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: string; stdout?: Buffer; stderr?: Buffer }
    if (code === "ENOENT") throw new Error(`the command ${command} is needed (Maven and a JDK of 11 or later)`)
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout ?? ""}${stderr ?? ""}`)
  }
}

/** Runs a step that fills a directory, once: the directory appears under its name only when the step succeeded. */
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

/** The jars that a pom names, by Maven: once. Gives the directory that they are in. */
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
