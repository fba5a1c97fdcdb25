import type { Transport } from "../../services/Metrics.ts"

/**
 * Gremlin Server's text for an alias of an unknown name. Tests of drivers compare it, and its verb over HTTP is another one.
 */
export const unboundText = (transport: Transport, alias: string, name: string): string =>
  `Could not ${transport === "http" ? "rebind" : "alias"} [${alias}] to [${name}] as [${name}] not in the Graph or TraversalSource global bindings`
