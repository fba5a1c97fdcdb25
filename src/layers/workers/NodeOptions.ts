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

const isOfProgram = (option: string): boolean => {
  const [name = ""] = option.split("=", 1)
  return OF_PROGRAM.has(name) || BEGINNINGS.some((beginning) => name.startsWith(beginning))
}

/**
 * The options of Node.js that a program which contains the server passes on to its workers: those of the process, such as
 * `--max-old-space-size`, and none that would run the program, or modules of it, in a worker.
 *
 * @param all `process.execArgv` of the program
 */
export const optionsForWorkers = (all: ReadonlyArray<string>): Array<string> => {
  let isKept = true
  return all.filter((each) => {
    // An argument without a dash is the value of the option before it. Alone, it would name the program that the worker runs.
    if (each.startsWith("-")) isKept = !isOfProgram(each)
    return isKept
  })
}

/** Memory for the heaps of all processes of a server, MB: the entry point of the container image sets it. */
const SERVER_HEAP = "SERVICE_HEAP_MEGABYTES"

const HEAP_LIMIT = /^--max[-_]old[-_]space[-_]size=(\d+)$/

/** The options of one of `workers` processes: its heap has at most its share of the memory for all of them, if that is limited. */
export const withHeapShare = (
  options: ReadonlyArray<string>,
  workers: number,
  environment: Readonly<Record<string, string | undefined>>
): Array<string> => {
  const share = Math.floor(Number(environment[SERVER_HEAP] ?? 0) / workers)
  const limit = options.reduce((last, option) => Number(HEAP_LIMIT.exec(option)?.[1] ?? last), Number.POSITIVE_INFINITY)
  if (!(share > 0 && share < limit)) return [...options]
  return [...options.filter((option) => !HEAP_LIMIT.test(option)), `--max-old-space-size=${share}`]
}
