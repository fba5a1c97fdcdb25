import { closest } from "../../structure/characters/Spelling.ts"

/** Names that a message lists. */
const MAX_LISTED_NAMES = 15

/** The end of an error message: the name that was probably meant, or all names unless there are too many. */
export const suggestion = (name: string, known: ReadonlyArray<string>): string => {
  const best = closest(name, known)
  if (best !== undefined) return `; did you mean '${best}'?`
  return known.length > 0 && known.length <= MAX_LISTED_NAMES ? `; one of ${known.join(", ")} is expected` : ""
}
