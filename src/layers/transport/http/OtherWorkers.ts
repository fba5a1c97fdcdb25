import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { errorOf } from "../../../scheduling/Pending.ts"
import type { PeerAnswer, PeerQuestions } from "../../../services/Peers.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { type ManagementRequest, refuseManagement } from "./ManagementRequest.ts"

/** What the other workers answered. In a server of one process both lists are empty. */
export interface Others<A> {
  readonly answers: ReadonlyArray<A>
  /** The numbers of the workers that did not answer in time. */
  readonly unanswered: ReadonlyArray<number>
}

const none: Others<never> = { answers: [], unanswered: [] }

const othersOf = <A>(given: ReadonlyArray<PeerAnswer<A>>): Others<A> => ({
  answers: given.flatMap((one) => ("answer" in one ? [one.answer] : [])),
  unanswered: given.flatMap((one) => ("answer" in one ? [] : [one.worker]))
})

/** Members of an answer that name the workers without an answer; none when all answered. */
export const unansweredIn = ({
  unanswered
}: Others<unknown>): { readonly unansweredWorkers?: ReadonlyArray<number> } =>
  unanswered.length === 0 ? {} : { unansweredWorkers: unanswered }

/** A sentence that names the workers without an answer, after a space; empty when all answered. */
export const unansweredText = ({ unanswered }: Others<unknown>): string =>
  unanswered.length === 0 ? "" : ` These workers did not answer in time: ${unanswered.join(", ")}.`

/** The status of an answer about what no worker that answered has: 404, or 504 if another one may have it. */
export const missingStatus = ({ unanswered }: Others<unknown>): 404 | 504 => (unanswered.length === 0 ? 404 : 504)

/** A sentence for {@link unansweredText} of a cancellation: a busy worker still carries it out. */
export const lateText = (others: Others<unknown>): string =>
  others.unanswered.length === 0 ? "" : `${unansweredText(others)} They cancel it if they have it.`

/**
 * Waits for answers of other workers, and then calls `use`. Without other workers it calls `use` at once. Refuses the request
 * with 500 when the primary process does not answer, and answers nothing when the client has closed the connection: then it
 * calls `otherwise`.
 */
export const afterPeers = <A>(
  management: ManagementRequest,
  context: TransportContext,
  ask: (peers: NonNullable<TransportContext["peers"]>) => Promise<ReadonlyArray<PeerAnswer<A>>>,
  use: (others: Others<A>) => void,
  otherwise: () => void = () => undefined
): void => {
  const { peers } = context
  if (peers === undefined) {
    use(none)
    return
  }
  const asked = Effect.tryPromise({ try: () => ask(peers), catch: errorOf })
  context.runFork(`${management.path.slice(0, 100)} failed`, asked, (exit) => {
    const isClosed = management.response.destroyed
    if (!isClosed && Exit.isSuccess(exit)) {
      use(othersOf(exit.value))
      return
    }
    otherwise()
    if (!isClosed) refuseManagement(management, 500, "The other workers of the server could not be asked. Try again.")
  })
}

/** Asks the other workers of the server, and then calls `use`: see {@link afterPeers}. */
export const askOthers = <N extends keyof PeerQuestions>(
  { context, management }: { readonly management: ManagementRequest; readonly context: TransportContext },
  name: N,
  body: PeerQuestions[N][0],
  use: (others: Others<PeerQuestions[N][1]>) => void,
  otherwise?: () => void
): void => afterPeers(management, context, (peers) => peers.ask(name, body), use, otherwise)
