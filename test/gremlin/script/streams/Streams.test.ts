import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const IMPORT = "import java.util.stream.*\n"
const check = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(IMPORT + script)), script).toBe(value)
}

// The expected values are those of Gremlin Server 3.8.1.

describe("A stream", () => {
  it("maps, filters and collects the members of a list", () => {
    check(cases)
  })

  it("takes from a closure only what the type of its method says, as Groovy does", () => {
    for (const [script, message] of [
      ["[1].stream().filter{ it % 2 }.count()", "gives true or false, not Integer"],
      ["[1].stream().anyMatch{ it }", "gives true or false, not Integer"],
      ["[1].stream().mapToDouble{ it }.sum()", "numbers of the type Double, not Integer"],
      ["[1].stream().mapToInt{ it as long }.sum()", "numbers of the type Integer, not Long"],
      ["[1].stream().collect(Collectors.averagingDouble{ it })", "numbers of the type Double, not Integer"],
      ["[1, 2].stream().collect(Collectors.joining(','))", "joining() joins texts, not Integer"],
      ["[null].stream().findFirst()", "the first member of the stream is null"],
      ["[1, null].stream().collect(Collectors.groupingBy{ it })", "groupingBy() gives no null"],
      ["[1, null].stream().collect(Collectors.toUnmodifiableList())", "toUnmodifiableList() takes no null"],
      ["[[3], [1]].stream().sorted()", "stream.sorted() takes values with an order, not ArrayList"],
      ["IntStream.range(0, 3000000000L)", "a range of IntStream has no bound of the type Long"],
      ["[1, 'a'].stream().sorted()", "stream.sorted() compares values of one class"],
      ["IntStream.range(0, 1000000).sum()", "a stream of numbers would process 1000000 items"]
    ] as const) {
      expect.soft(() => resultOf(IMPORT + script), script).toThrow(message)
      expect.soft(resultOf(`${IMPORT}try { ${script} } catch (e) { 'caught' }`), script).toBe("caught")
    }
  })

  it("makes no text that is longer than a text of a script", () => {
    const texts = "def s = 'x' * 1000000; def l = []; 600.times { l << s }; "
    for (const script of [
      `${texts}l.stream().collect(Collectors.joining())`,
      `${texts}String.join('', l)`,
      "(0..2000).stream().map{ 'a' }.collect(Collectors.joining('x' * 1000000))"
    ]) {
      expect
        .soft(() => resultOf(IMPORT + script), script)
        .toThrow("a string of a script has at most 1048576 characters")
    }
    expect(resultOf("['a'].join('x' * 1048576)")).toBe("a")
  })

  it("takes collectors only up to a depth, because each of them needs the stack", () => {
    for (const nested of ["Collectors.mapping({ it }, c)", "Collectors.groupingBy({ it }, c)"]) {
      const script = `def c = Collectors.toList(); 20000.times { c = ${nested} }; [1].stream().collect(c)`
      expect(() => resultOf(IMPORT + script)).toThrow("collectors nest at most 50 levels deep in scripts")
    }
  })

  it("gives lists and sets that cannot be changed where Java's cannot", () => {
    for (const script of [
      "[1].stream().toList() << 2",
      "[1].stream().collect(Collectors.toUnmodifiableList()) << 2",
      "[1].stream().collect(Collectors.toUnmodifiableSet()) << 2"
    ]) {
      const caught = `${IMPORT}try { ${script} } catch (e) { e.class.simpleName }`
      expect.soft(resultOf(caught), script).toBe("UnsupportedOperationException")
    }
  })

  it("refuses what scripts do not have, and no script catches that", () => {
    for (const [script, message] of [
      ["[1].stream().mapMulti{ it }", "a stream has no method mapMulti() in scripts; it has allMatch"],
      ["[1].stream().sum()", "a Stream has no sum(): write stream.mapToInt { it }.sum()"],
      ["[1].stream().collect(Collectors.teeing(1, 2, 3))", "scripts do not have Collectors.teeing()"],
      ["[1].stream().sorted{ it }", "takes a closure of two arguments"],
      ["[1].stream().collect([])", "takes a collector in scripts, such as Collectors.toList()"]
    ] as const) {
      expect.soft(() => resultOf(`${IMPORT}try { ${script} } catch (e) { 'caught' }`), script).toThrow(message)
    }
  })
})

const cases: ReadonlyArray<readonly [string, string]> = [
  ["[1, 2, 3].stream().map{it * 2}.collect(Collectors.toList())", "[2, 4, 6]"],
  ["[1, 2, 3].stream().map({ x -> x * 2 }).filter({ it > 2 }).toList()", "[4, 6]"],
  ["[3, 1, 2].stream().sorted().collect(Collectors.toList())", "[1, 2, 3]"],
  ["[3, 1, 2].stream().sorted{ a, b -> b <=> a }.collect(Collectors.toList())", "[3, 2, 1]"],
  ["[1, 1, 2].stream().distinct().count()", "2"],
  ["[1, 1, 2].stream().count() instanceof Long", "true"],
  ["['a', 'b'].stream().map{ it.toUpperCase() }.collect(Collectors.joining(', ', '<', '>'))", "<A, B>"],
  ["['a', 'b'].stream().map(String::toUpperCase).collect(Collectors.joining())", "AB"],
  ["[1, 2, 3].stream().mapToInt{ it }.sum()", "6"],
  ["[1, 2, 3].stream().mapToInt{ it }.sum() instanceof Integer", "true"],
  ["[1L, 2L].stream().mapToLong{ it }.sum() instanceof Long", "true"],
  ["[0.1d, 0.2d, 0.3d].stream().mapToDouble{ it }.sum()", "0.6"],
  ["[2147483647, 1].stream().mapToInt{ it }.sum()", "-2147483648"],
  ["[1, 2].stream().mapToInt{ it }.average().getAsDouble()", "1.5"],
  ["[1, 5, 2].stream().mapToInt{ it }.max().getAsInt()", "5"],
  ["[1, 5, 2].stream().max{ a, b -> a <=> b }.get()", "5"],
  ["[1, 5, 2].stream().min{ a, b -> a <=> b }.get()", "1"],
  ["[1, 2, 3].stream().limit(2).collect(Collectors.toList())", "[1, 2]"],
  ["[1, 2, 3].stream().skip(2).collect(Collectors.toList())", "[3]"],
  ["[1, 2, 3].stream().anyMatch{ it > 2 }", "true"],
  ["[1, 2, 3].stream().allMatch{ it > 2 }", "false"],
  ["[1, 2, 3].stream().noneMatch{ it > 2 }", "false"],
  ["[].stream().allMatch{ it > 2 }", "true"],
  ["[1, 2, 3].stream().findFirst().get()", "1"],
  ["[].stream().findFirst().isPresent()", "false"],
  ["[1, 2, 3].stream().filter{ it > 5 }.findFirst().orElse(9)", "9"],
  ["[1, 2, 3].stream().reduce(0){ a, b -> a + b }", "6"],
  ["[1, 2, 3].stream().reduce(0, { a, b -> a + b })", "6"],
  ["[1, 2, 3].stream().reduce{ a, b -> a + b }.get()", "6"],
  ["def r = []; [1, 2, 3].stream().forEach{ r << it }; r", "[1, 2, 3]"],
  ["[[1], [2, 3]].stream().flatMap{ it.stream() }.collect(Collectors.toList())", "[1, 2, 3]"],
  ["['a', 'bb', 'cc'].stream().collect(Collectors.groupingBy{ it.size() })", "{1=[a], 2=[bb, cc]}"],
  ["['a', 'bb', 'cc'].stream().collect(Collectors.groupingBy({ it.size() }, Collectors.counting()))", "{1=1, 2=2}"],
  [
    "['a', 'bb', 'cc'].stream().collect(Collectors.groupingBy({ it.size() }, Collectors.mapping({ it * 2 }, Collectors.toList())))",
    "{1=[aa], 2=[bbbb, cccc]}"
  ],
  ["[1, 2, 3].stream().collect(Collectors.partitioningBy{ it > 1 })", "{false=[1], true=[2, 3]}"],
  ["['a', 'bb'].stream().collect(Collectors.toMap({ it }, { it.size() }))", "{a=1, bb=2}"],
  ["['a', 'a'].stream().collect(Collectors.toMap({ it }, { 1 }, { x, y -> x + y }))", "{a=2}"],
  ["[1, 2].stream().collect(Collectors.summingInt{ it })", "3"],
  ["[1, 2].stream().collect(Collectors.averagingInt{ it })", "1.5"],
  ["[1, 2, 2].stream().collect(Collectors.toSet()).size()", "2"],
  ["[1, 2].stream().toArray().length", "2"],
  ["[1, 2].stream().collect{ it + 1 }", "[2, 3]"],
  ["[].stream().collect(Collectors.averagingInt{ it })", "0.0"],
  ["[a: 1, b: 2].entrySet().stream().filter{ it.value > 1 }.map{ it.key }.collect(Collectors.toList())", "[b]"],
  ["[a: 1, b: 2].values().stream().mapToInt{ it }.sum()", "3"],
  ["[a: 1, b: 2].keySet().stream().collect(Collectors.joining('-'))", "a-b"],
  ["([1, 2] as Set).stream().map{ it + 1 }.collect(Collectors.toList())", "[2, 3]"],
  ["Stream.of(1, 2).map{ it + 1 }.collect(Collectors.toList())", "[2, 3]"],
  ["IntStream.range(0, 3).boxed().collect(Collectors.toList())", "[0, 1, 2]"],
  ["IntStream.rangeClosed(1, 3).map{ it * 2 }.sum()", "12"],
  ["IntStream.range(0, 2).mapToObj{ 'v' + it }.collect(Collectors.toList())", "[v0, v1]"],
  ["Arrays.stream([1, 2] as int[]).sum()", "3"],
  ["[1, 2].parallelStream().map{ it + 1 }.collect(Collectors.toList())", "[2, 3]"],
  ["[1, 2, 3, 1].stream().takeWhile{ it < 3 }.collect(Collectors.toList())", "[1, 2]"],
  ["[1, 2, 3, 1].stream().dropWhile{ it < 3 }.collect(Collectors.toList())", "[3, 1]"],
  ["def l = [1, 2]; def s = l.stream(); l << 3; s.collect(Collectors.toList())", "[1, 2, 3]"],
  ["def r = []; for (x in [1, 2].stream().map{ it + 1 }) r << x; r", "[2, 3]"],
  ["[1, 2].stream().flatMap{ it == 1 ? null : Stream.of(it) }.collect(Collectors.toList())", "[2]"],
  [
    "LongStream.range(9007199254740992L, 9007199254740995L).boxed().map{ it % 10 }.collect(Collectors.toList())",
    "[2, 3, 4]"
  ],
  ["LongStream.rangeClosed(9223372036854775806L, Long.MAX_VALUE).count()", "2"],
  ["(1..3).stream().map{ it * 2 }.collect(Collectors.toList())", "[2, 4, 6]"],
  [
    "def s = [1].stream(); s.count(); try { s.count() } catch (e) { e.class.simpleName + ': ' + e.message }",
    "IllegalStateException: stream has already been operated upon or closed"
  ],
  [
    "try { ['a', 'a'].stream().collect(Collectors.toMap({ it }, { 1 })) } catch (e) { e.class.simpleName + ': ' + e.message }",
    "IllegalStateException: Duplicate key a (attempted merging values 1 and 1)"
  ]
]
