import { basename, dirname, join } from "node:path"
import { type FileFormat, formatOf, formats } from "./InputFiles.ts"
import { ToolFailure } from "./Report.ts"

/** The files that an export writes. */
export interface ExportTarget {
  /** Absolute path of the file, or for CSV of the folder. */
  readonly path: string
  readonly format: FileFormat
  /** True when the files are compressed with gzip. */
  readonly zipped: boolean
}

/** Extensions of compressed files and archives. Only gzip is supported. */
const COMPRESSED = /\.(gz|gzip|tgz|zip|bz2|xz|zst|lz4|7z|tar)$/i

const GZIP = /\.gz$/i

/** True for a path whose extension names a format or a compression. */
const isFileName = (path: string): boolean => COMPRESSED.test(path) || formatOf(path) !== undefined

/** A path without such extensions. */
const bare = (path: string): string => {
  let name = basename(path)
  while (name !== "" && isFileName(name)) name = name.slice(0, name.lastIndexOf("."))
  return join(dirname(path), name === "" ? "graph" : name)
}

/** CSV is written as a folder with two files, so the name of a single file is refused. */
const folderOfCsv = (path: string, gzip: boolean): ExportTarget => {
  if (!isFileName(path)) return { path, format: "csv", zipped: gzip }
  const suggestion = `export ${bare(path)} --format csv${gzip || COMPRESSED.test(path) ? " --gzip" : ""}`
  throw new ToolFailure(
    `${path} names a file, but CSV is written as two files, for vertices and edges: name a folder, as in '${suggestion}'.`
  )
}

/**
 * The files that an export writes for a path and the options of the command. Throws ToolFailure when they contradict each
 * other.
 *
 * @param given the format of the option
 * @param gzip true when the command asks for compression
 */
export const exportTarget = (path: string, given: FileFormat | undefined, gzip: boolean): ExportTarget => {
  const named = formatOf(path)
  const format = given ?? named
  if (format === undefined) {
    throw new ToolFailure(`The name ${path} does not imply a format; give --format ${formats.join(", ")}.`)
  }
  if (format === "csv") return folderOfCsv(path, gzip)
  if (named !== undefined && named !== format) {
    throw new ToolFailure(`${path} is a name for ${named}, but --format is ${format}: change one of them.`)
  }
  const zipped = GZIP.test(path)
  if (!zipped && COMPRESSED.test(path)) {
    throw new ToolFailure(`${path} cannot be written: only gzip is supported; name it ${bare(path)}.json.gz.`)
  }
  if (gzip && !zipped) throw new ToolFailure(`${path} is not a name for a compressed file: name it ${path}.gz.`)
  return { path, format, zipped }
}
