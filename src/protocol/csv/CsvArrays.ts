/**
 * The values of an array, which are separated by semicolons. In a value `\;` means a semicolon and `\\` a backslash. `\e` means
 * nothing, so that a field can contain the empty text.
 */
export const splitArray = (field: string): ReadonlyArray<string> => {
  if (!field.includes("\\")) return field.split(";")
  const values: Array<string> = []
  let value = ""
  for (let at = 0; at < field.length; at++) {
    const character = field[at]!
    const next = field[at + 1]
    if (character === "\\" && (next === ";" || next === "\\" || next === "e")) {
      if (next !== "e") value += next
      at++
    } else if (character === ";") {
      values.push(value)
      value = ""
    } else value += character
  }
  return [...values, value]
}

/** The label of an element. Several labels of Neptune or Neo4j are joined, because vertices have one label here. */
export const labelOf = (field: string): string => {
  const label = field.startsWith(":") ? field.slice(1) : field
  return /[;\\]/.test(label) ? splitArray(label).join("::") : label
}
