import { parseArgs } from "node:util"
import { type Mode, modes } from "./Connection.ts"

/** The storage of the graphs of the started server. */
export const backends = ["memory", "lmdb", "cql"] as const

export type Backend = (typeof backends)[number]

/** The options of the command line. */
export interface Options {
  readonly modes: ReadonlyArray<Mode>
  readonly filter: RegExp | undefined
  readonly folder: string | undefined
  readonly url: string | undefined
  readonly emptySource: string
  readonly allowNull: boolean
  readonly asyncStore: boolean
  readonly backend: Backend
  readonly workers: number
  readonly without: ReadonlyArray<string>
  readonly serial: boolean
  readonly verbose: boolean
  readonly listFailures: string | undefined
  readonly updateBaseline: boolean
  readonly checkTheChecker: boolean
}

const usage = `npm run conformance -- [options]

  --mode MODE            ${modes.join(" | ")}; may be repeated; default: all
  --folder NAME          only the scenarios of a folder: map, filter, sideEffect, integrated, branch, data, semantics
  --filter REGEX         only scenarios whose key, like map/AddEdge#g_V, matches
  --url ws://HOST:PORT/gremlin   test a server that is running, instead of starting one
  --empty-source NAME    traversal source of the graph that scenarios may change; default ggraph
  --allow-null           the empty graph stores null as a property value
  --async-store          the graphs are on the test store that answers later
  --backend BACKEND      what the graphs are on: memory, the default, or lmdb or cql, which give ids of their own; cql needs
                         a Cassandra on the loopback address, at the port CASSANDRA_PORT (9042)
  --workers N            the started server has N workers; needs --backend lmdb or cql; default 1
  --without GRAPH        leave a toy graph of the started server empty, such as grateful; may be repeated
  --serial               one scenario at a time, also on the graphs that nobody changes
  --verbose              print every scenario, and of a failure the traversal too
  --list-failures FILE   write the failures, one a line, to a file
  --update-baseline      write what passes now into baseline.json
  --check-the-checker    run the scenarios with expectations made wrong: each must fail
`

const isMode = (name: string): name is Mode => (modes as ReadonlyArray<string>).includes(name)

/** Reads the command line. Throws an Error with the usage when it is wrong, or asks for help. */
export const parseOptions = (args: ReadonlyArray<string>): Options => {
  const fail = (what: string): never => {
    throw new Error(`${what}\n\n${usage}`)
  }
  const flag = { type: "boolean", default: false } as const
  const text = { type: "string" } as const
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        mode: { type: "string", multiple: true },
        filter: text,
        folder: text,
        url: text,
        "empty-source": { type: "string", default: "ggraph" },
        "allow-null": flag,
        "async-store": flag,
        backend: { type: "string", default: "memory" },
        workers: { type: "string", default: "1" },
        without: { type: "string", multiple: true, default: [] },
        serial: flag,
        verbose: flag,
        "list-failures": text,
        "update-baseline": flag,
        "check-the-checker": flag,
        help: flag
      }
    })
    if (values.help) fail("Runs the Gremlin scenarios of Apache TinkerPop against the server.")
    const chosen = values.mode ?? [...modes]
    const isPart = values.filter !== undefined || values.folder !== undefined || values.without.length > 0
    if (values["update-baseline"] && isPart) {
      fail("--update-baseline needs a whole run, without --filter, --folder and --without")
    }
    return {
      modes: chosen.map((name) => (isMode(name) ? name : fail(`no mode ${name}`))),
      filter: values.filter === undefined ? undefined : new RegExp(values.filter),
      folder: values.folder,
      url: values.url,
      emptySource: values["empty-source"],
      allowNull: values["allow-null"],
      asyncStore: values["async-store"],
      backend: backends.find((name) => name === values.backend) ?? fail(`no backend ${values.backend}`),
      workers: Number(values.workers),
      without: values.without,
      serial: values.serial,
      verbose: values.verbose,
      listFailures: values["list-failures"],
      updateBaseline: values["update-baseline"],
      checkTheChecker: values["check-the-checker"]
    }
  } catch (error) {
    const { message } = error as Error
    return message.includes("npm run conformance") ? fail(message.split("\n\n")[0]!) : fail(message)
  }
}
