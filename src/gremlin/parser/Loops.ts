import type { ParseContext } from "./ParseContext.ts"

/** The state of a loop, and its items so far. */
interface Resumed<Items, State> {
  readonly items: Items
  readonly state: State
}

/**
 * Begins a loop over items that has a state, or goes to where an earlier slice has left it. Undefined for a script that is parsed at once.
 *
 * @param kind one of LoopKind: a loop of another kind may begin at the same position
 */
export const resumeLoop = <Items, State>(
  context: ParseContext,
  kind: number,
  items: Items,
  state: State
): Resumed<Items, State> | undefined => {
  const { brokenAt, position, slices } = context
  if (slices === undefined) return undefined
  const loop = slices.enter(context.loopKey(kind), items, position, state, brokenAt)
  context.position = loop.position
  context.brokenAt = loop.brokenAt
  return loop as Resumed<Items, State>
}

/** Begins a loop without a state; see {@link resumeLoop}. Returns its items so far. */
export const enterLoop = <Items>(context: ParseContext, kind: number, items: Items): Items =>
  resumeLoop(context, kind, items, 0)?.items ?? items

/** Ends an item of the innermost loop. The slice may end there. */
export const stepLoop = (context: ParseContext, state: unknown = 0): void =>
  context.slices?.step(context.position, state, context.brokenAt)

/** Ends the innermost loop after so many items. */
export const leaveLoop = ({ slices }: ParseContext, count: number): void => slices?.leave(count)
