import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { parseScript } from "../../src/gremlin/Parser.ts"
import { literal, translate, translateBeginning } from "../../src/gremlin/Translator.ts"
import { Binding, Bytecode, Instruction, StrategySpec, Variable } from "../../src/process/language/Bytecode.ts"
import { ConnectiveP, NotP, P, type Predicate, TextP } from "../../src/process/language/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../src/structure/collections/Collections.ts"
import { Detached } from "../../src/structure/elements/Element.ts"
import { BigDecimal, BigInteger, Byte, double, Float, Short } from "../../src/structure/numbers/Numbers.ts"
import { ClassName } from "../../src/structure/scalars/ClassNames.ts"
import { Cardinality, Direction, DT, enums, Order, Pick, Scope, T } from "../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../src/structure/scalars/Uuid.ts"
import { dateOfFields } from "../../src/structure/times/Dates.ts"
import { Timestamp } from "../../src/structure/times/Temporal.ts"

/** The private content of a value as plain data, so that two values can be compared. */
const spread = (value: unknown): unknown => {
  if (value instanceof GremlinMap) return { map: Array.from(value, ([key, item]) => [spread(key), spread(item)]) }
  if (value instanceof GremlinSet) return { set: Array.from(value, spread) }
  if (Array.isArray(value)) return value.map(spread)
  if (value instanceof Bytecode) {
    const instructions = (list: readonly Instruction[]) => list.map((it) => [it.operator, it.args.map(spread)])
    return { source: instructions(value.sourceInstructions), steps: instructions(value.stepInstructions) }
  }
  if (value instanceof ConnectiveP) return { [value.operator]: value.predicates.map(spread) }
  if (value instanceof NotP) return { not: spread(value.predicate) }
  if (value instanceof P) return { [value.operator]: spread(value.value), text: value instanceof TextP }
  if (value instanceof StrategySpec)
    return { [value.name]: Array.from(value.configuration, ([key, it]) => [key, spread(it)]) }
  return value
}

const parsed = (script: string): Bytecode => {
  const { traversal } = parseScript(script, { language: "gremlin-lang" })
  if (traversal === undefined) throw new Error(`not one traversal: ${script}`)
  return traversal
}

describe("literal", () => {
  it("has a form for each kind of value", () => {
    const map = new GremlinMap([
      ["a b", 1],
      [T.id, 2],
      [new Byte(1), [3]],
      [true, null]
    ])
    const vertex = new Detached().addVertex(5n, "person")
    const values: ReadonlyArray<readonly [unknown, string]> = [
      [1, "1"],
      [-1n, "-1l"],
      [new Byte(1), "1b"],
      [new Short(1), "1s"],
      [new BigInteger(10n ** 30n), `1${"0".repeat(30)}n`],
      [1.5, "1.5"],
      [double(1), "1.0"],
      [-0, "-0.0"],
      [1e21, "1.0E21"],
      [Number.NaN, "NaN"],
      [Number.NEGATIVE_INFINITY, "-Infinity"],
      [new Float(0.1), "0.1f"],
      [new BigDecimal(150n, 2), "1.50m"],
      [new BigDecimal(1n, -5), "1E+5m"],
      [true, "true"],
      [null, "null"],
      ['a"\\\n\u0000é', '"a\\"\\\\\\n\\u0000é"'],
      [new Uuid("f47af10b-58cc-4372-a567-0f02b2f3d479"), 'UUID("f47af10b-58cc-4372-a567-0f02b2f3d479")'],
      [dateOfFields({ year: 2023, month: 8, day: 8, nanoOfDay: 0n }, 7200), 'datetime("2023-08-08T00:00+02:00")'],
      [new Timestamp(0), 'datetime("1970-01-01T00:00:00.000Z")'],
      [new Timestamp(2n ** 63n - 1n), "new Date(9223372036854775807L)"],
      [[1, [2]], "[1, [2]]"],
      [new GremlinSet([1, "a"]), '{1, "a"}'],
      [map, '["a b": 1, (T.id): 2, (1b): [3], (true): null]'],
      [new GremlinMap(), "[:]"],
      [Direction.OUT, "Direction.OUT"],
      [new Variable("x"), "x"],
      [new Binding("x", [1]), "x"],
      [vertex, 'new ReferenceVertex(5l, "person")'],
      [new ClassName("java.lang.String"), "java.lang.String.class"],
      [new P("between", [1, 2]), "P.between(1, 2)"],
      [new TextP("regex", "a.*"), 'TextP.regex("a.*")'],
      [new NotP(new P("within", [1])), "P.not(P.within([1]))"],
      [new Bytecode([], []), "__.identity()"],
      [new Bytecode([], [new Instruction("out", ["a"]), new Instruction("id", [])]), '__.out("a").id()'],
      [new Bytecode([new Instruction("CardinalityValueTraversal", [Cardinality.set, 1])], []), "Cardinality.set(1)"],
      [new Bytecode([new Instruction("CardinalityValueTraversal", ["set", 1])], []), "Cardinality.set(1)"]
    ]
    for (const [value, text] of values) expect(literal(value)).toBe(text)
    const bulk = new BulkSet()
    bulk.add(1, 2)
    expect(literal(bulk)).toBe("[1, 1]")
  })
})

describe("translate", () => {
  it("returns the canonical form", () => {
    const script =
      'h.withStrategies(ReadOnlyStrategy, new SeedStrategy(seed: 5l)).with("x", 1).V(1l).has("a", P.gt(1).and(P.lt(2).or(P.eq(3)))).by(__.out(), Order.desc)'
    expect(translate(parsed(script), "h")).toBe(script)
  })
})

const { constantFrom, oneof, tuple, record, integer, string, array, letrec } = FastCheck

const name = string({ unit: "binary", maxLength: 8 })
const identifier = FastCheck.stringMatching(/^[a-z][a-zA-Z0-9_]{0,6}$/)
const constant = constantFrom(...Object.values(enums).flatMap((constants) => Object.values(constants)))

const scalar = oneof(
  name,
  FastCheck.boolean(),
  FastCheck.constant(null),
  integer(),
  FastCheck.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  FastCheck.double().map(double),
  FastCheck.float({ noNaN: true })
    .filter(Number.isFinite)
    .map((it) => new Float(it)),
  integer({ min: -128, max: 127 }).map((it) => new Byte(it)),
  integer({ min: -32768, max: 32767 }).map((it) => new Short(it)),
  FastCheck.bigInt().map((it) => new BigInteger(it)),
  tuple(FastCheck.bigInt(), integer({ min: -50, max: 50 })).map(([unscaled, scale]) => new BigDecimal(unscaled, scale)),
  FastCheck.uuid().map((it) => new Uuid(it)),
  record({
    year: integer({ min: -9999, max: 9999 }),
    month: integer({ min: 1, max: 12 }),
    day: integer({ min: 1, max: 28 })
  }).chain((date) =>
    tuple(FastCheck.bigInt({ min: 0n, max: 86_399_999_999_999n }), integer({ min: -1080, max: 1080 })).map(
      ([nanoOfDay, minutes]) => dateOfFields({ ...date, nanoOfDay }, minutes * 60)
    )
  ),
  constant,
  identifier.filter((it) => parsed(`g.V(${it}X)`) !== undefined).map((it) => new Variable(`${it}X`))
)

interface Model {
  value: unknown
  predicate: Predicate
  traversal: Bytecode
  step: Instruction
}

const maps = (value: FastCheck.Arbitrary<unknown>) =>
  array(tuple(oneof(name, integer(), constantFrom(T.id, Direction.IN), array(integer(), { maxLength: 2 })), value), {
    maxLength: 3
  }).map((entries) => new GremlinMap(entries))

const model = letrec<Model>((tie) => {
  const value = tie("value")
  const traversal = tie("traversal")
  const predicate = tie("predicate") as FastCheck.Arbitrary<Predicate>
  const call = (operator: string, ...args: ReadonlyArray<FastCheck.Arbitrary<unknown>>) =>
    tuple(...args).map((given) => new Instruction(operator, given))
  const calls = (operator: string, arg: FastCheck.Arbitrary<unknown>, least = 0) =>
    array(arg, { minLength: least, maxLength: 3 }).map((given) => new Instruction(operator, given))
  return {
    value: oneof(
      { maxDepth: 3, depthIdentifier: "value" },
      { arbitrary: scalar, weight: 4 },
      { arbitrary: array(value, { maxLength: 3 }), weight: 1 },
      {
        arbitrary: array(
          scalar.filter((it) => !(it instanceof Variable)),
          { maxLength: 3 }
        ).map((it) => new GremlinSet(it)),
        weight: 1
      },
      { arbitrary: maps(value), weight: 1 },
      { arbitrary: traversal, weight: 1 },
      {
        arbitrary: tuple(constantFrom(...Object.values(Cardinality)), scalar).map(
          (args) => new Bytecode([new Instruction("CardinalityValueTraversal", args)], [])
        ),
        weight: 1
      }
    ),
    predicate: oneof(
      { maxDepth: 3, depthIdentifier: "predicate" },
      tuple(constantFrom("eq" as const, "neq" as const, "gt" as const, "lte" as const), value).map(
        ([operator, it]) => new P(operator, it)
      ),
      array(value, { maxLength: 3 }).map((it) => new P("within", it)),
      identifier.map((it) => new P("without", new Variable(`${it}X`))),
      tuple(value, value).map((it) => new P("inside", it)),
      tuple(constantFrom("containing" as const, "notRegex" as const), name).map(
        ([operator, it]) => new TextP(operator, it)
      ),
      predicate.filter((it) => !(it instanceof NotP)).map((it) => new NotP(it)),
      tuple(constantFrom("and" as const, "or" as const), array(predicate, { minLength: 2, maxLength: 3 }))
        .filter(([operator, parts]) => parts.every((it) => !(it instanceof ConnectiveP && it.operator === operator)))
        .map(([operator, parts]) => new ConnectiveP(operator, parts))
    ),
    traversal: array(tie("step") as FastCheck.Arbitrary<Instruction>, { minLength: 1, maxLength: 4 }).map(
      (steps) => new Bytecode([], steps)
    ),
    step: oneof(
      { maxDepth: 4, depthIdentifier: "step" },
      calls("V", value),
      calls("out", oneof(name, FastCheck.constant(null))),
      calls("values", name),
      call("has", name, oneof(value, predicate)),
      call("has", constantFrom(...Object.values(T)), predicate),
      call("is", oneof(value, predicate)),
      call("by", constantFrom(...Object.values(Order))),
      call("by", name, FastCheck.constant(Order.desc)),
      call("limit", integer({ min: 0 })),
      call("range", FastCheck.constant(Scope.local), FastCheck.bigInt({ min: 0n, max: 9n }), integer()),
      call("dateAdd", constantFrom(...Object.values(DT)), integer()),
      call("property", FastCheck.constant(Cardinality.list), name, value),
      call("option", constantFrom(...Object.values(Pick)), traversal),
      call("mergeV", oneof(maps(scalar), FastCheck.constant(null))),
      call("where", oneof(traversal, predicate)),
      call("not", traversal),
      call("none", predicate),
      calls("union", traversal),
      calls("inject", value),
      call("discard"),
      call("store", name)
    )
  }
})

const source = array(
  oneof(
    tuple(name, scalar).map((args) => new Instruction("with", args)),
    tuple(name, model.value).map((args) => new Instruction("withSideEffect", args)),
    FastCheck.constant(new Instruction("withPath", [])),
    tuple(constantFrom("AStrategy", "BStrategy"), array(tuple(identifier, model.value), { maxLength: 2 })).map(
      ([strategy, entries]) => new Instruction("withStrategies", [new StrategySpec(strategy, new Map(entries))])
    ),
    FastCheck.constant(new Instruction("withoutStrategies", [new ClassName("CStrategy")]))
  ),
  { maxLength: 2 }
)

const spawn = oneof(
  array(model.value, { maxLength: 3 }).map((ids) => new Instruction("V", ids)),
  array(model.value, { maxLength: 3 }).map((values) => new Instruction("inject", values))
)

const traversals = tuple(source, spawn, array(model.step, { maxLength: 5 })).map(
  ([instructions, first, rest]) => new Bytecode(instructions, [first, ...rest])
)

describe("The text of a traversal", () => {
  it("is parsed to equal bytecode", () => {
    FastCheck.assert(
      FastCheck.property(traversals, (bytecode) => {
        const text = translate(bytecode)
        const back = parsed(text)
        expect(spread(back)).toStrictEqual(spread(bytecode))
        expect(translate(back)).toBe(text)
      }),
      { numRuns: 300 }
    )
  })

  it("has the same beginning for every limit of its length", () => {
    FastCheck.assert(
      FastCheck.property(traversals, FastCheck.nat(200), (bytecode, longest) => {
        const text = translate(bytecode)
        const beginning = text.length > longest ? `${text.slice(0, longest)}...` : text
        expect(translateBeginning(bytecode, longest)).toBe(beginning)
      }),
      { numRuns: 300 }
    )
  })

  it("is not translated beyond the limit of its length", () => {
    let seen = 0
    const argument = new Proxy(
      Array.from({ length: 100_000 }, () => Order.desc),
      {
        get: (list, name, self) => {
          if (typeof name === "string" && /^\d+$/.test(name)) seen++
          return Reflect.get(list, name, self)
        }
      }
    )
    const steps = Array.from({ length: 10 }, () => new Instruction("inject", [argument, "a".repeat(100_000)]))
    expect(translateBeginning(new Bytecode([], steps), 50)).toMatch(/^g\.inject\(\[Order\.desc, .{0,40}\.\.\.$/)
    expect(seen).toBeLessThan(100)
  })
})
