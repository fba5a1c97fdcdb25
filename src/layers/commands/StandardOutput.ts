type WriteError = NodeJS.ErrnoException | null | undefined

/**
 * The standard output of a command. A reader that closes its end early, such as `head`, has seen enough: the command does its
 * work, and its status counts. Any other error means that output is lost which somebody waits for.
 */
export class StandardOutput {
  /** Output was lost. */
  #isLost = false

  constructor() {
    // Without a listener, an error of the stream would end the process. Each write is told of it as well.
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  }

  readonly print = (text: string): void => {
    process.stdout.write(text, (error) => this.#written(error))
  }

  /** Calls back with the exit status of the process once everything is written: not 0 when output was lost. */
  end(status: number, onWritten: (status: number) => void): void {
    process.stdout.write("", () => onWritten(this.#isLost ? status || 1 : status))
  }

  #written(error: WriteError): void {
    if (error == null || error.code === "EPIPE" || this.#isLost) return
    this.#isLost = true
    process.stderr.write(`Standard output cannot be written: ${error.message}\n`)
  }
}
