/** A block of Groovy in a page of a manual. */
export interface Block {
  /** The file of the page, relative to the folder that was read. */
  readonly page: string
  /** The line of the block's first line, from 1. */
  readonly line: number
  /** The data set that the block begins with, such as `modern`; `existing` continues the block before. Empty: not said. */
  readonly dataset: string
  /** The lines as they are printed. */
  readonly lines: readonly string[]
}

/** The first line of a fence in Markdown, and the indentation of its lines. */
const MARKDOWN_FENCE = /^(\s*)```\s*groovy\b/

/** The attributes of a block that TinkerPop's documentation evaluates in the console, or only shows. */
const ASCIIDOC_ATTRIBUTES = /^\[(gremlin-groovy|source,groovy)(?:,([\w-]+))?\]/

/** The Groovy blocks of a page in Markdown, as JanusGraph's manual has them. */
export const markdownBlocks = (page: string, text: string): Block[] => {
  const blocks: Block[] = []
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const [begin, indentation = ""] = MARKDOWN_FENCE.exec(lines[at]!) ?? []
    if (begin === undefined) continue
    const end = lines.findIndex((line, index) => index > at && line.trim().startsWith("```"))
    const last = end === -1 ? lines.length : end
    const inside = lines.slice(at + 1, last).map((line) => withoutIndentation(line, indentation))
    blocks.push({ page, line: at + 2, dataset: "", lines: inside })
    at = last
  }
  return blocks
}

const withoutIndentation = (line: string, indentation: string): string =>
  line.startsWith(indentation) ? line.slice(indentation.length) : line.trimStart()

/** The Groovy blocks of a page in AsciiDoc, as TinkerPop's reference has them. */
export const asciidocBlocks = (page: string, text: string): Block[] => {
  const blocks: Block[] = []
  const lines = text.split(/\r?\n/)
  for (let at = 0; at + 1 < lines.length; at++) {
    const [, kind, option = ""] = ASCIIDOC_ATTRIBUTES.exec(lines[at]!) ?? []
    if (kind === undefined || lines[at + 1] !== "----") continue
    const end = lines.indexOf("----", at + 2)
    const last = end === -1 ? lines.length : end
    // The preprocessor of the reference gives a block without a data set an empty graph; a block that is only shown has none.
    const dataset = kind === "gremlin-groovy" ? option || "empty" : ""
    blocks.push({ page, line: at + 3, dataset, lines: lines.slice(at + 2, last) })
    at = last
  }
  return blocks
}

const PROMPT = /^(?:gremlin> ?|\.{4,}\d+> ?)/

/** What the console, or a comment of the manual, prints. */
const OUTPUT = /^(?:==>|>> )/

/** The lines of a block that a reader types into the console. */
export const typedLines = ({ lines }: Block): string[] => {
  const isTranscript = lines.some((line) => PROMPT.test(line))
  return lines
    .filter((line) => (!isTranscript || PROMPT.test(line)) && !OUTPUT.test(line))
    .map((line) => line.replace(PROMPT, "").replace(/\s*(?:<\d+>\s*)+$/, ""))
}
