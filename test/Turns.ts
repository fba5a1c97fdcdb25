/** The turns of the event loop that others get while `work` runs. */
export const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}
