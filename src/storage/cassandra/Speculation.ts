import cassandra, { type Client } from "cassandra-driver"
import { hasSeveralNodes } from "./LocalNodes.ts"
import { SPECULATION_DELAY_MS, scanDelayMs } from "./Retries.ts"
import { isScan } from "./Statements.ts"

/** Nodes that are asked in addition to the first one. */
const SPECULATIVE_NODES = 2
/** An execution plan without a further execution. */
const NO_SPECULATION = { nextExecution: () => -1 }

const { ConstantSpeculativeExecutionPolicy } = cassandra.policies.speculativeExecution

/**
 * The driver's policy that asks a second node when the first one is slow. A scan has more time: the driver has one policy for all
 * statements of a client, which knows only their texts. With a single node no timer is started.
 */
export class Speculation extends ConstantSpeculativeExecutionPolicy {
  readonly #ofScans: InstanceType<typeof ConstantSpeculativeExecutionPolicy>
  #client: Client | undefined

  /** `timeout`: that of a request, ms. */
  constructor(timeout: number) {
    super(SPECULATION_DELAY_MS, SPECULATIVE_NODES)
    this.#ofScans = new ConstantSpeculativeExecutionPolicy(scanDelayMs(timeout), SPECULATIVE_NODES)
  }

  override init(client: Client): void {
    this.#client = client
  }

  override newPlan(keyspace: string, queryInfo: string | Array<object>) {
    if (this.#client === undefined || !hasSeveralNodes(this.#client)) return NO_SPECULATION
    return typeof queryInfo === "string" && isScan(queryInfo)
      ? this.#ofScans.newPlan(keyspace, queryInfo)
      : super.newPlan(keyspace, queryInfo)
  }
}
