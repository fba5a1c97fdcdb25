import { RequestIdInUse } from "../../services/Errors.ts"
import type { Evaluation } from "../../services/Evaluator.ts"
import type { SharedNames } from "../../services/TakenNames.ts"

/** The ids with which clients name their requests (`queryId`). No two requests of the server have the same name at a time. */
export class NamedRequests {
  readonly #others: SharedNames | undefined

  /** @param others the names that the workers of the server have; undefined in a server of one process */
  constructor(others: SharedNames | undefined) {
    this.#others = others
  }

  /**
   * Takes the name of a new request. Returns a function to call when the request is answered. Throws RequestIdInUse while another
   * request has this id. If the workers have too many names, only the requests of this worker are compared.
   *
   * @param running the requests of this process
   */
  take(id: string, running: Iterable<Evaluation>): () => void {
    for (const { requestId } of running) if (requestId === id) throw new RequestIdInUse(id)
    const names = this.#others
    const taken = names?.take(id) ?? "full"
    if (taken === "elsewhere") throw new RequestIdInUse(id)
    return () => taken === "taken" && names?.giveBack(id)
  }
}
