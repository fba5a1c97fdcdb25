import { createHash } from "node:crypto"
import type { Budget } from "../budget/Budget.ts"
import type { Methods } from "../methods/MethodTable.ts"
import { withoutLone } from "../values/Charsets.ts"
import { Unavailable } from "../values/OperandErrors.ts"

/** Java's names of the algorithms that every JVM has, and those of Node.js. */
const algorithms: ReadonlyMap<string, string> = new Map([
  ["MD5", "md5"],
  ["SHA", "sha1"],
  ["SHA1", "sha1"],
  ["SHA-1", "sha1"],
  ["SHA-256", "sha256"],
  ["SHA-384", "sha384"],
  ["SHA-512", "sha512"]
])

/** Characters that count as one item of work: they are hashed fast. */
const CHARS_PER_ITEM_SHIFT = 5

/** The name of an algorithm of Java in Node.js. Fails with Unavailable for an unknown algorithm. */
export const digestOf = (name: string): string => {
  const algorithm = algorithms.get(name.toUpperCase())
  if (algorithm !== undefined) return algorithm
  throw new Unavailable(`digest() takes ${[...algorithms.keys()].join(", ")} in scripts, not ${name}`)
}

/** The digest of the UTF-8 bytes of a text in hexadecimal digits. Fails with Unavailable for an unknown algorithm. */
const digest = (text: string, name: string, budget: Budget): string => {
  const algorithm = digestOf(name)
  budget.spend(text.length >> CHARS_PER_ITEM_SHIFT, "a digest")
  return budget.string(
    createHash(algorithm)
      .update(withoutLone(budget.whole(text)), "utf8")
      .digest("hex")
  )
}

/** Groovy's digests of strings. */
export const textDigests: Methods = {
  md5: [0, 0, (value: string, _, budget) => digest(value, "MD5", budget)],
  sha256: [0, 0, (value: string, _, budget) => digest(value, "SHA-256", budget)],
  digest: [1, 1, (value: string, [algorithm], budget) => digest(value, String(algorithm), budget)]
}
