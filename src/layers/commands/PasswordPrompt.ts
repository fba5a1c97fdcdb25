import { createInterface } from "node:readline"
import { Writable } from "node:stream"

/** Reads a password: from the terminal, without echo, or the first line of standard input. */
export const readPassword = (): Promise<string> =>
  new Promise((resolve) => {
    const { stdin, stderr } = process
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
    if (stdin.isTTY) stderr.write("Password: ")
    const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY })
    let given = ""
    lines.once("line", (line) => {
      given = line
      lines.close()
    })
    lines.once("close", () => {
      if (stdin.isTTY) stderr.write("\n")
      resolve(given)
    })
  })
