/** Reads the options of one properties file; what is wrong is told to `fail`, and the default taken. */
export interface OptionReader {
  readonly get: (key: string) => string | undefined
  readonly fail: (key: string, reason: string) => undefined
  readonly oneOf: <A extends string, B extends A | undefined>(
    key: string,
    words: ReadonlyArray<A>,
    otherwise: B
  ) => A | B
  readonly flag: (key: string, otherwise: boolean) => boolean
}
