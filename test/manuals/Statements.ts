/** A statement of a block as the console evaluates it, with the number of its first line in the block, from 0. */
export interface Statement {
  readonly line: number
  readonly text: string
}

/** A scanner for brackets outside of strings and comments: how deep a line ends. */
interface Depth {
  readonly brackets: number
  /** The delimiter of the string that is open at the end of the line; `*` for a comment, empty for neither. */
  readonly open: string
}

const TOKEN = /'''|"""|\/\/|\/\*|\*\/|\\.|['"()[\]{}]/g

const depthAfter = (line: string, before: Depth): Depth => {
  let { brackets, open } = before
  for (const [token] of line.matchAll(TOKEN)) {
    if (open === "*") {
      if (token === "*/") open = ""
    } else if (open !== "") {
      if (token === open) open = ""
    } else if (token === "//") break
    else if (token === "/*") open = "*"
    else if (token.startsWith("'") || token.startsWith('"')) open = token
    else if ("([{".includes(token)) brackets++
    else if (")]}".includes(token)) brackets--
  }
  // A string of one quote ends with its line.
  return { brackets, open: open.length === 1 && open !== "*" ? "" : open }
}

const withoutComment = (line: string): string => line.replace(/(^|\s)\/\/.*$/, "").trimEnd()

/** Whether the console asks for another line after this one. */
const continues = (line: string): boolean => /(?:[.,+*?:=&|]|->|<<)$/.test(withoutComment(line)) && !/^:/.test(line)

/** Whether a line belongs to the statement before it. */
const belongs = (line: string | undefined): boolean =>
  line !== undefined && /^\s*(?:\.(?!\.)|\?\.|else\b|catch\b|finally\b|\)|\}|\])/.test(line)

/**
 * The statements of lines that are typed into the console: a line with open brackets or an operator at its end continues.
 * Commands of the console, which begin with `:`, and lines that are only a comment are left out.
 */
export const statementsOf = (lines: readonly string[]): Statement[] => {
  const statements: Statement[] = []
  let begin = 0
  let depth: Depth = { brackets: 0, open: "" }
  let collected: string[] = []
  for (const [index, line] of lines.entries()) {
    if (collected.length === 0) begin = index
    const isBlank = withoutComment(line) === ""
    if (collected.length === 0 && (isBlank || /^\s*:/.test(line))) continue
    collected.push(line)
    depth = depthAfter(line, depth)
    const isOpen = depth.brackets > 0 || depth.open !== ""
    const next = lines.slice(index + 1).find((each) => withoutComment(each) !== "")
    if (isOpen || continues(line) || belongs(next)) continue
    statements.push({ line: begin, text: collected.join("\n") })
    collected = []
    depth = { brackets: 0, open: "" }
  }
  if (collected.length > 0) statements.push({ line: begin, text: collected.join("\n") })
  return statements
}
