/** Options of Node.js that name code or files of a program, or run it in another way. */
const OF_PROGRAM: ReadonlySet<string> = new Set([
  "-C",
  "-e",
  "-i",
  "-p",
  "-pe",
  "-r",
  "--conditions",
  "--env-file",
  "--env-file-if-exists",
  "--eval",
  "--experimental-config-file",
  "--experimental-default-type",
  "--experimental-loader",
  "--import",
  "--input-type",
  "--interactive",
  "--loader",
  "--print",
  "--require",
  "--snapshot-blob"
])

/** Beginnings of options that run a program in another way, or open the port of a debugger, which only one process can have. */
const BEGINNINGS = ["--debug-port", "--inspect", "--test", "--watch"]

/** An option of Node.js. */
interface NodeOption {
  /** With dashes: Node.js takes underscores, too. */
  readonly name: string
  /** After the sign `=`, or the next word; undefined without one. */
  readonly value: string | undefined
}

const isOfProgram = ({ name }: NodeOption): boolean =>
  OF_PROGRAM.has(name) || BEGINNINGS.some((beginning) => name.startsWith(beginning))

/** A debugger at its usual port, or at a fixed one, which only one process can have. With the port 0, each process has its own. */
const hasFixedPort = ({ name, value = "" }: NodeOption): boolean =>
  /^--(?:inspect|debug-port)/.test(name) && !/(?:^|:)0$/.test(value)

const QUOTED = /"((?:\\.|[^"\\])*)"/g

/** A word of NODE_OPTIONS without its quotation marks, which may enclose any part of it. */
const unquoted = (word: string): string =>
  word.replace(QUOTED, (_, inside: string) => inside.replaceAll(/\\(.)/g, "$1"))

/** The option that begins with a word; undefined for a word without a dash, which is the value of the option before it. */
const optionAt = (words: ReadonlyArray<string>, at: number): NodeOption | undefined => {
  const word = unquoted(words[at] ?? "")
  if (!word.startsWith("-")) return undefined
  const sign = word.indexOf("=")
  const next = at + 1 < words.length ? unquoted(words[at + 1]!) : "-"
  return {
    name: (sign < 0 ? word : word.slice(0, sign)).replaceAll("_", "-"),
    value: sign >= 0 ? word.slice(sign + 1) : next.startsWith("-") ? undefined : next
  }
}

/** Leaves out options with their values: a value alone would name the program that a worker runs. */
const without = (words: ReadonlyArray<string>, isLeftOut: (option: NodeOption) => boolean): Array<string> => {
  let isKept = true
  return words.filter((_, at) => {
    const option = optionAt(words, at)
    if (option !== undefined) isKept = !isLeftOut(option)
    return isKept
  })
}

/**
 * The options of Node.js that the server program passes on to its workers: all but those that open a debugger at a fixed port.
 *
 * @param all `process.execArgv` of the program
 */
export const ownOptionsForWorkers = (all: ReadonlyArray<string>): Array<string> => without(all, hasFixedPort)

/** A text in quotation marks may have spaces, and a backslash in it is before a character. */
const WORD = /(?:"(?:\\.|[^"\\])*"|[^\s"])+/g

/**
 * The variable NODE_OPTIONS of workers. Undefined if it has no option for them.
 *
 * @param text the variable of this process
 * @param keep returns those options that workers get
 */
export const variableForWorkers = (
  text: string | undefined,
  keep: (options: ReadonlyArray<string>) => ReadonlyArray<string>
): string | undefined => {
  const kept = keep(text?.match(WORD) ?? [])
  return kept.length === 0 ? undefined : kept.join(" ")
}

const OPENS_DEBUGGER = /^--inspect(?:-brk|-wait)?$/

/**
 * True if an option opens a debugger, in which a process may be stopped for any time.
 *
 * @param variable NODE_OPTIONS
 */
export const hasDebugger = (options: ReadonlyArray<string>, variable = ""): boolean => {
  const words = [...options, ...(variable.match(WORD) ?? [])]
  return words.some((_, at) => OPENS_DEBUGGER.test(optionAt(words, at)?.name ?? ""))
}

/**
 * The options of Node.js that a program which contains the server passes on to its workers: those of the process, such as
 * `--max-old-space-size`, and none that would run the program, or modules of it, in a worker.
 *
 * @param all `process.execArgv` of the program
 */
export const optionsForWorkers = (all: ReadonlyArray<string>): Array<string> => without(all, isOfProgram)

/**
 * Memory for the heaps of all processes of a server, with their young generations, MB: the launcher sets it to three quarters of the memory
 * of the machine or the container.
 */
const SERVER_HEAP = "SERVICE_HEAP_MEGABYTES"

const HEAP_LIMIT = /^--max[-_]old[-_]space[-_]size=(\d+)$/
const SEMI_SPACE = /^--max[-_]semi[-_]space[-_]size=(\d+)$/

/** The semi-space of a process without an option for it, MB: V8's default. */
const DEFAULT_SEMI_SPACE = 16

/** A young generation has up to so many semi-spaces. */
const SEMI_SPACES = 3

/** A young generation is at most a quarter of the memory for a heap. */
const HEAP_PARTS = 4

const last = (options: ReadonlyArray<string>, form: RegExp, otherwise: number): number =>
  options.reduce((found, option) => Number(form.exec(option)?.[1] ?? found), otherwise)

/**
 * Says that the memory for all of `workers` processes gives each a smaller heap than its options do, for the log; undefined if it does
 * not.
 */
export const heapShareNote = (
  options: ReadonlyArray<string>,
  workers: number,
  environment: Readonly<Record<string, string | undefined>>
): string | undefined => {
  const wanted = last(options, HEAP_LIMIT, Number.POSITIVE_INFINITY)
  const given = last(withHeapShare(options, workers, environment), HEAP_LIMIT, Number.POSITIVE_INFINITY)
  if (given >= wanted) return undefined
  const instead = wanted === Number.POSITIVE_INFINITY ? "" : ` instead of ${wanted} MB`
  return (
    `The heap of each of ${workers} workers has at most ${given} MB${instead}: they divide ${environment[SERVER_HEAP]} MB, which is what ` +
    "the memory has for heaps. A limit in JAVA_OPTIONS holds for each worker, and fewer workers have larger heaps."
  )
}

/**
 * The options of one of `workers` processes: its heap, with its young generation, has at most its share of the memory for all of them, if
 * that is limited.
 */
export const withHeapShare = (
  options: ReadonlyArray<string>,
  workers: number,
  environment: Readonly<Record<string, string | undefined>>
): Array<string> => {
  const share = Math.floor(Number(environment[SERVER_HEAP] ?? 0) / workers)
  if (!(share > 0)) return [...options]
  const wanted = last(options, SEMI_SPACE, DEFAULT_SEMI_SPACE)
  let semiSpace = wanted
  while (semiSpace > 1 && semiSpace * SEMI_SPACES * HEAP_PARTS > share) semiSpace = Math.floor(semiSpace / 2)
  const rest = Math.max(1, share - semiSpace * SEMI_SPACES)
  const isHeapLess = rest < last(options, HEAP_LIMIT, Number.POSITIVE_INFINITY)
  const isYoungLess = semiSpace < wanted
  return [
    ...options.filter((each) => !(isHeapLess && HEAP_LIMIT.test(each)) && !(isYoungLess && SEMI_SPACE.test(each))),
    ...(isHeapLess ? [`--max-old-space-size=${rest}`] : []),
    ...(isYoungLess ? [`--max-semi-space-size=${semiSpace}`] : [])
  ]
}
