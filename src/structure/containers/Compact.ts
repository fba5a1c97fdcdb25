/** Items that an array gets room for when it grows. */
const RESERVED = 16

/**
 * A copy of a short array without room for more items, for data that a request holds while it waits: the first item that is added to an
 * empty array reserves room for sixteen others, which garbage collections copy.
 */
export const compact = <A>(items: Array<A>): Array<A> => (items.length > RESERVED ? items : items.slice())
