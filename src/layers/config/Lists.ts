/** The comma-separated values of an option; empty when it is missing. */
export const list = (value: string | undefined): ReadonlyArray<string> =>
  (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
