/** Codes of the characters of the grammar: UTF-16 code units. */
const TAB = 9
export const LINE_FEED = 10
const FORM_FEED = 12
const CARRIAGE_RETURN = 13
export const SPACE = 32
export const EXCLAMATION = 33
export const DOUBLE_QUOTE = 34
export const DOLLAR = 36
export const PERCENT = 37
export const AMPERSAND = 38
export const SINGLE_QUOTE = 39
export const LEFT_PAREN = 40
export const RIGHT_PAREN = 41
export const ASTERISK = 42
export const PLUS = 43
export const COMMA = 44
export const MINUS = 45
export const DOT = 46
export const SLASH = 47
export const DIGIT_0 = 48
const DIGIT_9 = 57
export const COLON = 58
export const SEMICOLON = 59
export const LESS = 60
export const EQUALS = 61
export const GREATER = 62
export const QUESTION = 63
export const LEFT_BRACKET = 91
export const BACKSLASH = 92
export const RIGHT_BRACKET = 93
export const CARET = 94
export const LEFT_BRACE = 123
export const BAR = 124
export const RIGHT_BRACE = 125
export const TILDE = 126
export const NO_BREAK_SPACE = 0xa0
const BYTE_ORDER_MARK = 0xfeff

// Bits of the tables below. NAME_START: the character may begin an identifier. NAME_PART: it may stand in an identifier.
const NAME_START = 1
const NAME_PART = 2
const asciiBits = new Uint8Array(128)
for (const character of "$_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  asciiBits[character.charCodeAt(0)] = NAME_START | NAME_PART
for (const character of "0123456789") asciiBits[character.charCodeAt(0)] = NAME_PART

// Java's rule for identifiers. The first character is a letter, a letter number, a currency sign or connecting punctuation.
// Each later character may also be a digit, a combining mark or a format character.
const otherStart = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}]$/u
const otherPart = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}]$/u

/** Cached bits of the characters outside ASCII; 0 = not determined yet. */
const cachedBits = new Uint8Array(0x10000)
/** Bit of a character whose entry in the cache is valid. */
const IS_CACHED = 4

const bitsOfOther = (code: number): number => {
  const cached = cachedBits[code] ?? IS_CACHED
  if (cached !== 0) return cached
  const character = String.fromCharCode(code)
  const isName = code !== BYTE_ORDER_MARK
  const start = isName && otherStart.test(character) ? NAME_START : 0
  return (cachedBits[code] = IS_CACHED | start | (isName && otherPart.test(character) ? NAME_PART : 0))
}

/** True if an identifier may begin with the character. */
export const isNameStart = (code: number): boolean =>
  code < 128 ? code >= 0 && (asciiBits[code]! & NAME_START) !== 0 : (bitsOfOther(code) & NAME_START) !== 0

/** True if an identifier may contain the character after its first one. */
export const isNamePart = (code: number): boolean =>
  code < 128 ? code >= 0 && (asciiBits[code]! & NAME_PART) !== 0 : (bitsOfOther(code) & NAME_PART) !== 0

/** True for an ASCII digit. */
export const isDigit = (code: number): boolean => code >= DIGIT_0 && code <= DIGIT_9

/** The offset of the first line feed or carriage return at or after `at`, where a comment of one line ends; `end` if there is none. */
export const endOfLine = (text: string, at: number, end: number): number => {
  for (; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return at
  }
  return end
}

/** True for white space other than a line feed, and for a byte order mark. */
export const isBlank = (code: number): boolean =>
  code === SPACE ||
  (code <= CARRIAGE_RETURN && (code === TAB || code === CARRIAGE_RETURN || code === FORM_FEED)) ||
  code === NO_BREAK_SPACE ||
  code === BYTE_ORDER_MARK
