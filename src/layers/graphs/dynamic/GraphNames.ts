import { DynamicGraphError } from "../../../services/DynamicGraphs.ts"

/** Characters of a name: Cassandra's limit for keyspaces. */
const MAX_NAME_CHARACTERS = 48

/** Letters, digits and underscores, so that the name is a variable of scripts, a folder and a keyspace. */
const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_]*$/

/** Ends the name of a traversal source. */
export const SOURCE_SUFFIX = "_traversal"

/** Words of scripts: a variable of this name could not be used, or would replace a word of the language. */
const words: ReadonlySet<string> = new Set(
  (
    "abstract as assert boolean break byte case catch char class const continue def default do double else enum extends " +
    "false final finally float for goto if implements import in instanceof int interface it long native new null package " +
    "private protected public return short static strictfp super switch synchronized this threadsafe throw throws trait " +
    "transient true try var void volatile while with " +
    // Groups of properties in paths, files and messages of the server.
    "configurationmanagementgraph credentials credentialsdb template"
  ).split(" ")
)

/** The name of a source of a graph. */
export const sourceOf = (graph: string): string => `${graph}${SOURCE_SUFFIX}`

/**
 * Throws DynamicGraphError for a name that a graph cannot have.
 *
 * @param taken true for the names of the graphs and traversal sources of the configuration file, and of the language
 */
export const assertName = (name: unknown, taken: (name: string) => boolean): string => {
  if (typeof name !== "string" || name === "") {
    throw new DynamicGraphError("invalid", `The name of a graph is a text, such as 'graph1'.`)
  }
  const shown = JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS))
  if (name.length > MAX_NAME_CHARACTERS || !PLAIN_NAME.test(name)) {
    throw new DynamicGraphError(
      "invalid",
      `${shown}${name.length > MAX_NAME_CHARACTERS ? "..." : ""} cannot be the name of a graph: it must begin with a letter, and have at most ` +
        `${MAX_NAME_CHARACTERS} letters (a to z), digits and underscores.`
    )
  }
  if (words.has(name.toLowerCase()) || name.endsWith(SOURCE_SUFFIX)) {
    throw new DynamicGraphError("invalid", `${shown} cannot be the name of a graph: it has a meaning on this server.`)
  }
  for (const used of [name, sourceOf(name)]) {
    if (taken(used)) {
      throw new DynamicGraphError(
        "exists",
        `${shown} cannot be the name of a graph: '${used}' is a name of this server's configuration or of the language.`
      )
    }
  }
  return name
}
