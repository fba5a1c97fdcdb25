/** The value in the middle of the order by `of`. Of an even number of values, the greater of the two. Undefined for no values. */
export const medianBy = <T>(values: ReadonlyArray<T>, of: (value: T) => number): T | undefined =>
  values.toSorted((a, b) => of(a) - of(b))[values.length >> 1]

/** The median. Of an even number of values, the greater of the two in the middle. NaN for no values. */
export const median = (values: ReadonlyArray<number>): number => medianBy(values, (value) => value) ?? Number.NaN
