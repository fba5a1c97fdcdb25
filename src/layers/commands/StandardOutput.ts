import * as Effect from "effect/Effect"

type WriteError = NodeJS.ErrnoException | null | undefined

/**
 * Writes the standard output of a command. If the reader closes the pipe early, as `head` does, the command still completes with
 * its own exit status. After any other error output is lost, and the command fails.
 */
export class StandardOutput {
  /** True when output was lost. */
  #isLost = false

  constructor() {
    // Without a listener, a stream error would end the process. Each write reports its error, too.
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  }

  readonly print = (text: string): void => {
    process.stdout.write(text, (error) => this.#written(error))
  }

  /** Calls back with the exit status once everything is written: 1 instead of 0 when output was lost. */
  end(status: number, onWritten: (status: number) => void): void {
    process.stdout.write("", () => onWritten(this.#isLost ? status || 1 : status))
  }

  #written(error: WriteError): void {
    if (error == null || error.code === "EPIPE" || this.#isLost) return
    this.#isLost = true
    process.stderr.write(`Standard output cannot be written: ${error.message}\n`)
  }
}

/** Writes a line to standard error. */
export const printError = (text: string) => Effect.sync(() => void process.stderr.write(`${text}\n`))
