import type { Task } from "../../scheduling/Task.ts"
import type { Compiler } from "../compiler/Compiler.ts"
import type { Traversal } from "../plan/Traversal.ts"

/** Rewrites a root traversal and its children; `configuration` is what the request gave, empty for strategies of our own. */
export interface Strategy {
  readonly name: string
  /** Decorations change the meaning (SubgraphStrategy), optimisations the speed, verifications refuse. Applied in this order. */
  readonly kind: "decoration" | "optimization" | "finalization" | "verification"
  /** One that adds much to each step gives it as pieces. */
  // biome-ignore lint/suspicious/noConfusingVoidType: nearly all do their work at once and give nothing
  apply(traversal: Traversal, configuration: ReadonlyMap<string, unknown>, compiler: Compiler): void | Task
}
