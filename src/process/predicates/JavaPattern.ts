import { TraversalInvalid } from "../language/Errors.ts"

/**
 * Translates java.util.regex syntax to RE2. Constructs with another spelling in RE2 are rewritten. Constructs with another
 * meaning or without a counterpart in RE2 are refused by name, so that no pattern has another meaning than on Gremlin Server.
 */

/** Java's line terminators, as members of a class. RE2 knows only \n. */
const terminators = "\\n\\r\\x{85}\\x{2028}\\x{2029}"
const horizontalSpace = " \\t\\x{a0}\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}"
const verticalSpace = "\\n\\x{b}\\f\\r\\x{85}\\x{2028}\\x{2029}"

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

/** Escapes with the same meaning in RE2 and Java, inside and outside of classes. */
const sharedEscapes = "dDwWtnrfa"

/** Escapes of Java without a counterpart in RE2. */
const refusedEscapes: { readonly [letter: string]: string } = {
  Z: "\\Z (use $ or \\z)",
  G: "\\G",
  X: "\\X",
  N: "\\N{..}",
  C: "\\C",
  k: "the back-reference \\k"
}

/** The pattern in RE2's syntax. Throws TraversalInvalid with the construct that is not supported. */
export const rewriteJavaPattern = (pattern: string): string => new PatternRewriter(pattern).run()

/** Rewrites one pattern. */
class PatternRewriter {
  readonly #pattern: string
  #at = 0
  #inClass = false
  /** The pattern has (?s), so that the dot matches everything. */
  readonly #dotAll: boolean
  /** The pattern has (?m), so that $ matches at ends of lines. */
  readonly #multiline: boolean

  constructor(pattern: string) {
    this.#pattern = pattern
    this.#dotAll = /\(\?[a-z]*s/.test(pattern)
    this.#multiline = /\(\?[a-z]*m/.test(pattern)
  }

  run(): string {
    let result = ""
    while (this.#at < this.#pattern.length) {
      const character = this.#pattern[this.#at]!
      if (character === "\\") result += this.#escape()
      else result += this.#inClass ? this.#member(character) : this.#plain(character)
    }
    return result
  }

  /** Skips the next `length` characters of the pattern and returns their translation. */
  #take(length: number, text = this.#pattern.slice(this.#at, this.#at + length)): string {
    this.#at += length
    return text
  }

  #plain(character: string): string {
    switch (character) {
      case ".":
        return this.#take(1, this.#dotAll ? "." : `[^${terminators}]`)
      case "$":
        // Without (?m) Java's $ also matches before a line terminator at the end of the text.
        return this.#take(1, this.#multiline ? "$" : `(?:\\r\\n|[${terminators}])?\\z`)
      case "(":
        return this.#group()
      case "[":
        return this.#openClass()
      case "*":
      case "+":
      case "?":
      case "}":
        if (this.#pattern[this.#at + 1] === "+") this.#refuse("a possessive quantifier")
        return this.#take(1)
      default:
        return this.#take(1)
    }
  }

  #group(): string {
    const next = this.#pattern.slice(this.#at + 1, this.#at + 4)
    if (next.startsWith("?=") || next.startsWith("?!")) this.#refuse("look-ahead")
    if (next === "?<=" || next === "?<!") this.#refuse("look-behind")
    if (next.startsWith("?>")) this.#refuse("an atomic group")
    const flags = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]*))?[:)]/.exec(this.#pattern.slice(this.#at, this.#at + 20))
    if (flags === null) return this.#take(1)
    const [whole, on = "", off = ""] = flags
    const unknown = /[^imsu]/.exec(on + off)
    if (unknown !== null) this.#refuse(`the flag (?${unknown[0]})`)
    // (?u) only extends (?i) to Unicode, which RE2's (?i) covers already.
    const kept = on.replace("u", "")
    const dropped = off.replace("u", "")
    const end = whole[whole.length - 1]!
    const bare = kept === "" && dropped === "" && end === ")"
    return this.#take(whole.length, bare ? "" : `(?${kept}${dropped === "" ? "" : `-${dropped}`}${end}`)
  }

  #openClass(): string {
    this.#inClass = true
    const length = this.#pattern[this.#at + 1] === "^" ? 2 : 1
    // A ] in the first position is a member.
    return this.#take(this.#pattern[this.#at + length] === "]" ? length + 1 : length)
  }

  #member(character: string): string {
    if (character === "]") this.#inClass = false
    if (character === "[") this.#refuse("a character class inside another (write its members out, or \\p{..})")
    if (character === "&" && this.#pattern[this.#at + 1] === "&") this.#refuse("the intersection && of classes")
    return this.#take(1)
  }

  #escape(): string {
    const letter = this.#pattern[this.#at + 1]
    if (letter === undefined) return this.#refuse("a backslash at its end")
    if (Object.hasOwn(refusedEscapes, letter)) this.#refuse(refusedEscapes[letter]!)
    if (letter >= "1" && letter <= "9") this.#refuse(`the back-reference \\${letter}`)
    switch (letter) {
      case "Q":
        return this.#quote()
      case "u":
        return this.#codePoint()
      case "p":
      case "P":
        return this.#property(letter === "P")
      case "0":
        return this.#octal()
      case "c":
        return this.#take(3, hex((this.#pattern.charCodeAt(this.#at + 2) ^ 64) & 0xff))
      case "e":
        return this.#take(2, "\\x{1b}")
      case "h":
        return this.#space(horizontalSpace, false)
      case "H":
        return this.#space(horizontalSpace, true)
      case "v":
        return this.#space(verticalSpace, false)
      case "V":
        return this.#space(verticalSpace, true)
      case "s":
        return this.#space("\\s\\x{b}", false)
      case "S":
        return this.#space("\\s\\x{b}", true)
      case "R":
        return this.#inClass ? this.#refuse("\\R in a class") : this.#take(2, `(?:\\r\\n|[${verticalSpace}])`)
      default:
        return this.#simpleEscape(letter)
    }
  }

  #simpleEscape(letter: string): string {
    if (sharedEscapes.includes(letter) || (!this.#inClass && "AzbB".includes(letter))) return this.#take(2)
    if (letter === "x") return this.#take(2)
    if (/[a-zA-Z]/.test(letter)) this.#refuse(`\\${letter}`)
    // RE2 allows a backslash only before ASCII signs.
    return this.#take(2, letter < "\x80" ? `\\${letter}` : letter)
  }

  #quote(): string {
    const end = this.#pattern.indexOf("\\E", this.#at)
    const text = this.#pattern.slice(this.#at + 2, end === -1 ? undefined : end)
    return this.#take(text.length + (end === -1 ? 2 : 4), text.replace(/[\\^$.|?*+()[\]{}&-]/g, "\\$&"))
  }

  /** \uXXXX, or two of them for a surrogate pair. */
  #codePoint(): string {
    const pair = /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(
      this.#pattern.slice(this.#at, this.#at + 12)
    )
    if (pair !== null) {
      const units = [Number.parseInt(pair[1]!, 16), Number.parseInt(pair[2]!, 16)]
      return this.#take(12, hex(String.fromCharCode(...units).codePointAt(0)!))
    }
    const digits = this.#pattern.slice(this.#at + 2, this.#at + 6)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#refuse("\\u without four hexadecimal digits")
    return this.#take(6, hex(Number.parseInt(digits, 16)))
  }

  #octal(): string {
    const match = /^\\0([0-3]?[0-7]{1,2})/.exec(this.#pattern.slice(this.#at, this.#at + 5))
    if (match === null) return this.#refuse("\\0 without octal digits")
    return this.#take(match[0].length, hex(Number.parseInt(match[1]!, 8)))
  }

  /** A class of white space; only its members inside another class. */
  #space(members: string, negated: boolean): string {
    if (this.#inClass) {
      if (negated) this.#refuse(`\\${this.#pattern[this.#at + 1]} in a class`)
      return this.#take(2, members)
    }
    return this.#take(2, `[${negated ? "^" : ""}${members}]`)
  }

  #property(negated: boolean): string {
    const match = /^\\[pP](?:\{([^{}]*)\}|(.))/.exec(this.#pattern.slice(this.#at, this.#at + 80))
    if (match === null) return this.#refuse("\\p without a name")
    const name = (match[1] ?? match[2]!).replace(/^(?:Is|(?:script|sc|general_category|gc)=)/, "")
    const ascii = asciiClasses[name]
    if (ascii !== undefined && !name.startsWith("Is")) {
      const inside = `[:${negated ? "^" : ""}${ascii}:]`
      return this.#take(match[0].length, this.#inClass ? inside : `[${inside}]`)
    }
    if (/^(?:In|java|block=|blk=)/.test(name)) this.#refuse(match[0])
    return this.#take(match[0].length, `\\${negated ? "P" : "p"}{${name}}`)
  }

  #refuse(construct: string): never {
    throw new TraversalInvalid(
      `The regular expression '${this.#pattern}' cannot be used: ${construct} is not supported here (at position ${this.#at}).`
    )
  }
}

const hex = (codePoint: number): string => `\\x{${codePoint.toString(16)}}`
