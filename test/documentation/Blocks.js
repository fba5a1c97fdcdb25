import { readFileSync } from "node:fs"

/**
 * The fenced blocks of a document, and the text that a program prints according to the document: the next `text` block
 * behind the words "It prints". A module of JavaScript, because test/clients/toolchains.js reads it without a build.
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
    // Only the block that follows at once is what this one prints.
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
