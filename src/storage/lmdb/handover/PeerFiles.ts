import { rmSync } from "node:fs"
import { join } from "node:path"
import { stateOf, thisProcess } from "../../shared/ProcessIdentity.ts"
import { handedFiles, OtherFile } from "./HandedFile.ts"

/** The files of the other processes of this server, as far as they run. */
export class PeerFiles {
  readonly #directory: string
  readonly #server: string
  readonly #own = thisProcess()
  readonly #open = new Map<string, OtherFile>()

  constructor(directory: string, server: string) {
    this.#directory = directory
    this.#server = server
  }

  /** The files of the last {@link update}. Reads no folder and no state of a process. */
  get open(): ReadonlyArray<OtherFile> {
    return [...this.#open.values()].filter(({ owner }) => owner?.server === this.#server)
  }

  /** Looks for files that were created or removed. `name` is the file of this process. Removes files of processes that have ended. */
  update(name: string): ReadonlyArray<OtherFile> {
    const names = new Set(this.#names())
    names.delete(name)
    for (const [open, file] of this.#open) if (!names.has(open)) this.#forget(open, file)
    for (const each of names) if (!this.#open.has(each)) this.#add(each)
    return [...this.#open.values()].filter((file) => this.#isUsed(file))
  }

  /** A process without free file descriptors commits nevertheless, and reads the files that it has open. */
  #names(): Iterable<string> {
    try {
      return handedFiles(this.#directory)
    } catch {
      return this.#open.keys()
    }
  }

  #add(name: string): void {
    try {
      const file = new OtherFile(this.#directory, name)
      // Its process has not written it completely yet.
      if (file.owner === undefined) file.close()
      else this.#open.set(name, file)
    } catch {
      // Its process has removed it, or is another user's.
    }
  }

  #forget(name: string, file: OtherFile): void {
    this.#open.delete(name)
    file.close()
  }

  /** A process that ends without removing its file was killed: its commits have no answer, and none is applied any more. */
  #isUsed(file: OtherFile): boolean {
    if (file.owner?.server !== this.#server) return false
    const state = stateOf(file.owner, this.#own)
    if (state === "ended") {
      this.#forget(file.name, file)
      try {
        rmSync(join(this.#directory, file.name), { force: true })
      } catch {
        // The next process that opens the graph removes it.
      }
    }
    return state === "running"
  }

  close(): void {
    for (const [name, file] of this.#open) this.#forget(name, file)
  }
}
