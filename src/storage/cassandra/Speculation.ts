import cassandra, { type Client } from "cassandra-driver"
import { hasSeveralNodes } from "./LocalNodes.ts"
import { SPECULATION_DELAY_MS, scanDelayMs, WRITE_DELAY_MS } from "./Retries.ts"
import { isScan, isWrite } from "./Statements.ts"

/** Nodes that are asked for a read in addition to the first one. */
const SPECULATIVE_NODES = 2
/** Nodes that get a write in addition to the first one: a further node may have it before the driver does. */
const SPECULATIVE_NODES_OF_WRITES = 1
/** An execution plan without a further execution. */
const NO_SPECULATION = { nextExecution: () => -1 }

const { ConstantSpeculativeExecutionPolicy } = cassandra.policies.speculativeExecution

/**
 * The driver's policy that asks a second node when the first one is slow. A scan and a write have more time: the driver has one policy
 * for all statements of a client, which knows only their texts. With a single node no timer is started.
 */
export class Speculation extends ConstantSpeculativeExecutionPolicy {
  readonly #ofScans: InstanceType<typeof ConstantSpeculativeExecutionPolicy>
  readonly #ofWrites: InstanceType<typeof ConstantSpeculativeExecutionPolicy> | undefined
  #client: Client | undefined

  /** `timeout`: that of a request, ms. */
  constructor(timeout: number) {
    super(SPECULATION_DELAY_MS, SPECULATIVE_NODES)
    this.#ofScans = new ConstantSpeculativeExecutionPolicy(scanDelayMs(timeout), SPECULATIVE_NODES)
    // Nobody waits for a write that would be sent after the timeout.
    if (timeout > WRITE_DELAY_MS) {
      this.#ofWrites = new ConstantSpeculativeExecutionPolicy(WRITE_DELAY_MS, SPECULATIVE_NODES_OF_WRITES)
    }
  }

  override init(client: Client): void {
    this.#client = client
  }

  override newPlan(keyspace: string, queryInfo: string | Array<object>) {
    if (this.#client === undefined || !hasSeveralNodes(this.#client)) return NO_SPECULATION
    // All batches write.
    if (typeof queryInfo !== "string" || isWrite(queryInfo)) {
      return this.#ofWrites?.newPlan(keyspace, queryInfo as string) ?? NO_SPECULATION
    }
    return isScan(queryInfo) ? this.#ofScans.newPlan(keyspace, queryInfo) : super.newPlan(keyspace, queryInfo)
  }
}
