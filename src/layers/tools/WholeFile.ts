import { lstatSync } from "node:fs"
import { link, open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { syncFolder } from "../../storage/shared/Synced.ts"
import { TaggedError } from "../../structure/errors/TaggedError.ts"
import { removeLeftovers, temporaryName } from "./Leftovers.ts"
import { ToolFailure } from "./Report.ts"

/** The error of a command whose target is there already. */
const existsAlready = (file: string): ToolFailure =>
  new ToolFailure(`${file} exists already; name another file, or remove it.`)

/** Throws ToolFailure if the target of a command is there. A symbolic link without a target also has its name already. */
export const refuseExisting = (file: string): void => {
  let found: unknown
  try {
    found = lstatSync(file)
  } catch {
    // The write reports a name that cannot be inspected.
  }
  if (found !== undefined) throw existsAlready(file)
}

/** What link() fails with in a file system without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])

/** A file to write. `write` gets the name of a temporary file beside it, which no other command uses. */
interface FileWork {
  readonly file: string
  readonly write: (temporary: string) => Promise<void>
}

/**
 * Writes a file that appears when it is complete. The temporary file gets its name at the end, or is removed after a failure. A file
 * that has appeared meanwhile is kept. Throws ToolFailure for it, and for an error of the system. What a command left that was killed
 * while it wrote the same file is removed first.
 */
export const writeWhole = (file: string, write: FileWork["write"]): Promise<void> => writeTogether([{ file, write }])

/** Writes files one after another; see {@link writeWhole}. They appear when all are complete: one alone would refuse the next attempt. */
export const writeTogether = async (works: ReadonlyArray<FileWork>): Promise<void> => {
  const parts = works.map((work) => ({ ...work, temporary: temporaryName(work.file) }))
  const appeared: Array<string> = []
  try {
    for (const { file, temporary, write } of parts) {
      await reporting(file, async () => {
        await removeLeftovers(file)
        await write(temporary)
      })
    }
    for (const { file, temporary } of parts) {
      await reporting(file, () => named(temporary, file))
      appeared.push(file)
    }
    for (const { file } of parts) await reporting(file, async () => syncFolder(dirname(file)))
  } catch (error) {
    for (const file of appeared) await rm(file, { force: true })
    throw error
  } finally {
    for (const { temporary } of parts) await rm(temporary, { force: true })
  }
}

/** Runs a part of the work on a file. An error of the system becomes a ToolFailure that names the file. */
const reporting = async (file: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (typeof code === "string" && !(error instanceof TaggedError)) {
      throw new ToolFailure(`${file} cannot be written: ${message}`)
    }
    throw error
  }
}

/** Gives a complete file its name, unless there is a file of this name. */
const named = async (temporary: string, file: string): Promise<void> => {
  try {
    await link(temporary, file)
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    if (code === "EEXIST") throw existsAlready(file)
    if (!NO_LINKS.has(code)) throw error
    // The name is reserved by an empty file, which the complete one replaces.
    const reserved = await open(file, "wx").catch((problem: NodeJS.ErrnoException) => {
      throw problem.code === "EEXIST" ? existsAlready(file) : problem
    })
    await reserved.close()
    await rename(temporary, file)
  }
}
