import { parseArgs } from "node:util"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { closest } from "../../structure/characters/Spelling.ts"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { suggestion } from "../config/Suggestions.ts"

/** The command line is wrong. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly reason: string }> {
  override get message(): string {
    return `${this.reason}\nTry 'engine-server --help'.`
  }
}

/** The text of --help. */
export const help = `engine-server: a graph traversal server that speaks the Gremlin protocol

Usage: engine-server [serve] [options] [conf file]    start in the foreground
       engine-server check-config [conf file]         check a configuration and print its problems
       engine-server show-config [conf file]          print every setting, its value and where it came from
       engine-server status | dump                    ask a running server (needs --control-socket)
       engine-server reload                           replace the workers of a running server, one after another, by
                                                      new ones, which read the program and its configuration again
       engine-server unblock                          allow requests again that workers died of
       engine-server credentials list | add <user> | passwd <user> | role <user> | remove <user>
       engine-server graphs list | show <name> | create <name> | update <name> | drop <name> | template
                                                      graphs at run time; options follow as <option>=<value>
       engine-server import <file>...                 read CSV, GraphSON or GraphML into a graph
       engine-server export <file or folder>          write a graph as CSV (a folder), GraphSON or GraphML
       engine-server backup <file>                    write a graph on disk, as of now, into one file
       engine-server restore <file>                   create a graph from a backup, while no server runs
       engine-server stats                            count elements, index entries and bytes of a graph
       engine-server verify [--repair] [--remove-expired]
                                                      check every cell of a graph on disk, and repair it
       engine-server --version | --help

Default file: conf/engine-server/engine-server.yaml in the working directory, or else the shipped one.

Options:
  --host <address>          address to listen on
  --port <number>           port to listen on; 0 takes any free one
  --set <setting>=<value>   any other setting, such as --set authentication.config.tokenTimeout=60000
  --log-file <file>         file of the log; - is standard output
  --pid-file <file>         holds the process id while the server runs
  --control-socket <path>   Unix socket: of serve, the one to create; of the other commands, that of a running server
  --format <text|json>      of show-config, dump and stats
  --format <format>         of import and export: csv, graphson or graphml; by the name of the file without it
  --config <file>           of credentials and commands on graphs: the configuration, where no server runs
  --role <role>             of credentials add and role: reader, editor or admin; none removes it
  --graph <name>            of credentials role: the role is for this graph only; of commands on graphs: which one
  --repair                  of verify: repair what is found
  --remove-expired          of verify: remove for good what has expired by the clock of this machine; take a backup first
  --label <label>           of import: label of the elements of CSV and GraphML that have none
  --vertex-label <label>    of import: the same for vertices only
  --edge-label <label>      of import: the same for edges only
  --delimiter <character>   of import: the character between the fields of CSV; tab means a tab
  --map <old>=<new>:<type>  of import: read a column of CSV as another one; may be repeated
  --id-property <key>       of import: keep the ids of the file under this property key, so that edges find vertices
                            of earlier imports
  --upsert                  of import: change vertices that the graph has under --id-property, and add the others
  --again                   of import: import files again that were imported before
  --gzip                    of export: compress the files of CSV; other files by their name, such as graph.json.gz
  --quiet                   check-config: print problems only
`

const options = {
  host: { type: "string" },
  port: { type: "string" },
  set: { type: "string", multiple: true },
  "log-file": { type: "string" },
  "pid-file": { type: "string" },
  "control-socket": { type: "string" },
  format: { type: "string" },
  config: { type: "string" },
  role: { type: "string" },
  graph: { type: "string" },
  label: { type: "string" },
  "vertex-label": { type: "string" },
  "edge-label": { type: "string" },
  delimiter: { type: "string" },
  map: { type: "string", multiple: true },
  "id-property": { type: "string" },
  upsert: { type: "boolean" },
  repair: { type: "boolean" },
  "remove-expired": { type: "boolean" },
  again: { type: "boolean" },
  gzip: { type: "boolean" },
  quiet: { type: "boolean" },
  version: { type: "boolean", short: "v" },
  help: { type: "boolean", short: "h" }
} as const

type Option = keyof typeof options

/** Commands that work on a graph. */
export const tools = ["import", "export", "backup", "restore", "stats", "verify"] as const

/** The name of a command that works on a graph. */
export type ToolName = (typeof tools)[number]

/** A command of the program. */
type Command =
  | "serve"
  | "check-config"
  | "show-config"
  | "status"
  | "dump"
  | "reload"
  | "unblock"
  | "credentials"
  | "graphs"
  | ToolName

const configuration: ReadonlyArray<Option> = ["host", "port", "set", "log-file", "control-socket"]
const ofGraph: ReadonlyArray<Option> = ["control-socket", "config", "set", "graph"]

/** The options that each command takes. */
const taken: Readonly<Record<Command, ReadonlyArray<Option>>> = {
  serve: [...configuration, "pid-file"],
  "check-config": [...configuration, "quiet"],
  "show-config": [...configuration, "format"],
  status: ["control-socket"],
  dump: ["control-socket", "format"],
  reload: ["control-socket"],
  unblock: ["control-socket"],
  credentials: [...ofGraph, "role"],
  graphs: ["control-socket"],
  import: [
    ...ofGraph,
    ...([
      "format",
      "label",
      "vertex-label",
      "edge-label",
      "delimiter",
      "map",
      "id-property",
      "upsert",
      "again"
    ] as const)
  ],
  export: [...ofGraph, "format", "gzip"],
  backup: ofGraph,
  restore: ofGraph,
  stats: [...ofGraph, "format"],
  verify: [...ofGraph, "repair", "remove-expired"]
}

const commands = Object.keys(taken) as ReadonlyArray<Command>

const parseWords = (args: ReadonlyArray<string>) => parseArgs({ args: [...args], options, allowPositionals: true })

/** The options of a command line. */
export type Values = ReturnType<typeof parseWords>["values"]

/** The message of Node.js about a wrong option, with a suggestion. */
const problemOf = (cause: unknown): UsageError => {
  const text = reasonOf(cause)
  const name = /^Unknown option '--?([^']*)'/.exec(text)?.[1]
  if (name === undefined) return new UsageError({ reason: text })
  const best = closest(name, Object.keys(options))
  return new UsageError({
    reason: `there is no option --${name}${best === undefined ? "" : `; did you mean '--${best}'?`}`
  })
}

/** Parses the words of a command line. */
export const parse = (args: ReadonlyArray<string>) => Effect.try({ try: () => parseWords(args), catch: problemOf })

/** The error of a word that is neither one of these commands nor a file. */
export const unknownWord = (word: string, known: ReadonlyArray<string>): UsageError =>
  new UsageError({ reason: `there is no command and no configuration file '${word}'${suggestion(word, known)}` })

/** The command of a command line. */
export interface Invocation {
  readonly command: Command
  /** The words after the command. */
  readonly words: ReadonlyArray<string>
}

/**
 * The command that the words start with. Without one it is `serve`, and the first word is its configuration.
 *
 * @param isFile true for a word that is the path of an existing file
 */
export const invocation = (
  words: ReadonlyArray<string>,
  values: Values,
  isFile: (word: string) => boolean
): Effect.Effect<Invocation, UsageError> => {
  const [first, ...rest] = words
  const named = commands.find((name) => name === first)
  const command = named ?? "serve"
  if (named === undefined && first !== undefined && !isFile(first) && !/[./\\]/.test(first)) {
    return unknownWord(first, commands)
  }
  const foreign = (Object.keys(values) as ReadonlyArray<Option>).find(
    (option) => option !== "help" && option !== "version" && !taken[command].includes(option)
  )
  if (foreign !== undefined) {
    return new UsageError({
      reason: `--${foreign} is not an option of ${command}, which takes ${taken[command].map((option) => `--${option}`).join(", ")}`
    })
  }
  return Effect.succeed({ command, words: named === undefined ? words : rest })
}
