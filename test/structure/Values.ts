import * as FastCheck from "effect/FastCheck"
import { GremlinMap, GremlinSet } from "../../src/structure/collections/Collections.ts"
import { Detached } from "../../src/structure/elements/Element.ts"
import { Path } from "../../src/structure/elements/Path.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  double,
  Float,
  type GremlinNumber,
  Short
} from "../../src/structure/numbers/Numbers.ts"
import { Char } from "../../src/structure/scalars/Char.ts"
import { Direction, T } from "../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../src/structure/scalars/Uuid.ts"
import { Duration, OffsetDateTime } from "../../src/structure/times/Temporal.ts"

/** Small integers, so that values of different types are often equal. */
const near = FastCheck.integer({ min: -3, max: 3 })

/** Numbers of every type, close to each other and at the limits of their ranges. */
export const numbers: FastCheck.Arbitrary<GremlinNumber> = FastCheck.oneof(
  near,
  near.map((n) => BigInt(n)),
  near.map(double),
  near.map((n) => new Float(n)),
  near.map((n) => new Byte(n)),
  near.map((n) => new Short(n)),
  near.map((n) => new BigInteger(BigInt(n))),
  FastCheck.tuple(FastCheck.integer({ min: -300, max: 300 }), FastCheck.integer({ min: -2, max: 2 })).map(
    ([unscaled, scale]) => new BigDecimal(BigInt(unscaled), scale)
  ),
  FastCheck.integer(),
  FastCheck.double().map((n) => double(n)),
  FastCheck.float().map((n) => new Float(n)),
  FastCheck.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  FastCheck.bigInt().map((n) => new BigInteger(n)),
  FastCheck.constantFrom<GremlinNumber>(
    0.1,
    new Float(0.1),
    new BigDecimal(1n, 1),
    -0,
    Number.NaN,
    new Float(Number.NaN),
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    new Float(Number.POSITIVE_INFINITY),
    2 ** 53,
    2n ** 53n + 1n,
    2 ** 63,
    new BigInteger(2n ** 63n),
    new BigDecimal(1n, -400),
    new BigDecimal(1n, 400)
  )
)

/** Elements of a small graph outside any transaction. */
const graph = new Detached()
const marko = graph.addVertex(1, "person")
const other = graph.addVertex(2n, "person")
graph.addVertexProperty(marko, 10n, "name", "marko", null)
const knows = graph.addEdge(7, "knows", marko, other)
graph.addEdgeProperty(knows, "weight", 0.5)

const scalars: FastCheck.Arbitrary<unknown> = FastCheck.oneof(
  numbers,
  FastCheck.constantFrom<unknown>(
    null,
    true,
    false,
    "",
    "a",
    "b",
    "1",
    "\0d1",
    T.id,
    Direction.OUT,
    marko,
    other,
    knows,
    ...marko.properties(),
    ...knows.properties(),
    new Char("a"),
    new Uuid("0db5ba07-5ad3-4a4c-9a04-6a7ec8ffd6c1"),
    new Uuid("f0b5ba07-5ad3-4a4c-9a04-6a7ec8ffd6c1"),
    new OffsetDateTime(0, 0, 0),
    new OffsetDateTime(0, 0, 3600),
    new OffsetDateTime(1, 5, 0),
    new Duration(1n, 0),
    new Duration(-1n, 5),
    Uint8Array.of(1, 2)
  ),
  FastCheck.string({ maxLength: 3 })
)

/** Values of every type, nested at most two deep. */
export const values: FastCheck.Arbitrary<unknown> = FastCheck.letrec<{ value: unknown }>((tie) => {
  const items = FastCheck.array(tie("value"), { maxLength: 3 })
  return {
    value: FastCheck.oneof(
      { depthSize: "small", maxDepth: 2 },
      scalars,
      items,
      items.map((members) => new GremlinSet(members)),
      FastCheck.array(FastCheck.tuple(tie("value"), tie("value")), { maxLength: 2 }).map(
        (entries) => new GremlinMap(entries)
      ),
      items.map(
        (objects) =>
          new Path(
            objects,
            objects.map(() => new Set<string>())
          )
      )
    )
  }
}).value
