import type { Line } from "./Line.ts"
import { reasonOfDifference } from "./Reasons.ts"
import type { Played } from "./Session.ts"

/** The result of a statement on both servers. */
export type Verdict = "same" | "ran" | "different" | "refused" | "fails on both" | "runs only here"

/** Types of this server's objects by the class of JanusGraph. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ["ManagementSystem", "management"],
  ["StandardScanMetrics", "scan metrics"]
])

/** The parts of a text between the commas that are in no bracket. */
const partsOf = (text: string): string[] => {
  const parts: string[] = []
  let depth = 0
  let begin = 0
  for (let at = 0; at < text.length; at++) {
    if ("[{(".includes(text[at]!)) depth++
    else if ("]})".includes(text[at]!)) depth--
    else if (text[at] === "," && depth === 0) {
      parts.push(text.slice(begin, at).trim())
      begin = at + 1
    }
  }
  return [...parts, text.slice(begin).trim()]
}

/** A map has no order, nor has one inside of it. */
const withoutOrder = (text: string): string => {
  const [, before = "", inside] = /^([^{}[\]]*)\{(.*)\}$/s.exec(text) ?? []
  if (inside === undefined) return text
  return `${before}{${partsOf(inside).map(withoutOrder).sort().join(", ")}}`
}

/** Ids, times and the last digits of numbers that differ between two servers, and the order of results, are no difference. */
const comparable = (texts: readonly string[]): string =>
  texts
    .map((text) =>
      withoutOrder(text)
        // Objects of Java, which this server names by their type.
        .replace(/^[\w.$]+\.([A-Z]\w+)@[\da-f]{4,}$/, (_, name: string) => ownNames.get(name) ?? name)
        .replace(/0x[\da-f]+|@[\da-f]{4,}/g, "@")
        .replace(/\bv\[\d+\]/g, "v[#]")
        .replace(/\be\[[\w-]+\]\[\d+-([^\]]*?)->\d+\]/g, "e[#][$1]")
        .replace(/(?:standardjanusgraph|inmemory)\[.*?\]+/g, "inmemory")
        .replace(/elapsed=PT[\d.]+S/g, "elapsed")
        .replace(/\b(\d+\.\d{10})\d+/g, "$1")
        .replace(/\b\d{6,}\b/g, "#")
    )
    .sort()
    .join("\n")

/** Compares the answers to one statement. Without a reference a statement ran or was refused. */
export const verdictOf = ({ here, there }: Pick<Line, "here" | "there">): Verdict => {
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

const grouped = <Item, Key>(lines: readonly Item[], keyOf: (line: Item) => Key): Array<readonly [Key, Item[]]> => {
  const groups = new Map<Key, Item[]>()
  for (const line of lines) {
    const key = keyOf(line)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [line])
    else group.push(line)
  }
  return [...groups].sort(([, left], [, right]) => right.length - left.length)
}

/** The variables that a statement assigns. */
const assignedIn = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:def\s+)?([A-Za-z_]\w*)\s*=(?![=~])/gm)].map(([, name = ""]) => name)

/** The name of the variable that an error says does not exist. */
const missingVariable = (message: string): string | undefined => /there is no variable (\w+)/.exec(message)?.[1]

/**
 * The refused statements that are a consequence of another one of their page: the variable that they use is the result of a
 * statement that was refused.
 */
export const consequences = (lines: readonly Line[]): ReadonlySet<Line> => {
  const found = new Set<Line>()
  for (const [, page] of grouped(lines, ({ block }) => block.page)) {
    const unassigned = new Set<string>()
    for (const line of page) {
      if (verdictOf(line) === "refused") {
        const missing = line.here.kind === "error" ? missingVariable(line.here.message) : undefined
        if (missing !== undefined && unassigned.has(missing)) found.add(line)
        for (const name of assignedIn(line.statement.text)) unassigned.add(name)
      } else for (const name of assignedIn(line.statement.text)) unassigned.delete(name)
    }
  }
  return found
}

const place = ({ block, isAlone, statement }: Line): string =>
  `${block.page}:${block.line + statement.line}${isAlone ? " (alone)" : ""}`

const answerText = (played: Played): string =>
  shown(played.kind === "results" ? played.texts.join(" | ") : `error: ${played.message}`)

const isDifference = (line: Line): boolean => ["different", "runs only here"].includes(verdictOf(line))

/** How a block ran as a whole: as the worst of its statements did. */
const blockVerdict = (of: readonly Line[]): string => {
  const verdicts = of.map((line) => (isDifference(line) && reasonOfDifference(line) ? "explained" : verdictOf(line)))
  const worst = ["refused", "different", "runs only here", "explained", "fails on both"].find((verdict) =>
    verdicts.includes(verdict as Verdict | "explained")
  )
  return worst ?? verdicts[0] ?? "empty"
}

/** The refused statements with their reasons, the most frequent first. */
const refusals = (lines: readonly Line[], following: ReadonlySet<Line>): string[] => {
  const refused = lines.filter((line) => verdictOf(line) === "refused" && !following.has(line))
  const out: string[] = []
  for (const [reason, of] of grouped(refused, ({ here }) => (here.kind === "error" ? reasonOf(here.message) : ""))) {
    out.push(`\n${of.length} x ${reason}`)
    for (const line of of.slice(0, SHOWN_STATEMENTS)) out.push(`    ${place(line)}  ${shown(line.statement.text)}`)
  }
  return out
}

/** The differences: those with a reason by their reason, and the others each with both answers. */
const differences = (lines: readonly Line[]): string[] => {
  const all = lines.filter(isDifference)
  const out: string[] = []
  for (const [reason, of] of grouped(all, reasonOfDifference)) {
    if (reason === undefined) continue
    out.push(`\n${of.length} x differs: ${reason}`)
    for (const line of of) out.push(`    ${place(line)}  ${shown(line.statement.text)}`)
  }
  for (const line of all.filter((each) => reasonOfDifference(each) === undefined)) {
    out.push(`\n${verdictOf(line)}: ${place(line)}  ${shown(line.statement.text)}`)
    out.push(`    here:  ${answerText(line.here)}`)
    if (line.there !== undefined) out.push(`    there: ${answerText(line.there)}`)
  }
  return out
}

/** The report of a run: the sums, then the refusals by reason with the most frequent first, then the differences. */
export const report = (lines: readonly Line[]): string => {
  const blocks = grouped(lines, ({ block }) => block).map(([, of]) => of)
  const alone = blocks.filter((of) => of.some(({ isAlone }) => isAlone)).length
  const out = [`${blocks.length} blocks, ${alone} of them alone:`]
  for (const [verdict, of] of grouped(blocks, blockVerdict)) out.push(`  ${verdict}: ${of.length}`)
  out.push(`${lines.length} statements:`)
  for (const [verdict, of] of grouped(lines, verdictOf)) out.push(`  ${verdict}: ${of.length}`)
  const following = consequences(lines)
  if (following.size > 0) out.push(`  ${following.size} of the refused ones use the result of another refused one`)
  return [...out, ...refusals(lines, following), ...differences(lines)].join("\n")
}
