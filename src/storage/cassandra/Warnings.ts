/** Time in which one warning is passed on. */
const WARNING_MS = 60_000

/** Takes a warning of a node, such as that a statement has read many tombstones. */
export type Warned = (text: string) => void

/** Passes on at most one warning a minute: a node may warn of every statement, each time with other numbers. */
export const rarely = (warned: Warned): Warned => {
  let next = Number.NEGATIVE_INFINITY
  return (text) => {
    const now = performance.now()
    if (now < next) return
    next = now + WARNING_MS
    warned(text)
  }
}
