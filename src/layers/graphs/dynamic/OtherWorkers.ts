import type { GraphDrop, PeerAnswer, Peers } from "../../../services/Peers.ts"

/** Time for the other workers to close a graph, ms: longer than they wait for its transactions. */
const RELEASE_MS = 15_000

/** The other workers of the server, which serve the same dynamic graphs. */
export interface OtherWorkers {
  /** The number of this worker. */
  readonly own: number
  /**
   * The configurations have changed. Resolves when all others know it. A worker that does not answer is logged. Never rejects.
   *
   * @param dropped the graph whose drop has ended, whether it is dropped or not
   */
  changed(dropped?: string): Promise<void>
  /**
   * Lets the others close a graph, and not open it before the end of its drop ({@link changed}). Resolves to the workers that have not
   * closed it in time; undefined when one of them drops the graph itself, and goes first.
   */
  release(name: string): Promise<ReadonlyArray<number> | undefined>
  /** The graphs that the others are dropping. */
  drops(): Promise<ReadonlyArray<GraphDrop>>
}

const failures = (answers: ReadonlyArray<PeerAnswer<unknown>>) =>
  answers.flatMap((one) => ("answer" in one ? [] : [one]))

/**
 * @param own the number of this worker
 * @param log writes a warning
 */
export const otherWorkers = (peers: Peers, own: number, log: (text: string) => void): OtherWorkers => ({
  own,
  changed: async (dropped) => {
    try {
      for (const { reason, worker } of failures(await peers.ask("graphsChanged", { dropped, worker: own })))
        log(`Worker ${worker} learns later that the configurations of graphs have changed: ${reason}`)
    } catch (error) {
      log(`The other workers learn later that the configurations of graphs have changed: ${String(error)}`)
    }
  },
  release: async (name) => {
    const answers = await peers.ask("releaseGraph", { name, worker: own }, RELEASE_MS)
    if (answers.some((one) => "answer" in one && one.answer === "dropping")) return undefined
    return failures(answers).map(({ worker }) => worker)
  },
  drops: () => peers.graphDrops()
})
