/** The median. Of an even number of values, the greater of the two in the middle. NaN for no values. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
