/** The turns of commits that write alone in this process, because they change the schema. */
export class SchemaTurns {
  #ended: Promise<void> | undefined

  /** Resolves at the end of the turn that a commit has taken; undefined if none has. Other commits must not begin to write until then. */
  get ended(): Promise<void> | undefined {
    return this.#ended
  }

  /** Takes a turn while no other commit has one. The returned function ends it. */
  take(): () => void {
    let resolve: () => void = () => undefined
    this.#ended = new Promise((done) => {
      resolve = done
    })
    return () => {
      this.#ended = undefined
      resolve()
    }
  }
}
