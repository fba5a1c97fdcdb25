import { lstatSync } from "node:fs"
import { link, open, rename, rm } from "node:fs/promises"
import { TaggedError } from "../../structure/errors/StoreErrors.ts"
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

/**
 * Writes a file that appears when it is complete. `write` gets the name of a temporary file beside it, which no other command uses. It
 * gets its name at the end, or is removed after a failure. A file that has appeared meanwhile is kept. Throws ToolFailure for it, and
 * for an error of the system. What a command left that was killed while it wrote the same file is removed first.
 */
export const writeWhole = async (file: string, write: (temporary: string) => Promise<void>): Promise<void> => {
  const temporary = temporaryName(file)
  try {
    await removeLeftovers(file)
    await write(temporary)
    await named(temporary, file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (typeof code === "string" && !(error instanceof TaggedError)) {
      throw new ToolFailure(`${file} cannot be written: ${message}`)
    }
    throw error
  } finally {
    await rm(temporary, { force: true })
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
