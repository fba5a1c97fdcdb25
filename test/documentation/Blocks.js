import { readFileSync } from "node:fs"

/**
 * The fenced blocks of a page, and the output of each program according to the page: the next `text` block after the words
 * "It prints". The module is JavaScript, because test/clients/toolchains.js imports it without a build.
 *
 * @param {URL | string} file
 * @returns {Array<{ language: string, code: string, prints: string | undefined }>}
 */
export const blocksOf = (file) => {
  const text = readFileSync(file, "utf8")
  const found = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => {
    const after = text.slice(match.index + match[0].length)
    const prints = /^\s*It prints:\s*```text\n([\s\S]*?)^```$/m.exec(after)
    const next = /^```\w+$/m.exec(after)
    // Only the block that follows directly is the output of this one.
    const own = prints !== null && prints.index <= (next?.index ?? 0) ? prints[1] : undefined
    return { language: String(match[1]), code: String(match[2]), prints: own }
  })
  return found.filter(({ language }) => language !== "text")
}

/**
 * The indented lines of a document that begin with a command.
 *
 * @param {URL | string} file
 * @param {string} command
 * @returns {Array<string>}
 */
export const linesOf = (file, command) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith(`    ${command} `))
    .map((line) => line.trim())
