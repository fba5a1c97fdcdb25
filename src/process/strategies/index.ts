import { indexHints } from "./IndexHints.ts"
import type { Strategy } from "./Strategy.ts"

/** Applied to every traversal unless withoutStrategies() names them. */
export const standardStrategies: readonly Strategy[] = [indexHints]

/** Applied when withStrategies() names them. */
export const requestStrategies: readonly Strategy[] = []

/** Accepted and without effect: what they do is not needed here, or always done. */
export const acceptedStrategies: ReadonlySet<string> = new Set([])
