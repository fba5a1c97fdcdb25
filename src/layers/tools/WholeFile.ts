import { rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { TaggedError } from "../../structure/errors/StoreErrors.ts"
import { ToolFailure } from "./Report.ts"

/**
 * Writes a file that appears when it is complete. `write` gets the name of a temporary file beside it, which is renamed at the end, or
 * removed after a failure. Throws ToolFailure for an error of the system.
 */
export const writeWhole = async (file: string, write: (temporary: string) => Promise<void>): Promise<void> => {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    await write(temporary)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    if (typeof (error as NodeJS.ErrnoException).code === "string" && !(error instanceof TaggedError)) {
      throw new ToolFailure(`${file} cannot be written: ${(error as Error).message}`)
    }
    throw error
  }
}
