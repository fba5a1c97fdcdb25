/** Options of Node.js that name code or files of a program, with a value behind `=` or in the next argument. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  "-C",
  "-e",
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
  "--loader",
  "--print",
  "--require"
])

/** Beginnings of options that run a program in another way, or open the port of a debugger, which only one process can have. */
const BEGINNINGS = ["--debug-port", "--inspect", "--test", "--watch"]

/**
 * The options of Node.js that a program which contains the server passes on to its workers: those of the process, such as
 * `--max-old-space-size`, and none that would run the program, or modules of it, in a worker.
 *
 * @param all `process.execArgv` of the program
 */
export const optionsForWorkers = (all: ReadonlyArray<string>): Array<string> => {
  const kept: Array<string> = []
  for (let at = 0; at < all.length; at++) {
    const option = all[at]!
    const [name = ""] = option.split("=", 1)
    if (WITH_VALUE.has(name)) {
      // The value of `-p` may be missing: `node -p -e 1+1`.
      if (name === option && all[at + 1]?.startsWith("-") !== true) at++
    } else if (!BEGINNINGS.some((beginning) => name.startsWith(beginning))) kept.push(option)
  }
  return kept
}
