/** What a \p{..} of java.util.regex is in RE2. */
interface PropertyClass {
  /** Its characters, as members of a character class. */
  readonly members: string
  /** All other characters, as members; undefined if members cannot say it. */
  readonly others: string | undefined
}

/** Names of \p{..} that are ASCII classes in Java, with their names in RE2. */
const asciiClasses: { readonly [name: string]: string } = {
  Lower: "lower",
  Upper: "upper",
  ASCII: "ascii",
  Alpha: "alpha",
  Digit: "digit",
  Alnum: "alnum",
  Punct: "punct",
  Graph: "graph",
  Print: "print",
  Blank: "blank",
  Cntrl: "cntrl",
  XDigit: "xdigit",
  Space: "space"
}

/** Members that several properties have: the graphic characters, the characters that join others, and hexadecimal digits. */
const graphic = "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}"
const joinControls = "\\x{200c}\\x{200d}"
const hexadecimal = "\\p{Nd}\\p{Hex_Digit}"

/**
 * Names of \p{Is..} that are properties of Unicode in Java, in upper case, with their members in RE2. Java ignores the case of these
 * names. The names of ASCII classes are among them: \p{Digit} is 0 to 9, and \p{IsDigit} is every decimal digit.
 */
const unicodeProperties: { readonly [name: string]: string } = {
  ALPHABETIC: "\\p{Alphabetic}",
  ALPHA: "\\p{Alphabetic}",
  LETTER: "\\p{L}",
  LOWERCASE: "\\p{Lowercase}",
  LOWER: "\\p{Lowercase}",
  UPPERCASE: "\\p{Uppercase}",
  UPPER: "\\p{Uppercase}",
  TITLECASE: "\\p{Lt}",
  WHITE_SPACE: "\\p{White_Space}",
  WHITESPACE: "\\p{White_Space}",
  SPACE: "\\p{White_Space}",
  CONTROL: "\\p{Cc}",
  CNTRL: "\\p{Cc}",
  PUNCTUATION: "\\p{P}",
  PUNCT: "\\p{P}",
  HEX_DIGIT: hexadecimal,
  HEXDIGIT: hexadecimal,
  XDIGIT: hexadecimal,
  DIGIT: "\\p{Nd}",
  ALNUM: "\\p{Alphabetic}\\p{Nd}",
  BLANK: "\\p{Zs}\\t",
  GRAPH: graphic,
  PRINT: `${graphic}\\p{Zs}`,
  WORD: `\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}${joinControls}`,
  JOIN_CONTROL: joinControls,
  JOINCONTROL: joinControls
}

/** Properties of letters that match the letters of every case with (?i): ASCII classes, categories, and properties of Unicode. */
const asciiCased = /^(?:Lower|Upper)$/
const categoriesCased = /^(?:Lu|Ll|Lt)$/
const propertiesCased = /^(?:LOWER|UPPER|TITLE)(?:CASE)?$/

/**
 * The \p{..} of java.util.regex with this name in RE2. `ignoresCase` says that (?i) is on. Undefined for a property that is refused; a
 * name that neither knows is left to RE2, which refuses it.
 */
export const javaProperty = (name: string, ignoresCase: boolean): PropertyClass | undefined => {
  if (/^(?:In|java|block=|blk=)/.test(name)) return undefined
  const plain = name.replace(/^(?:Is|(?:script|sc|general_category|gc)=)/, "")
  const upper = plain.toUpperCase()
  if (name.startsWith("Is") && Object.hasOwn(unicodeProperties, upper)) {
    const isCased = ignoresCase && propertiesCased.test(upper)
    return inUnicode(isCased ? "\\p{Lowercase}\\p{Uppercase}\\p{Lt}" : unicodeProperties[upper]!)
  }
  if (Object.hasOwn(asciiClasses, plain)) {
    const ascii = ignoresCase && asciiCased.test(plain) ? "alpha" : asciiClasses[plain]
    return { members: `[:${ascii}:]`, others: `[:^${ascii}:]` }
  }
  return inUnicode(ignoresCase && categoriesCased.test(plain) ? "\\p{Lu}\\p{Ll}\\p{Lt}" : `\\p{${plain}}`)
}

const inUnicode = (members: string): PropertyClass => ({
  members,
  others: /^\\p\{[^{}]*\}$/.test(members) ? members.replace("\\p", "\\P") : undefined
})
