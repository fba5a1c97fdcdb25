/** What was spent since it was last taken. Evaluating is synchronous, and one process evaluates on one thread. */
let spent = 0

/** Units after which the clock is to be looked at: some 4 ms. */
const MUCH = 100_000

/**
 * Counts what one operation cost that cannot stop in the middle: the key or the comparison of a collection, a product of
 * large numbers, a match of a regular expression. A unit is some 40 ns, as a member of a collection or a character takes.
 */
export const spend = (units: number): void => {
  spent += units
}

/** True when so much was spent since {@link takeSpent} that whoever does many operations in a row lets others run. */
export const hasSpentMuch = (): boolean => spent >= MUCH

/** The units that were spent since this was last asked. */
export const takeSpent = (): number => {
  const units = spent
  spent = 0
  return units
}
