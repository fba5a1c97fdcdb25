import { execFile } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { HOOK_MS } from "../Limits.ts"

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Interval of checks whether another worker has created the package, and the timeout: less than that of the hook that waits. */
const POLL_INTERVAL_MS = 200
const TIMEOUT_MS = 0.9 * HOOK_MS

/** Runs a command asynchronously, because vitest must hear from its worker. Fails with the output of the command. */
const run = (command: string, args: ReadonlyArray<string>, cwd: string) =>
  promisify(execFile)(command, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 })

/**
 * Native code. The system loads a file once, by whichever name: the copies of lmdb in the package and in the sources would share the
 * buffer into which lmdb writes what it reads, and a process that has both would read what was there before.
 */
const NATIVE = ".node"

/** Copies a folder with hard links, or by contents where links fail. Nothing may write to the files of the copy. */
export const copyFolder = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) copyFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else {
      try {
        if (entry.name.endsWith(NATIVE)) copyFileSync(source, target)
        else linkSync(source, target)
      } catch {
        copyFileSync(source, target)
      }
    }
  }
}

interface LockedPackage {
  readonly dev?: boolean
  readonly devOptional?: boolean
}

/** Folders of the production dependencies, as the lockfile lists them. */
const productionFolders = (): ReadonlyArray<string> => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  return Object.entries(lock.packages)
    .filter(([folder, { dev, devOptional }]) => folder !== "" && dev !== true && devOptional !== true)
    .map(([folder]) => folder)
    .filter((folder) => !folder.slice("node_modules/".length).includes("node_modules/"))
}

/** Creates a project with the package installed as by npm, without a download. */
const install = async (folder: string): Promise<void> => {
  const installed = join(folder, "node_modules", "engine-server")
  mkdirSync(installed, { recursive: true })
  await run("npm", ["pack", "--pack-destination", folder], root)
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  await run("tar", ["-xzf", join(folder, tarball), "-C", installed, "--strip-components=1"], folder)
  // The lockfile also lists packages for other platforms, which are not installed.
  for (const dependency of productionFolders().filter((path) => existsSync(join(root, path)))) {
    copyFolder(join(root, dependency), join(folder, dependency))
  }
  mkdirSync(join(folder, "node_modules", ".bin"))
  symlinkSync("../engine-server/bin/engine-server.js", join(folder, "node_modules", ".bin", "engine-server"))
  writeFileSync(join(folder, "package.json"), '{"name":"project","version":"1.0.0","type":"module","private":true}\n')
}

/** The folder shared by all workers of a run, set by vitest.config.ts. */
const place = (): string => {
  const folder = process.env.ENGINE_SERVER_PACKAGE
  if (folder === undefined) throw new Error("vitest.config.ts sets ENGINE_SERVER_PACKAGE")
  return folder
}

/**
 * A project with the installed package: unpacked from `npm pack`, beside copies of the production dependencies of the
 * lockfile. The first worker that calls this creates it for the whole run, which takes a quarter of a minute.
 */
export const makePackedProject = async (): Promise<string> => {
  const folder = place()
  if (existsSync(folder)) return folder
  const making = `${folder}.making`
  try {
    mkdirSync(making)
  } catch {
    return awaited(folder, making)
  }
  try {
    await install(making)
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    throw error
  }
  return folder
}

const awaited = async (folder: string, making: string): Promise<string> => {
  const limit = performance.now() + TIMEOUT_MS
  while (performance.now() < limit) {
    if (existsSync(folder)) return folder
    if (!existsSync(making)) throw new Error("Another worker could not make the package; its test says why.")
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
  throw new Error(`The package was not made within ${TIMEOUT_MS / 1000} seconds.`)
}

/** Removes the project of {@link makePackedProject}. */
export const removePackedProject = (): void => {
  for (const folder of [place(), `${place()}.making`]) rmSync(folder, { recursive: true, force: true })
}

/** The folder of {@link makePackedProject}. */
export const packedProject = (): string => {
  if (!existsSync(place())) throw new Error("makePackedProject() has not made the package yet")
  return place()
}

/** The folder of the installed package in {@link packedProject}. */
export const packedPackage = (): string => join(packedProject(), "node_modules", "engine-server")
