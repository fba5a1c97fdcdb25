import { LOSS_KNOWN_MS, type Loss, type TransactionRecords } from "../../services/TransactionRecords.ts"

/** Lost transactions that are known at a time. The oldest one is forgotten first. */
const MAX_KNOWN_LOSSES = 4_096

/** A transaction that a client has lost. */
interface Lost {
  readonly loss: Loss
  /** `performance.now()`, ms. */
  readonly since: number
}

/** The lost transactions of a server in one process. When this process dies, nobody knows them. */
export const lostTransactions = (): TransactionRecords => {
  const known = new Map<string, Lost>()
  return (user, session) => {
    const key = `${user.length} ${user}${session}`
    const lossOf = (): Loss | undefined => {
      const lost = known.get(key)
      return lost !== undefined && performance.now() - lost.since < LOSS_KNOWN_MS ? lost.loss : undefined
    }
    return {
      hold: () => {},
      forget: () => {},
      lose: (loss) => {
        known.delete(key)
        known.set(key, { loss, since: performance.now() })
        const [oldest] = known.keys()
        if (known.size > MAX_KNOWN_LOSSES && oldest !== undefined) known.delete(oldest)
      },
      loss: lossOf,
      takeLoss: () => {
        const loss = lossOf()
        known.delete(key)
        return loss
      }
    }
  }
}
