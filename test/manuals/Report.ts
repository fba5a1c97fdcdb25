import type { Line } from "./Play.ts"

/** The result of a statement on both servers. */
export type Verdict = "same" | "ran" | "different" | "refused" | "fails on both" | "runs only here"

/** Types of this server's objects by the class of JanusGraph. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ["ManagementSystem", "management"],
  ["StandardScanMetrics", "scan metrics"]
])

/** Ids and times that differ between two servers, and the order of results, are no difference. */
const comparable = (texts: readonly string[]): string =>
  texts
    .map((text) =>
      text
        // Objects of Java, which this server names by their type.
        .replace(/^[\w.$]+\.([A-Z]\w+)@[\da-f]{4,}$/, (_, name: string) => ownNames.get(name) ?? name)
        .replace(/0x[\da-f]+|@[\da-f]{4,}/g, "@")
        .replace(/\bv\[\d+\]/g, "v[#]")
        .replace(/\be\[[\w-]+\]\[\d+-([^\]]*?)->\d+\]/g, "e[#][$1]")
        .replace(/inmemory:\[[\d.]+\]/g, "inmemory")
        .replace(/elapsed=PT[\d.]+S/g, "elapsed")
        .replace(/\b\d{6,}\b/g, "#")
    )
    .sort()
    .join("\n")

/** Compares the answers to one statement. Without a reference a statement ran or was refused. */
export const verdictOf = ({ here, there }: Line): Verdict => {
  if (there === undefined) return here.kind === "error" ? "refused" : "ran"
  if (here.kind === "error") return there.kind === "error" ? "fails on both" : "refused"
  if (there.kind === "error") return "runs only here"
  return comparable(here.texts) === comparable(there.texts) ? "same" : "different"
}

/** The reason of an error, without the parts that depend on the statement: position, names, numbers and texts. */
export const reasonOf = (message: string): string =>
  message
    .split("\n")[0]!
    .replace(/Scripts have Gremlin and a part of Groovy only.*/, "")
    .replace(/\bline \d+, column \d+:?/gi, "")
    .replace(/'[^']*'|"[^"]*"/g, "'...'")
    .replace(/\d+/g, "N")
    .trim()
    .slice(0, 160)

const SHOWN_STATEMENTS = 4
const SHOWN_LENGTH = 160

const shown = (text: string): string => text.replace(/\s+/g, " ").slice(0, SHOWN_LENGTH)

const grouped = (lines: readonly Line[], keyOf: (line: Line) => string): Array<readonly [string, Line[]]> => {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const key = keyOf(line)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [line])
    else group.push(line)
  }
  return [...groups].sort(([, left], [, right]) => right.length - left.length)
}

const place = ({ block, statement }: Line): string => `${block.page}:${block.line + statement.line}`

/** The report of a run: the sums, then the refusals by reason with the most frequent first, then the differences. */
export const report = (lines: readonly Line[]): string => {
  const blocks = new Map<Line["block"], Line[]>()
  for (const line of lines) {
    const of = blocks.get(line.block)
    if (of === undefined) blocks.set(line.block, [line])
    else of.push(line)
  }
  const isWhole = (of: readonly Line[]): boolean =>
    of.every((line) => !["refused", "different"].includes(verdictOf(line)))
  const whole = [...blocks.values()].filter(isWhole).length
  const out = [`${blocks.size} blocks, ${whole} without a refusal or a difference; ${lines.length} statements`]
  for (const [verdict, of] of grouped(lines, verdictOf)) out.push(`  ${verdict}: ${of.length}`)
  const refused = lines.filter((line) => verdictOf(line) === "refused")
  for (const [reason, of] of grouped(refused, ({ here }) => (here.kind === "error" ? reasonOf(here.message) : ""))) {
    out.push(`\n${of.length} x ${reason}`)
    for (const line of of.slice(0, SHOWN_STATEMENTS)) out.push(`    ${place(line)}  ${shown(line.statement.text)}`)
  }
  const different = lines.filter((line) => verdictOf(line) === "different")
  for (const line of different) {
    const { here, there } = line
    out.push(`\ndifferent: ${place(line)}  ${shown(line.statement.text)}`)
    if (here.kind === "results") out.push(`    here:  ${shown(here.texts.join(" | "))}`)
    if (there?.kind === "results") out.push(`    there: ${shown(there.texts.join(" | "))}`)
  }
  return out.join("\n")
}
