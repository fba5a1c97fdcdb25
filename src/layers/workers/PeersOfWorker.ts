import type { PeerAnswer, PeerQuestions, Peers } from "../../services/Peers.ts"
import type { Channel } from "./Channel.ts"

/** Time that each other worker has for its answer, ms. */
const ANSWER_MS = 3_000
/** Time that the primary process needs in addition, ms. */
const EXCHANGE_MS = 1_000

/** The other workers, which a worker reaches through the primary process. */
export const peersOf = (channel: Channel): Peers => {
  const answers = new Map<string, (body: never) => unknown>()
  channel.onQuestion("peer", ({ body, name }) => {
    const answer = answers.get(name)
    if (answer === undefined) throw new Error("this worker is starting")
    return answer(body as never)
  })
  return {
    ask: async <N extends keyof PeerQuestions>(name: N, body: PeerQuestions[N][0], answerMs = ANSWER_MS) => {
      const given = await channel.ask("others", { name, body, answerMs }, answerMs + EXCHANGE_MS)
      return given as ReadonlyArray<PeerAnswer<PeerQuestions[N][1]>>
    },
    onAsk: (name, answer) => void answers.set(name, answer as (body: never) => unknown),
    changeLogLevel: async (level) => {
      const given = await channel.ask("logLevel", level, ANSWER_MS + EXCHANGE_MS)
      return given as ReadonlyArray<PeerAnswer<null>>
    },
    graphDrops: () => channel.ask("graphDrops", null),
    metrics: () => channel.ask("metrics", null),
    counted: (counts) => channel.tell("counted", counts)
  }
}
