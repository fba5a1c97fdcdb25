import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "./Projects.ts"

const declaration = /^export (?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/

/** A constant without a comment of its own continues the list that begins with a comment: `export const COMMA = 44`. */
const listed = /^(?:export )?const [A-Z][A-Z0-9_]* = (?:\d|0x)/

/** Names of exported declarations without a doc comment. */
const undocumented = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  const names: Array<string> = []
  const isDocumented = (at: number): boolean => {
    const before = lines[at - 1] ?? ""
    if (before.endsWith("*/")) return true
    const isListed = listed.test(lines[at] ?? "") && listed.test(before)
    return (isListed || before.startsWith("// ")) && isDocumented(at - 1)
  }
  for (const [at, line] of lines.entries()) {
    const [, name] = declaration.exec(line) ?? []
    if (name !== undefined && !isDocumented(at)) names.push(name)
  }
  return names
}

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.d)\.(?:tsx?|js)$/.test(file))
    .map((file) => `${folder}/${file}`)

/** Files of the server and of the console. */
const files = ["src", "console"].flatMap(filesOf)

describe("An exported declaration of src/ or console/", () => {
  it("has a doc comment", () => {
    const found = files.flatMap((file) =>
      undocumented(readFileSync(join(root, file), "utf8")).map((name) => `${file} ${name}`)
    )
    expect(found).toEqual([])
  })

  it("is reported without one, unless it continues a list of constants", () => {
    const list = "/** Codes. */\nexport const A = 1\nexport const B = 0x2\n"
    expect(undocumented(`${list}export const c = 3\n`)).toEqual(["c"])
    expect(undocumented("/** Adds. */\nexport const add = 1\n\nexport function* run() {}\n")).toEqual(["run"])
    expect(undocumented("export const A = 1\nexport const B = 2\n")).toEqual(["A", "B"])
  })
})

/** A doc comment that repeats another one without naming it. Tools show a comment without its neighbours. */
const repeats = /\/\*\*[\s*]*The same (?!as \{@link)[^\n]*/g

describe("A doc comment of src/ or console/", () => {
  it("can be read without the one before it", () => {
    const found = files.flatMap((file) => readFileSync(join(root, file), "utf8").match(repeats) ?? [])
    expect(found).toEqual([])
  })

  it("is reported if it begins with 'The same' and links to nothing", () => {
    expect("/**\n * The same for edges. */".match(repeats)).toHaveLength(1)
    expect("/** The same as {@link read}, with yields. */".match(repeats)).toBeNull()
  })
})

/** Words without a plural that a limit may end with: measures, and types whose largest value it is. */
const measures = "SIZE LENGTH SHARE SCALE EXPONENT FACTOR EFFORT WORK COUNT AHEAD INT32 INT64 TOKEN INTEGER".split(" ")

/** Constants for limits that do not say what they count: `MAX_LISTED` instead of `MAX_LISTED_NAMES`. */
const unitless = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^(?:export )?const ((?:MAX|MIN)_[A-Z0-9_]+) = /gm)].flatMap(([, name = ""]) => {
    const last = name.slice(name.lastIndexOf("_") + 1)
    return last.endsWith("S") || /_(?:PER|OF|FOR)_/.test(name) || measures.includes(last) ? [] : [name]
  })

describe("A limit of src/", () => {
  it("has a name that ends with what it counts", () => {
    const found = files
      .filter((file) => file.startsWith("src/"))
      .flatMap((file) => unitless(readFileSync(join(root, file), "utf8")).map((name) => `${file} ${name}`))
    expect(found).toEqual([])
  })

  it("is reported if its name ends with a participle", () => {
    const limits =
      "const MAX_LISTED = 5\nconst MAX_LISTED_NAMES = 5\nconst MAX_ROWS_PER_COMMIT = 5\nconst MIN_PAGE_SIZE = 5\n"
    expect(unitless(limits)).toEqual(["MAX_LISTED"])
  })
})

/** Lines of comments with more than 140 characters. The formatter does not wrap comments. */
const longComments = (text: string): ReadonlyArray<string> =>
  text.split("\n").filter((line) => line.length > 140 && /^\s*(?:\/\*\*|\*|\/\/) /.test(line))

describe("A comment of src/ or console/", () => {
  it("has lines of at most 140 characters", () => {
    const found = files.flatMap((file) =>
      longComments(readFileSync(join(root, file), "utf8")).map((line) => `${file}: ${line.trim()}`)
    )
    expect(found).toEqual([])
  })

  it("is reported if a line is longer, and code is not", () => {
    const words = "word ".repeat(30)
    expect(longComments(`// ${words}\n/** ${words} */\n/**\n * ${words}\n */\nrun("${words}")`)).toHaveLength(3)
  })
})

/** Methods that a library calls, because a class of this server extends one of its own. */
const calledByLibraries = ["onRequestError", "onWriteTimeout"]

/** Methods of classes whose name no other code has: `unused() {`. */
const unusedMethods = (text: string, code: string): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const [word] of code.matchAll(/\b\w+\b/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...text.matchAll(/^ {2}(?:override |static |async |get |protected )*(\w+)\([^\n]*\{$/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => counts.get(name) === 1 && !calledByLibraries.includes(name))
}

/** The text without comments, which may name a method that no code calls. */
const withoutComments = (text: string): string => text.replace(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs, "")

describe("A method of a class", () => {
  it("is called by other code or by a test", () => {
    const callers = ["test", "bench", "scripts"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.[jt]s$/.test(file))
        .map((file) => `${folder}/${file}`)
    )
    const texts = new Map(
      [...files, ...callers].map((file) => [file, withoutComments(readFileSync(join(root, file), "utf8"))])
    )
    const classes = files
      .map((file) => texts.get(file)!)
      .filter((text) => /^(?:export )?(?:abstract )?class /m.test(text))
    expect(unusedMethods(classes.join("\n"), [...texts.values()].join("\n"))).toEqual([])
  })

  it("is reported if its name occurs once", () => {
    const one = "class One {\n  used() {\n    return 1\n  }\n  unused(): number {\n    return this.used()\n  }\n}\n"
    expect(unusedMethods(one, one)).toEqual(["unused"])
  })
})

const MAX_LINES = 300

/** The files whose text has more than {@link MAX_LINES} lines. The lint rule counts a comment of several lines as one. */
const tooLong = (texts: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...texts].flatMap(([file, text]) => {
    const lines = text.trimEnd().split("\n").length
    return lines > MAX_LINES ? [`${file} has ${lines} lines`] : []
  })

describe("A file", () => {
  it("has at most 300 lines, comments and blank lines included, unless it is a test", () => {
    const all = [...files, ...filesOf("bench"), ...filesOf("scripts")]
    expect(tooLong(new Map(all.map((file) => [file, readFileSync(join(root, file), "utf8")])))).toEqual([])
  })

  it("is reported if blank lines and comments make it longer", () => {
    const half = "\n/**\n * Why.\n */\n".repeat(75)
    expect(
      tooLong(
        new Map([
          ["fits", half],
          ["long", `${half}\n\nconst a = 1\n`]
        ])
      )
    ).toEqual(["long has 303 lines"])
  })

  it("of src/ or console/ has no name of a test", () => {
    expect(files.filter((file) => /Tests?\.tsx?$/.test(file))).toEqual([])
  })
})
