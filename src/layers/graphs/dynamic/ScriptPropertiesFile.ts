import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs"
import { DynamicGraphError } from "../../../services/DynamicGraphs.ts"
import { canonical } from "../../../storage/shared/CanonicalPath.ts"
import { propertiesText } from "../../config/ConfigText.ts"

/** Largest properties file, in bytes. */
const MAX_FILE_BYTES = 65_536

/**
 * The text of a properties file that a script names. `path` has no links. The path is resolved again after the file was opened: a folder
 * may become a link in between, and the file a named pipe, whose opening would wait for its other end. Throws DynamicGraphError for a
 * missing file, a long one, and one that was replaced meanwhile.
 */
export const readProperties = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true) throw new DynamicGraphError("missing", `There is no properties file ${path}.`)
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const opened = fstatSync(file)
    const { dev, ino, size } = opened
    if (size > MAX_FILE_BYTES) throw new DynamicGraphError("invalid", `${path} has more than ${MAX_FILE_BYTES} bytes.`)
    const named = statSync(path, { throwIfNoEntry: false })
    if (!opened.isFile() || canonical(path) !== path || dev !== named?.dev || ino !== named.ino) {
      throw new DynamicGraphError("invalid", `${path} was replaced while it was opened: try again.`)
    }
    return propertiesText(readFileSync(file))
  } finally {
    closeSync(file)
  }
}
