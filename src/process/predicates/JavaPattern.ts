import { TraversalInvalid } from "../language/Errors.ts"
import { CasedClass, otherCases } from "./AsciiCase.ts"
import { javaProperty } from "./JavaProperties.ts"

/**
 * Translates java.util.regex syntax to RE2. Constructs with another spelling in RE2 are rewritten. Constructs with another
 * meaning or without a counterpart in RE2 are refused by name, so that no pattern has another meaning than on Gremlin Server.
 */

/** Java's line terminators, as members of a class. RE2 knows only \n. */
const terminators = "\\n\\r\\x{85}\\x{2028}\\x{2029}"
const horizontalSpace = " \\t\\x{a0}\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}"
const verticalSpace = "\\n\\x{b}\\f\\r\\x{85}\\x{2028}\\x{2029}"

/** Escapes with the same meaning in RE2 and Java, inside and outside of classes. */
const sharedClasses = "dDwW"
/** Escapes of single characters that both have, with their code points. */
const sharedCharacters: { readonly [letter: string]: number } = { t: 0x9, n: 0xa, r: 0xd, f: 0xc, a: 0x7 }

/** How far the end of the name of a group is looked for. */
const MAX_NAME_CHARS = 256

/** Escapes of Java without a counterpart in RE2. */
const refusedEscapes: { readonly [letter: string]: string } = {
  Z: "\\Z (use $ or \\z)",
  G: "\\G",
  X: "\\X",
  N: "\\N{..}",
  C: "\\C",
  k: "the back-reference \\k"
}

/** The flags of a part of a pattern: those that are on. */
type Flags = ReadonlySet<string>

/** True if RE2 is told to ignore the case. Its (?i) is Java's (?iu): without (?u) Java ignores the case of ASCII letters only. */
const foldsUnicode = (flags: Flags): boolean => flags.has("i") && flags.has("u")

/** The pattern in RE2's syntax. Throws TraversalInvalid with the construct that is not supported. */
export const rewriteJavaPattern = (pattern: string): string => new PatternRewriter(pattern).run()

/** Rewrites one pattern. */
class PatternRewriter {
  readonly #pattern: string
  #at = 0
  /** The open class. */
  #class: CasedClass | null = null
  #flags: Flags = new Set()
  /** The flags outside of the open groups. */
  readonly #outer: Array<Flags> = []

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  run(): string {
    let result = ""
    while (this.#at < this.#pattern.length) {
      const character = this.#pattern[this.#at]!
      if (character === "\\") result += this.#escape()
      else result += this.#class === null ? this.#plain(character) : this.#member(character, this.#class)
    }
    return result
  }

  /** Skips the next `length` characters of the pattern and returns their translation. */
  #take(length: number, text = this.#pattern.slice(this.#at, this.#at + length)): string {
    this.#at += length
    return text
  }

  get #foldsAscii(): boolean {
    return this.#flags.has("i") && !this.#flags.has("u")
  }

  /** Skips a character of the pattern, with its translation. */
  #literal(length: number, codePoint: number, text = hex(codePoint)): string {
    this.#class?.literal(codePoint)
    const others = this.#class === null && this.#foldsAscii ? otherCases(codePoint, codePoint) : ""
    return this.#take(length, others === "" ? text : `[${text}${others}]`)
  }

  #plain(character: string): string {
    switch (character) {
      case ".":
        return this.#take(1, this.#flags.has("s") ? "." : `[^${terminators}]`)
      case "$":
        // Without (?m) Java's $ also matches before a line terminator at the end of the text.
        return this.#take(1, this.#flags.has("m") ? "$" : `(?:\\r\\n|[${terminators}])?\\z`)
      case "(":
        return this.#group()
      case ")":
        this.#flags = this.#outer.pop() ?? this.#flags
        return this.#take(1)
      case "[":
        return this.#openClass()
      case "*":
      case "+":
      case "?":
      case "}":
        if (this.#pattern[this.#at + 1] === "+") this.#refuse("a possessive quantifier")
        return this.#take(1)
      default:
        return this.#literal(1, character.charCodeAt(0), character)
    }
  }

  #group(): string {
    const next = this.#pattern.slice(this.#at + 1, this.#at + 4)
    if (next.startsWith("?=") || next.startsWith("?!")) this.#refuse("look-ahead")
    if (next === "?<=" || next === "?<!") this.#refuse("look-behind")
    if (next.startsWith("?>")) this.#refuse("an atomic group")
    const flags = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]*))?[:)]/.exec(this.#pattern.slice(this.#at, this.#at + 20))
    if (flags === null) {
      this.#outer.push(this.#flags)
      const named = /^\(\?<[a-zA-Z][a-zA-Z0-9]*>/.exec(this.#pattern.slice(this.#at, this.#at + MAX_NAME_CHARS))
      return this.#take(named?.[0].length ?? 1)
    }
    const [whole, on = "", off = ""] = flags
    const unknown = /[^imsu]/.exec(on + off)
    if (unknown !== null) this.#refuse(`the flag (?${unknown[0]})`)
    const before = this.#flags
    const isGroup = whole.endsWith(":")
    if (isGroup) this.#outer.push(before)
    this.#flags = new Set([...before, ...on].filter((flag) => !off.includes(flag)))
    const folds = foldsUnicode(this.#flags)
    const changes = folds !== foldsUnicode(before)
    const kept = on.replace(/[iu]/g, "") + (changes && folds ? "i" : "")
    const dropped = off.replace(/[iu]/g, "") + (changes && !folds ? "i" : "")
    const text = kept + (dropped === "" ? "" : `-${dropped}`)
    return this.#take(whole.length, isGroup ? `(?${text}:` : text === "" ? "" : `(?${text})`)
  }

  #openClass(): string {
    this.#class = new CasedClass()
    const length = this.#pattern[this.#at + 1] === "^" ? 2 : 1
    const open = this.#take(length)
    // A ] in the first position is a member.
    return this.#pattern[this.#at] === "]" ? open + this.#literal(1, 0x5d, "\\]") : open
  }

  #member(character: string, members: CasedClass): string {
    if (character === "]") {
      this.#class = null
      return this.#take(1, this.#foldsAscii ? `${members.others}]` : "]")
    }
    if (character === "[") this.#refuse("a character class inside another (write its members out, or \\p{..})")
    if (character === "&" && this.#pattern[this.#at + 1] === "&") this.#refuse("the intersection && of classes")
    if (character === "-" && this.#pattern[this.#at + 1] !== "]" && members.hyphen()) return this.#take(1)
    return character === "-" ? this.#take(1, "\\-") : this.#literal(1, character.charCodeAt(0), character)
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
        return this.#literal(3, (this.#pattern.charCodeAt(this.#at + 2) ^ 64) & 0xff)
      case "e":
        return this.#literal(2, 0x1b)
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
        return this.#class !== null ? this.#refuse("\\R in a class") : this.#take(2, `(?:\\r\\n|[${verticalSpace}])`)
      default:
        return this.#simpleEscape(letter)
    }
  }

  #simpleEscape(letter: string): string {
    if (Object.hasOwn(sharedCharacters, letter)) return this.#literal(2, sharedCharacters[letter]!)
    if (sharedClasses.includes(letter)) {
      this.#class?.class()
      return this.#take(2)
    }
    if (this.#class === null && "AzbB".includes(letter)) return this.#take(2)
    if (letter === "x") return this.#hexadecimal()
    if (/[a-zA-Z]/.test(letter)) this.#refuse(`\\${letter}`)
    // RE2 allows a backslash only before ASCII signs.
    return this.#literal(2, letter.charCodeAt(0), letter < "\x80" ? `\\${letter}` : letter)
  }

  #quote(): string {
    const end = this.#pattern.indexOf("\\E", this.#at)
    const text = this.#pattern.slice(this.#at + 2, end === -1 ? undefined : end)
    this.#at += 2
    let quoted = ""
    for (let at = 0; at < text.length; at++) {
      quoted += this.#literal(1, text.charCodeAt(at), text[at]!.replace(/[\\^$.|?*+()[\]{}&-]/, "\\$&"))
    }
    if (end !== -1) this.#at += 2
    return quoted
  }

  /** \xhh or \x{h..h}. */
  #hexadecimal(): string {
    const match = /^\\x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/.exec(this.#pattern.slice(this.#at, this.#at + 10))
    if (match === null) return this.#refuse("\\x without hexadecimal digits")
    return this.#literal(match[0].length, Number.parseInt(match[1] ?? match[2]!, 16))
  }

  /** \uXXXX, or two of them for a surrogate pair. */
  #codePoint(): string {
    const pair = /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(
      this.#pattern.slice(this.#at, this.#at + 12)
    )
    if (pair !== null) {
      const units = [Number.parseInt(pair[1]!, 16), Number.parseInt(pair[2]!, 16)]
      return this.#literal(12, String.fromCharCode(...units).codePointAt(0)!)
    }
    const digits = this.#pattern.slice(this.#at + 2, this.#at + 6)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#refuse("\\u without four hexadecimal digits")
    return this.#literal(6, Number.parseInt(digits, 16))
  }

  #octal(): string {
    const match = /^\\0([0-3]?[0-7]{1,2})/.exec(this.#pattern.slice(this.#at, this.#at + 5))
    if (match === null) return this.#refuse("\\0 without octal digits")
    return this.#literal(match[0].length, Number.parseInt(match[1]!, 8))
  }

  /** A class of white space; only its members inside another class. */
  #space(members: string, negated: boolean): string {
    if (this.#class !== null) {
      this.#class.class()
      if (negated) this.#refuse(`\\${this.#pattern[this.#at + 1]} in a class`)
      return this.#take(2, members)
    }
    return this.#take(2, `[${negated ? "^" : ""}${members}]`)
  }

  #property(negated: boolean): string {
    const match = /^\\[pP](?:\{([^{}]*)\}|(.))/.exec(this.#pattern.slice(this.#at, this.#at + 80))
    if (match === null) return this.#refuse("\\p without a name")
    this.#class?.class()
    const ignoresCase = this.#flags.has("i")
    const found = javaProperty(match[1] ?? match[2]!, ignoresCase)
    if (found === undefined) return this.#refuse(match[0])
    const { members, others } = found
    if (this.#class === null) {
      return this.#take(match[0].length, !negated ? `[${members}]` : `[${others ?? `^${members}`}]`)
    }
    if (!negated) return this.#take(match[0].length, members)
    if (others === undefined) {
      const hint = ` Use [^${match[0].replace("P", "p")}], a class of its own, instead.`
      this.#refuse(`${match[0]}${ignoresCase ? " with (?i)" : ""} in a class`, hint)
    }
    return this.#take(match[0].length, others)
  }

  #refuse(construct: string, hint = ""): never {
    throw new TraversalInvalid(
      `The regular expression '${this.#pattern}' cannot be used: ${construct} is not supported here (at position ${this.#at}).${hint}`
    )
  }
}

const hex = (codePoint: number): string => `\\x{${codePoint.toString(16)}}`
