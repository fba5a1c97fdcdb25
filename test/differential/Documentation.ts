import { readFileSync, writeFileSync } from "node:fs"
import type { KnownDifference } from "./Known.ts"

const BEGIN = "<!-- begin of known.json: npm run test:differential -- --docs writes it -->"
const END = "<!-- end of known.json -->"

/** Columns of a line of the document. */
const WIDTH = 120

const wrapped = (text: string): string => {
  const lines: Array<string> = []
  let line = "-"
  for (const word of text.split(" ")) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = " "
    }
    line += ` ${word}`
  }
  return [...lines, line].join("\n")
}

/** The known differences as a list in Markdown. */
const listed = (rules: ReadonlyArray<KnownDifference>): string =>
  rules
    .map(({ reason, example }) => `${wrapped(reason)}\n\n      ${example.gremlin.replace(/^g\b/, example.source)}\n`)
    .join("")

/** Inserts the known differences into a document between its marks. Throws if the marks are missing. */
export const documented = (document: string, rules: ReadonlyArray<KnownDifference>): string => {
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END)
  if (begin < 0 || end < begin)
    throw new Error(`docs/reference/differences.md has no place for known.json: ${BEGIN} ... ${END}`)
  return `${document.slice(0, begin + BEGIN.length)}\n\n${listed(rules)}\n${document.slice(end)}`
}

/** Writes the known differences into a document. */
export const writeDocumentation = (file: string, rules: ReadonlyArray<KnownDifference>): void =>
  writeFileSync(file, documented(readFileSync(file, "utf8"), rules))
