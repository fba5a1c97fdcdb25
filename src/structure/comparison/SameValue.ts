import { areOtherIdentities } from "../collections/Equivalence.ts"
import { areSameNumbers } from "../numbers/NumberOrder.ts"
import { isNumber } from "../numbers/Numbers.ts"
import { equals } from "./Equality.ts"

/** Java's equals(), by which TinkerPop compares objects that it keeps: 1 and 1L differ, also in lists. NaN is equal to NaN. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (isNumber(a) && isNumber(b)) return areSameNumbers(a, b)
  if (!Array.isArray(a) || !Array.isArray(b) || areOtherIdentities(a, b)) return equals(a, b)
  return a.length === b.length && a.every((member, at) => isSame(member, b[at]))
}
