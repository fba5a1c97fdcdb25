/** The texts between the commas of an option in a properties file; none where it is not there. */
export const list = (value: string | undefined): ReadonlyArray<string> =>
  (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
