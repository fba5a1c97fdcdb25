import type { Block } from "./Blocks.ts"
import type { Played } from "./Session.ts"
import type { Statement } from "./Statements.ts"

/** A statement of a manual with the answer of the server, and of the reference if there is one. */
export interface Line {
  readonly block: Block
  readonly statement: Statement
  readonly here: Played
  readonly there: Played | undefined
  /** True if the answers are those of the block alone, on a new graph, because the blocks before it left another state. */
  readonly isAlone: boolean
}
