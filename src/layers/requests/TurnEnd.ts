/** What is to be done when this turn of the event loop has read its sockets. */
let waiting: Array<() => void> = []

/**
 * Calls back once, after the sockets of this turn were read and before anything long is worked on. What is written
 * then, for many clients at once, costs less than what is written one by one: the first wakes a client that is still
 * awake for the others.
 */
export const atTurnEnd = (callback: () => void): void => {
  if (waiting.push(callback) === 1) setImmediate(endTurn)
}

/** Does it now: called by whoever is about to work for long in the phase of immediates. */
export const endTurn = (): void => {
  if (waiting.length === 0) return
  const due = waiting
  waiting = []
  for (const callback of due) callback()
}
