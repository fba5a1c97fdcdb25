/** A list of the integers between two ends, which has a text of its own inside of other values: `1..3`. */
export abstract class NumberRange extends Array<number | bigint> {
  /** Methods such as slice() make lists, which are no ranges. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
  /** The range as it is written: `1..3` or `1..<3`. */
  abstract readonly text: string
}
