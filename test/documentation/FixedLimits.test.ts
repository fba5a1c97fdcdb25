import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const lines = read("docs/reference/limits.md").split("\n")
const table = lines.slice(lines.indexOf("| What | At most |") + 2)

/** The rows of the table of limits that have no setting. */
const rows = table.slice(0, table.indexOf("")).map((line) => {
  const [, what = "", most = ""] = line.split("|").map((cell) => cell.trim())
  return { what, most }
})

/** How the row begins, and for each number in it the file and the declaration of its constant. */
const limits: ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, string, string]>]> = [
  [
    "A text that a string step",
    [
      ["1,048,576", "src/process/scalars/Texts.ts", "MAX_TEXT_CHARS = 1_048_576"],
      ["262,144", "src/process/scalars/Texts.ts", "MAX_WRITTEN_CHARS = 262_144"]
    ]
  ],
  ["What `explain()` prints", [["4,194,304", "src/process/compiler/Explain.ts", "MAX_EXPLANATION_CHARS = 4_194_304"]]],
  [
    "Labels that a `repeat()`",
    [["100,000", "src/process/strategies/optimization/PathRetraction.ts", "MAX_RETRACTIONS = 100_000"]]
  ],
  ["A map that `mergeV()`", [["4,096", "src/process/plan/MapEntries.ts", "MAX_ENTRIES = 4_096"]]],
  [
    "A collection of `withSack()`",
    [
      ["1,048,576", "src/process/scalars/Copy.ts", "MAX_COPIED_LIST_MEMBERS = 1_048_576"],
      ["65,536", "src/process/scalars/Copy.ts", "MAX_COPIED_ENTRIES = 65_536"]
    ]
  ],
  ["What `Operator.addAll` makes", [["4,194,304", "src/process/scalars/Items.ts", "MAX_MEMBERS = 4_194_304"]]],
  [
    "A line of a file in GraphSON",
    [["268,435,456", "src/protocol/graphson/AdjacencyDecoder.ts", "MAX_LINE_CHARACTERS = 268_435_456"]]
  ],
  [
    "A vertex with its edges in a file in Gryo",
    [["268,435,456", "src/protocol/gryo/GryoDecoder.ts", "MAX_VERTEX_BYTES = 268_435_456"]]
  ],
  ["Property keys of one element", [["20,000", "src/storage/memory/Overlay.ts", "MAX_KEYS = 20_000"]]],
  ["Values of a vertex", [["32,768", "src/storage/memory/PropertyWriter.ts", "MAX_VALUES_OF_KEY = 32_768"]]],
  [
    "Two lists that are compared",
    [
      ["1,048,576", "src/structure/comparison/Ordering.ts", "MAX_COMPARED_MEMBERS = 1_048_576"],
      ["16,384", "src/structure/comparison/Ordering.ts", "MAX_SORTED_MEMBERS = 16_384"]
    ]
  ],
  [
    "A regular expression",
    [
      ["4,096 characters", "src/process/predicates/RegularExpression.ts", "MAX_PATTERN_SIZE = 4_096"],
      ["4,096 states", "src/process/predicates/RegularExpression.ts", "MAX_PATTERN_SIZE = 4_096"]
    ]
  ],
  [
    "A text that a regular expression",
    [
      ["65,536", "src/process/predicates/RegularExpression.ts", "MAX_TEXT_CHARS = 65_536"],
      ["500,000", "src/process/predicates/RegularExpression.ts", "MAX_MATCH_STEPS = 500_000"]
    ]
  ],
  ["Classes of Unicode", [["100", "src/process/predicates/RegularExpression.ts", "MAX_UNICODE_CLASSES = 100"]]],
  [
    "A text whose words",
    [
      ["524,288", "src/process/predicates/SearchPredicate.ts", "MAX_TEXT_CHARS = 524_288"],
      ["500,000", "src/process/predicates/RegularExpression.ts", "MAX_MATCH_STEPS = 500_000"]
    ]
  ],
  [
    "Texts that `textFuzzy()`",
    [["65,536", "src/process/predicates/SearchPredicate.ts", "MAX_COMPARED_CHARS = 65_536"]]
  ],
  [
    "A template of `format()`",
    [
      ["1,048,576", "src/process/scalars/Texts.ts", "MAX_TEXT_CHARS = 1_048_576"],
      ["10,000", "src/process/scalars/Format.ts", "MAX_PLACEHOLDERS = 10_000"]
    ]
  ],
  ["A text that `asNumber()`", [["10,000", "src/process/scalars/NumberParser.ts", "MAX_NUMBER_CHARS = 10_000"]]],
  [
    "A periodic text of more than 250",
    [["1,572,864", "src/structure/characters/TextSearch.ts", "MAX_LINEAR_CHARS = 1_572_864"]]
  ],
  ["The message of an error", [["8,192", "src/structure/errors/TaggedError.ts", "MAX_MESSAGE_CHARS = 8_192"]]],
  ["The id of a vertex that is a text", [["65,535", "src/protocol/JanusGraphTypes.ts", "LONGEST_TEXT_ID = 65_535"]]],
  ["Names in the `aliases`", [["1,000", "src/protocol/HttpRequest.ts", "MAX_ALIASES = 1_000"]]],
  ["A name in a script", [["10,000", "src/gremlin/parser/ParseContext.ts", "NAME_LIMIT_CHARS = 10_000"]]],
  ["Large integers in the text form", [["6", "src/structure/texts/Text.ts", "MAX_DIGITS_EFFORT = 250_000"]]],
  ["Pairs of a word", [["500,000", "src/process/predicates/SearchPredicate.ts", "MAX_WORD_PAIRS = 500_000"]]],
  ["A `math()` expression", [["16,384", "src/process/scalars/MathExpression.ts", "MAX_EXPRESSION_CHARS = 16_384"]]],
  ["A traversal: steps", [["20,000", "src/process/compiler/TraversalLength.ts", "MAX_STEPS = 20_000"]]],
  [
    "The same with the steps that strategies",
    [["40,000", "src/process/compiler/Compiler.ts", "MAX_BUILT_STEPS = 40_000"]]
  ],
  ["The same for `explain()`", [["4,000", "src/process/compiler/Explain.ts", "MAX_EXPLAINED_STEPS = 4_000"]]],
  ["Arguments of all steps", [["100,000", "src/process/compiler/TraversalLength.ts", "MAX_ARGUMENTS = 100_000"]]],
  ["Members of the lists", [["4,000,000", "src/process/compiler/TraversalLength.ts", "MAX_MEMBERS = 4_000_000"]]],
  ["A BigInteger", [["65,536 bits", "src/structure/numbers/Arithmetic.ts", "integerBound = 1n << 65_536n"]]],
  ["A BigDecimal", [["10,000 digits", "src/structure/numbers/Arithmetic.ts", "decimalBound = 10n ** 10_000n"]]],
  [
    "What one traversal collects",
    [["2 GB", "src/layers/evaluation/RunEnvironments.ts", "MAX_TRAVERSAL_BYTES = 2 ** 31"]]
  ],
  ["A list that a step makes", [["4,194,304", "src/process/scalars/Items.ts", "MAX_MEMBERS = 4_194_304"]]],
  ["A bulk set", [["1,048,576", "src/structure/collections/Collections.ts", "MAX_LIST_MEMBERS = 2 ** 20"]]],
  ["A collection as a key", [["1,048,576", "src/structure/collections/Equivalence.ts", "MAX_KEY_CHARS = 1_048_576"]]],
  [
    "Equal traversers",
    [["9,007,199,254,740,991", "src/structure/numbers/Bulks.ts", "MAX_BULK_TRAVERSERS = Number.MAX_SAFE_INTEGER"]]
  ],
  ["Levels of nested collections", [["1,000", "src/process/machine/ValueSize.ts", "MAX_LEVELS = 1_000"]]],
  ["What a script does", [["100,000", "src/gremlin/script/budget/ValueItems.ts", "MAX_OPERATION_ITEMS = 100_000"]]],
  ["Bytes that an operation of a script", [["65,536", "src/gremlin/script/values/ByteLimit.ts", "MAX_BYTES = 65_536"]]],
  ["A string that a script", [["1,048,576", "src/gremlin/script/budget/Budget.ts", "MAX_STRING_CHARS = 1_048_576"]]],
  ["All collections", [["2,000,000", "src/gremlin/script/budget/Budget.ts", "MAX_BUILT_ITEMS = 2_000_000"]]],
  ["A range", [["1,000,000", "src/gremlin/parser/ParseOptions.ts", "MAX_RANGE_ITEMS = 1_000_000"]]],
  [
    "A number in a message",
    [
      ["10,000", "src/protocol/json/JsonNumbers.ts", "LONGEST_NUMBER_CHARS = 10_000"],
      ["10,000", "src/gremlin/parser/Numerals.ts", "MAX_LITERAL_CHARS = 10_000"]
    ]
  ],
  ["A typed object", [["1,000", "src/protocol/graphson/LanguageReaders.ts", "MAX_MEMBERS = 1_000"]]],
  ["Meta-properties of one", [["20,000", "src/protocol/ValueParts.ts", "MAX_PARTS = 20_000"]]],
  ["One result", [["268,435,456", "src/layers/transport/shared/AnswerSink.ts", "MAX_RESULT_LENGTH = 2 ** 28"]]],
  ["The same as text", [["262,144", "src/protocol/ResultTexts.ts", "LONGEST_TEXT_CHARS = 262_144"]]]
]

describe("docs/reference/limits.md", () => {
  it("has a row for each limit without a setting, and no other rows", () => {
    const named = rows.map(({ what }) => limits.filter(([start]) => what.startsWith(start)).length)
    expect(rows.filter((_, i) => named[i] === 0)).toEqual([])
    expect(limits.filter(([start]) => !rows.some(({ what }) => what.startsWith(start)))).toEqual([])
  })

  it.each(limits)("has the number of the sources: %s", (start, numbers) => {
    const { most } = rows.find(({ what }) => what.startsWith(start))!
    for (const [number, file, line] of numbers) {
      expect(most).toMatch(new RegExp(`(?<![\\d,])${number}(?!,?\\d)`))
      expect(
        read(file)
          .split("\n")
          .map((each) => each.replace(/^export /, ""))
      ).toContain(`const ${line}`)
    }
  })
})
