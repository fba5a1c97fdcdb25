/** Where the cursor is in a script. */
export interface Position {
  /** What has been typed of the name at the cursor. */
  readonly typed: string
  /** The text before the dot of that name: a name, or `)`; undefined without a dot. */
  readonly owner: string | undefined
  /** The call in whose brackets the cursor is, and which of its arguments; undefined outside of calls. */
  readonly call: { readonly name: string; readonly argument: number } | undefined
  /** The calls of the chain at whose end the cursor is: `V` and `out` after `g.V().out('knows').` */
  readonly chain: ReadonlyArray<string>
  /** The cursor is in a text or in a comment. */
  readonly isInText: boolean
}

/** Texts and comments, which have no calls. The last one may be open. */
const SKIPPED = /'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

/** A bracket that is open at the cursor. */
interface Bracket {
  /** The name before a round bracket; empty for others. */
  readonly call: string
  /** The name before the bracket, and whether a dot is before the name. */
  readonly name: string
  readonly isMember: boolean
  argument: number
  /** The calls so far of the last chain in the bracket. */
  chain: ReadonlyArray<string>
}

/** The brackets that are open after a text whose strings and comments were removed. The first one represents the script. */
const openAfter = (code: string): ReadonlyArray<Bracket> => {
  const script: Bracket = { call: "", name: "", isMember: false, argument: 0, chain: [] }
  const open = [script]
  for (const [mark, dot, name = ""] of code.matchAll(/(?:(\.)\s*)?([A-Za-z_]\w*)?\s*[([{]|[)\]},;=]/g)) {
    const inner = open.at(-1) ?? script
    if (/[,;=]/.test(mark)) {
      if (mark === ",") inner.argument++
      inner.chain = []
    } else if (/[)\]}]/.test(mark)) {
      if (open.length > 1) open.pop()
      const outer = open.at(-1) ?? script
      if (inner.name === "") outer.chain = []
      else outer.chain = inner.isMember ? [...outer.chain, inner.name] : [inner.name]
    } else {
      const call = mark.endsWith("(") ? name : ""
      open.push({ call, name, isMember: dot !== undefined, argument: 0, chain: [] })
    }
  }
  return open
}

/** The position after a text. */
export const positionAfter = (before: string): Position => {
  let isInText = false
  const code = before.replace(SKIPPED, (text, at: number) => {
    const isOpen = /^['"]/.test(text) ? text.length === 1 || text.at(-1) !== text[0] : !text.endsWith("*/")
    isInText = isOpen && at + text.length === before.length
    return text.startsWith("/") ? " " : "''"
  })
  const inner = openAfter(code).at(-1)
  const [, owner, typed = ""] = /(?:([A-Za-z_]\w*|[)\]}'])\s*\.\s*)?([A-Za-z_]\w*)?$/.exec(code) ?? []
  const call = inner === undefined || inner.call === "" ? undefined : { name: inner.call, argument: inner.argument }
  const chain = owner === undefined || !/[)}]/.test(owner) ? [] : (inner?.chain ?? [])
  return { typed, owner, call, chain, isInText }
}

/** Whether the chain of calls before the cursor is a traversal source with its configuration: `g.withPath().`. */
export const isAfterSource = (before: string): boolean =>
  /(?:^|[^\w.])g(?:\s*\.\s*with\w*\([^()]*\))*\s*\.\s*\w*$/.test(before)
