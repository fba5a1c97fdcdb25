import * as fc from "effect/FastCheck"
import { Binding, Bytecode, Instruction, Lambda, StrategySpec, Traverser } from "../../src/process/language/Bytecode.ts"
import { ConnectiveP, NotP, P, TextP } from "../../src/process/language/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../src/structure/collections/Collections.ts"
import { Tree } from "../../src/structure/collections/Tree.ts"
import { Detached, Property, VertexProperty } from "../../src/structure/elements/Element.ts"
import { Path } from "../../src/structure/elements/Path.ts"
import { SubGraph } from "../../src/structure/elements/SubGraph.ts"
import { BigDecimal, BigInteger, Byte, double, Float, Short } from "../../src/structure/numbers/Numbers.ts"
import { Metrics, TraversalMetrics } from "../../src/structure/profiles/Metrics.ts"
import { Char } from "../../src/structure/scalars/Char.ts"
import { ClassName } from "../../src/structure/scalars/ClassNames.ts"
import { type EnumName, enums } from "../../src/structure/scalars/Enums.ts"
import { InetAddress } from "../../src/structure/scalars/InetAddress.ts"
import { Uuid } from "../../src/structure/scalars/Uuid.ts"
import { parseDate } from "../../src/structure/times/Dates.ts"
import { Duration, Temporal, type TemporalName, Timestamp } from "../../src/structure/times/Temporal.ts"

const LONG = { min: -(2n ** 63n), max: 2n ** 63n - 1n }

/** Texts with characters outside ASCII, control characters, quotes and names of members of objects. No unpaired surrogates. */
export const text = fc.oneof(
  fc.fullUnicodeString({ maxLength: 40 }),
  fc.asciiString({ maxLength: 60 }),
  fc.constantFrom("", "__proto__", "constructor", "@type", "@value", "\0x", '"\\\n', "a\u2028b", "1", "name")
)

export const numbers = fc.oneof(
  fc.integer(),
  fc.bigInt(LONG),
  fc.double().map(double),
  fc.integer().map(double),
  fc.constantFrom(0, -0, double(1), Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21, 5e-324),
  fc.float().map((value) => new Float(value)),
  fc.integer({ min: -128, max: 127 }).map((value) => new Byte(value)),
  fc.integer({ min: -32768, max: 32767 }).map((value) => new Short(value)),
  fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }).map((value) => new BigInteger(value)),
  fc.constantFrom(-129n, -128n, -1n, 0n, 127n, 128n, 255n, 256n).map((value) => new BigInteger(value)),
  fc.tuple(fc.bigInt(), fc.integer({ min: -500, max: 500 })).map(([value, scale]) => new BigDecimal(value, scale))
)

const temporalTexts: ReadonlyArray<readonly [TemporalName, string]> = [
  ["Instant", "2016-12-14T16:39:19.349Z"],
  ["Instant", "-0044-03-15T00:00:00.000000001Z"],
  ["LocalDate", "2016-01-01"],
  ["LocalDate", "+12345-12-31"],
  ["LocalDateTime", "2016-01-01T12:30"],
  ["LocalTime", "12:30:45.100"],
  ["MonthDay", "--02-29"],
  ["OffsetTime", "10:15:30+01:00"],
  ["Period", "P1Y6M15D"],
  ["Period", "P-1D"],
  ["Period", "P0D"],
  ["Year", "2016"],
  ["YearMonth", "2016-06"],
  ["ZonedDateTime", "2016-12-23T12:12:24.000000036-02:00"],
  ["ZoneOffset", "+03:06:09"],
  ["ZoneOffset", "Z"]
]

export const scalars = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  numbers,
  fc.uuid().map((value) => new Uuid(value)),
  fc.integer().map((value) => new Timestamp(value * 1000)),
  fc.integer().map((value) => new Timestamp(value, true)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => new Timestamp(value)),
  fc
    .constantFrom("2007-12-03T10:15:30.12+01:00", "1969-12-31T23:59:59.999999999Z", "-0001-01-01T00:00-18:00")
    .map(parseDate),
  fc
    .tuple(fc.bigInt(-(10n ** 15n), 10n ** 15n), fc.nat(999_999_999))
    .map(([seconds, nanos]) => new Duration(seconds, nanos)),
  fc.constantFrom("x", "é", "€", "😀").map((value) => new Char(value)),
  fc.uint8Array().map((bytes) => bytes),
  fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => new InetAddress(bytes)),
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => new InetAddress(bytes)),
  fc.constantFrom(...temporalTexts).map(([name, value]) => new Temporal(name, value)),
  fc.constant(new ClassName("java.io.File")),
  fc
    .constantFrom(...(Object.keys(enums) as Array<EnumName>))
    .chain((name) => fc.constantFrom(...Object.values(enums[name])))
)

const detached = new Detached()

const elements = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const meta = fc.option(
    fc.dictionary(text, value, { maxKeys: 2, minKeys: 1 }).map((fields) => new Map(Object.entries(fields)))
  )
  const vertexProperty = fc
    .tuple(value, text, value, meta)
    .map(([id, key, content, more]) => new VertexProperty(null, id, key, content, more))
  const vertex = fc
    .tuple(value, text, fc.uniqueArray(vertexProperty, { maxLength: 3, selector: (property) => property.key }))
    .map(([id, label, properties]) => {
      const made = detached.addVertex(id, label)
      for (const { id, key, value, meta } of properties) detached.addVertexProperty(made, id, key, value, meta)
      return made
    })
  const bareVertex = fc.tuple(value, text).map(([id, label]) => detached.addVertex(id, label))
  const edge = fc
    .tuple(value, text, bareVertex, bareVertex, fc.dictionary(text, value, { maxKeys: 2 }))
    .map(([id, label, out, into, properties]) => {
      const made = detached.addEdge(id, label, out, into)
      for (const [key, content] of Object.entries(properties)) detached.addEdgeProperty(made, key, content)
      return made
    })
  const property = fc.tuple(text, value).map(([key, content]) => new Property(null, key, content))
  const path = fc.array(fc.tuple(value, fc.uniqueArray(text, { maxLength: 2 })), { maxLength: 3 }).map(
    (steps) =>
      new Path(
        steps.map(([object]) => object),
        steps.map(([, labels]) => new Set(labels))
      )
  )
  return fc.oneof(vertex, edge, vertexProperty, property, path)
}

const comparisons = (value: fc.Arbitrary<unknown>): fc.Arbitrary<P | ConnectiveP | NotP> => {
  const simple = fc.oneof(
    fc
      .tuple(fc.constantFrom("eq" as const, "neq" as const, "gt" as const, "lte" as const), value)
      .map(([name, other]) => new P(name, other)),
    fc
      .tuple(fc.constantFrom("within" as const, "without" as const), fc.array(value, { maxLength: 3 }))
      // Readers take a name that is alone as that of the list: Predicates.test.ts.
      .map(([name, others]) => new P(name, others.length === 1 && others[0] instanceof Binding ? others[0] : others)),
    fc
      .tuple(fc.constantFrom("inside" as const, "outside" as const, "between" as const), value, value)
      .map(([name, a, b]) => new P(name, [a, b])),
    fc
      .tuple(fc.constantFrom("startingWith" as const, "notRegex" as const), text)
      .map(([name, other]) => new TextP(name, other)),
    fc.constant(new P("typeOf", enums.GType.INT))
  )
  return fc.oneof(
    simple,
    simple.map((predicate) => new NotP(predicate)),
    fc
      .tuple(fc.constantFrom("and" as const, "or" as const), fc.array(simple, { minLength: 1, maxLength: 3 }))
      .map(([name, all]) => new ConnectiveP(name, all))
  )
}

const processes = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const instructions = fc.array(
    fc.tuple(text, fc.array(value, { maxLength: 3 })).map(([name, args]) => new Instruction(name, args)),
    { maxLength: 3 }
  )
  const metrics = fc.tuple(text, text, fc.nat(), fc.nat(), value).map(
    ([id, name, duration, count, note]) =>
      new Metrics({
        id,
        name,
        duration: BigInt(duration),
        counts: new Map([["traverserCount", BigInt(count)]]),
        annotations: new Map([["note", note]]),
        nested: []
      })
  )
  return fc.oneof(
    fc.tuple(instructions, instructions).map(([source, step]) => new Bytecode(source, step)),
    comparisons(value),
    fc.tuple(text, value).map(([key, content]) => new Binding(key, content)),
    fc.constant(new Lambda("it.get()", "gremlin-groovy", 1)),
    fc
      .dictionary(fc.constantFrom("vertices", "edges", "fqcnOf"), value, { maxKeys: 2 })
      .map((fields) => new StrategySpec("SubgraphStrategy", new Map(Object.entries(fields)))),
    fc.tuple(value, fc.integer({ min: 1 })).map(([content, bulk]) => new Traverser(content, bulk)),
    metrics.map(
      (inner) =>
        new Metrics({
          id: "1",
          name: "outer",
          duration: 5_000_001n,
          counts: new Map(),
          annotations: new Map(),
          nested: [inner]
        })
    ),
    fc.array(metrics, { maxLength: 2 }).map((all) => new TraversalMetrics(1_234_567n, all))
  )
}

const graphs = (value: fc.Arbitrary<unknown>): fc.Arbitrary<SubGraph> =>
  fc.tuple(fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 3 }), value, text).map(([ids, content, key]) => {
    const vertices = ids.map((id) => {
      const vertex = detached.addVertex(id, "person")
      detached.addVertexProperty(vertex, BigInt(id), key, content, new Map([["since", content]]))
      return vertex
    })
    const edge = detached.addEdge(1n, "knows", vertices[0]!, vertices[vertices.length - 1]!)
    detached.addEdgeProperty(edge, key, content)
    return new SubGraph(vertices, [edge])
  })

/** Every value that GraphSON 3 and GraphBinary can contain. Only in GraphBinary do a graph's edges refer to vertices by id. */
export const values: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const value = tie("value")
  return {
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small", withCrossShrink: true },
      scalars,
      fc.array(value, { maxLength: 4 }),
      fc.array(fc.tuple(value, value), { maxLength: 3 }).map((all) => new GremlinMap(all)),
      fc.array(value, { maxLength: 3 }).map((all) => new GremlinSet(all)),
      fc.array(fc.tuple(value, fc.integer({ min: 1, max: 9 })), { maxLength: 3 }).map((all) => {
        const set = new BulkSet()
        for (const [content, count] of all) set.add(content, count)
        return set
      }),
      fc
        .array(fc.tuple(value, value), { maxLength: 2 })
        .map(
          (all) =>
            new Tree(
              new GremlinMap(
                all.map(([key, below]) => [key, new Tree(new GremlinMap([[below, new Tree(new GremlinMap())]]))])
              )
            )
        ),
      elements(value),
      processes(value),
      graphs(value)
    )
  }
}).value

/** Values that GraphSON 2 can contain: no sets, and only maps with strings as keys. */
export const valuesOfV2: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const value = tie("value")
  const key = text.filter((name) => !name.startsWith("@"))
  return {
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small", withCrossShrink: true },
      scalars,
      fc.array(value, { maxLength: 4 }),
      fc.array(fc.tuple(key, value), { maxLength: 3 }).map((all) => new GremlinMap(all)),
      elements(value),
      processes(value)
    )
  }
}).value

/** Values whose type GraphSON 1 can express. */
export const valuesOfV1: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const value = tie("value")
  return {
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small", withCrossShrink: true },
      scalars.filter((scalar) => typeof scalar !== "object" || !Array.isArray(scalar)),
      fc.array(value, { maxLength: 4 }),
      fc.array(value, { maxLength: 3 }).map((all) => new GremlinSet(all)),
      fc
        .array(
          fc.tuple(
            text.filter((name) => !["@class", "value"].includes(name)),
            value
          ),
          { maxLength: 3 }
        )
        .map((all) => new GremlinMap(all))
    )
  }
}).value
