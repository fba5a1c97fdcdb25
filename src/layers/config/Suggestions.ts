import { closest } from "../../structure/Spelling.ts"

/** The end of an error message: the name that was probably meant, or all names when there are at most twelve. */
export const suggestion = (name: string, known: ReadonlyArray<string>): string => {
  const best = closest(name, known)
  if (best !== undefined) return `; did you mean '${best}'?`
  return known.length > 0 && known.length <= 12 ? `; one of ${known.join(", ")} is expected` : ""
}
