/** Continues in a later turn of the event loop, so that others run first. Awaiting a finished promise does not let them run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
