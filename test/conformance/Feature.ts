/** One line of a scenario: its text without the keyword, and the doc string or table that follows it. */
export interface Step {
  readonly text: string
  /** 1-based line in the feature file */
  readonly line: number
  readonly docString?: string
  /** the rows of the data table, cells unescaped and trimmed */
  readonly table?: ReadonlyArray<ReadonlyArray<string>>
}

/** A scenario of a feature file. */
export interface Scenario {
  /** path of the feature below the folder of all features, without the extension: `map/AddEdge` */
  readonly feature: string
  /** first part of the path: map, filter, sideEffect ... */
  readonly folder: string
  readonly name: string
  /** Identifies the scenario in reports and in the baseline. A repeated name in a file ends with ` (2)`. */
  readonly key: string
  readonly tags: ReadonlyArray<string>
  readonly steps: ReadonlyArray<Step>
}

/** White space around a table cell. U+3000 and similar characters are data in cells of the suite. */
const blanks = /^[ \t]+|[ \t]+$/g

const unescapeCell = (cell: string): string =>
  cell.replace(/\\(.)/g, (whole, next: string) => (next === "n" ? "\n" : next === "|" || next === "\\" ? next : whole))

const splitRow = (row: string): ReadonlyArray<string> => {
  const cells = row.slice(1).match(/(?:\\.|[^|\\])*\|/g) ?? []
  return cells.map((cell) => unescapeCell(cell.slice(0, -1).replace(blanks, "")))
}

/**
 * Parses one feature file. It supports the part of Gherkin that the suite uses: Feature, Scenario, tags, comments, Given,
 * When, Then, And, doc strings in triple quotes, and data tables. Other syntax is an error with the line number, because an
 * ignored construct would silently test less.
 */
export const parseFeature = (feature: string, text: string): ReadonlyArray<Scenario> => {
  const scenarios: Array<Scenario> = []
  const names = new Map<string, number>()
  let featureTags: ReadonlyArray<string> = []
  let tags: Array<string> = []
  let steps: Array<{ text: string; line: number; docString?: string; table?: Array<ReadonlyArray<string>> }> | undefined
  const lines = text.split(/\r?\n/)
  for (let index = 0; index < lines.length; index++) {
    const raw = lines[index]!
    const line = raw.trim()
    const fail = (what: string): never => {
      throw new Error(`${feature}.feature, line ${index + 1}: ${what}: ${line}`)
    }
    if (line === "" || line.startsWith("#")) continue
    if (line.startsWith("@")) {
      tags.push(...line.split(/\s+/))
    } else if (line.startsWith("Feature:")) {
      featureTags = tags
      tags = []
    } else if (line.startsWith("Scenario:")) {
      const name = line.slice("Scenario:".length).trim()
      const seen = (names.get(name) ?? 0) + 1
      names.set(name, seen)
      steps = []
      const key = `${feature}#${name}${seen > 1 ? ` (${seen})` : ""}`
      const folder = feature.split("/")[0]!
      scenarios.push({ feature, folder, name, key, tags: [...featureTags, ...tags], steps })
      tags = []
    } else if (/^(Given|When|Then|And) /.test(line)) {
      if (steps === undefined) return fail("a step before the first scenario")
      steps.push({ text: line.replace(/^\w+ /, ""), line: index + 1 })
    } else if (line === '"""') {
      const step = steps?.at(-1) ?? fail("a doc string without a step")
      const indent = raw.indexOf('"""')
      const content: Array<string> = []
      for (index++; index < lines.length && lines[index]!.trim() !== '"""'; index++) {
        const inner = lines[index]!
        content.push(inner.slice(0, indent).trim() === "" ? inner.slice(indent) : inner.trimStart())
      }
      if (index === lines.length) fail("a doc string without its end")
      step.docString = content.join("\n")
    } else if (line.startsWith("|")) {
      const step = steps?.at(-1) ?? fail("a table without a step")
      step.table = [...(step.table ?? []), splitRow(line)]
    } else {
      fail("not a line this reader knows")
    }
  }
  return scenarios
}
