import { readFileSync, writeFileSync } from "node:fs"
import type { KnownDifference } from "./Known.ts"

const BEGIN = "<!-- begin of known.json: npm run test:differential -- --docs writes it -->"
const END = "<!-- end of known.json -->"

/** Columns of a line of the document. */
const WIDTH = 120

/** The topics of known differences, in the order of the document. */
export const topics: ReadonlyArray<string> = [
  "Values and texts",
  "Filters and limits",
  "Children and branches",
  "Equal traversers",
  "Order",
  "Maps, select() and by()",
  "Side effects and group()",
  "match()",
  "Changes of the graph",
  "Sacks",
  "Strategies and computers"
]

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

/** A known difference as an item of a list in Markdown, with its example. */
const item = ({ reason, example }: KnownDifference): string =>
  `${wrapped(reason)}\n\n      ${example.gremlin.replace(/^g\b/, example.source)}\n`

/** The known differences as a section of Markdown for each topic. A topic without differences has none. */
const listed = (rules: ReadonlyArray<KnownDifference>): string =>
  topics
    .map((topic) => ({ topic, own: rules.filter((rule) => rule.topic === topic) }))
    .filter(({ own }) => own.length > 0)
    .map(({ topic, own }) => `### ${topic}\n\n${own.map(item).join("")}`)
    .join("\n")

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
