import { TextSearch } from "../../structure/characters/TextSearch.ts"
import { briefText } from "../../structure/texts/Text.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import { regularExpression } from "./RegularExpression.ts"

/**
 * The test of one of TinkerPop's comparisons of texts, such as startingWith(): false for values other than texts. Throws TraversalInvalid
 * for an operand that is no text.
 */
export const textTest = (operator: string, operand: unknown): ((value: unknown) => boolean) => {
  if (operator.startsWith("not")) {
    const test = textTest(operator[3]!.toLowerCase() + operator.slice(4), operand)
    return (value) => !test(value)
  }
  if (operand === null || operand === undefined) return () => false
  if (typeof operand !== "string") {
    throw new TraversalInvalid(`TextP.${operator}() needs a string, but was given ${briefText(operand)}.`)
  }
  switch (operator) {
    case "startingWith":
      return (value) => typeof value === "string" && value.startsWith(operand)
    case "endingWith":
      return (value) => typeof value === "string" && value.endsWith(operand)
    case "containing": {
      const search = new TextSearch(operand)
      return (value) => typeof value === "string" && search.indexIn(value) >= 0
    }
    case "regex": {
      const matches = regularExpression(operand)
      return (value) => typeof value === "string" && matches(value)
    }
    default:
      throw new TraversalInvalid(`TextP.${operator}() is not a known predicate.`)
  }
}
