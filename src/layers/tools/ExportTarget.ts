import { basename, dirname, join } from "node:path"
import { type FileFormat, formatOf, formats } from "./InputFiles.ts"
import { ToolFailure } from "./Report.ts"

/** What an export writes. */
export interface ExportTarget {
  /** Absolute path of the file, or for CSV of the folder. */
  readonly path: string
  readonly format: FileFormat
  /** True where the files are compressed by gzip. */
  readonly zipped: boolean
}

/** Names of compressed files and archives, of which only gzip is written. */
const COMPRESSED = /\.(gz|gzip|tgz|zip|bz2|xz|zst|lz4|7z|tar)$/i

const GZIP = /\.gz$/i

/** Names of files, by all the endings that mean something here. */
const isFileName = (path: string): boolean => COMPRESSED.test(path) || formatOf(path) !== undefined

/** A path without the endings that mean something here. */
const bare = (path: string): string => {
  let name = basename(path)
  while (name !== "" && isFileName(name)) name = name.slice(0, name.lastIndexOf("."))
  return join(dirname(path), name === "" ? "graph" : name)
}

/** CSV of a graph is a folder with two files, so that a name of one file is refused. */
const folderOfCsv = (path: string, gzip: boolean): ExportTarget => {
  if (!isFileName(path)) return { path, format: "csv", zipped: gzip }
  const suggestion = `export ${bare(path)} --format csv${gzip || COMPRESSED.test(path) ? " --gzip" : ""}`
  throw new ToolFailure(
    `${path} names one file, and CSV of a graph is two, for vertices and edges: name a folder, as in '${suggestion}'.`
  )
}

/**
 * What is written for a path and the options of the command. Throws ToolFailure where the path says something else than
 * what would be written.
 *
 * @param given the format that the command names
 * @param gzip true where the command asks for compression
 */
export const exportTarget = (path: string, given: FileFormat | undefined, gzip: boolean): ExportTarget => {
  const named = formatOf(path)
  const format = given ?? named
  if (format === undefined) {
    throw new ToolFailure(`The name ${path} tells no format; give --format ${formats.join(", ")}.`)
  }
  if (format === "csv") return folderOfCsv(path, gzip)
  if (named !== undefined && named !== format) {
    throw new ToolFailure(`${path} is a name of ${named}, and --format says ${format}: give one of them only.`)
  }
  const zipped = GZIP.test(path)
  if (!zipped && COMPRESSED.test(path)) {
    throw new ToolFailure(`${path} cannot be written: gzip is the only compression; name it ${bare(path)}.json.gz.`)
  }
  if (gzip && !zipped) throw new ToolFailure(`${path} is no name of a compressed file: name it ${path}.gz.`)
  return { path, format, zipped }
}
