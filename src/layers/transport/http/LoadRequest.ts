import { isAbsolute, resolve, sep } from "node:path"

/** The formats of the loader of Amazon Neptune, and our own names. */
const formats: Readonly<Record<string, "csv" | "graphson" | "graphml">> = {
  csv: "csv",
  opencypher: "csv",
  graphson: "graphson",
  graphml: "graphml"
}

/** What a body asks for. */
export interface LoadRequest {
  readonly source: string
  readonly format: "csv" | "graphson" | "graphml"
  /** The key under which the vertices have the ids of their files. Edges of later files find them by it. */
  readonly idProperty: string | undefined
}

/** Reads the body. A string says why it is refused. Options that would have no effect are refused, too. */
export const requestOf = (body: string): LoadRequest | string => {
  let given: unknown
  try {
    given = JSON.parse(body)
  } catch {
    return "The body must be a JSON object."
  }
  if (typeof given !== "object" || given === null) return "The body must be a JSON object."
  const { dependencies, failOnError, format, idProperty, source } = given as Readonly<Record<string, unknown>>
  if (typeof source !== "string" || source === "")
    return "The body must have a source: the path of a file below the server's ioDirectory."
  if (/^\w+:\/\//.test(source)) {
    return `The source must be a path below the server's ioDirectory, not an address such as ${source.slice(0, 40)}.`
  }
  const known = typeof format === "string" && Object.hasOwn(formats, format.toLowerCase())
  if (!known) return `The format must be one of ${Object.keys(formats).join(", ")}.`
  if (String(failOnError ?? true).toLowerCase() !== "true")
    return "failOnError must be TRUE: a load ends at the first wrong line."
  if (Array.isArray(dependencies) && dependencies.length > 0)
    return "dependencies must be empty: a load does not wait for other loads."
  if (idProperty !== undefined && (typeof idProperty !== "string" || idProperty === ""))
    return "idProperty must be the name of a property key, which keeps the ids of the vertices."
  return { source, format: formats[format.toLowerCase()]!, idProperty }
}

/** graph-notebook sends paths that begin with a slash only. Such a path is below the folder, unless it names the folder itself. */
export const nameOf = (source: string, folder: string): string => {
  if (!isAbsolute(source)) return source
  return `${resolve(source)}${sep}`.startsWith(`${resolve(folder)}${sep}`) ? source : `.${source}`
}
