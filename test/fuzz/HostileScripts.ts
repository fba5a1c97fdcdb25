// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are those of Groovy.
import { programOf, programText } from "../differential/programs/Program.ts"
import type { Random } from "./Random.ts"

/** Names that lead out of a script in JavaScript, Java or Groovy, if an interpreter looks them up in its own objects. */
const NAMES =
  "__proto__ constructor prototype __defineGetter__ __lookupGetter__ hasOwnProperty isPrototypeOf toLocaleString valueOf toString then catch " +
  "call apply bind arguments caller length name Symbol globalThis process require module exports global eval Function Object Array Reflect " +
  "Proxy import class getClass metaClass getMetaClass invokeMethod execute evaluate forName getDeclaredMethods newInstance exec System " +
  "Runtime Class ClassLoader Thread File URL Socket ProcessBuilder GroovyShell delegate owner thisObject this super handle host store " +
  "source code boxes methods scope budget runtime iterator next return throw size get set has delete entries keys"

/** Values in which the names are looked up. */
const VALUES = [
  ...[
    "null",
    "1",
    "-2147483648",
    "1.5d",
    "10000000000000000000000",
    "''",
    "'x'",
    "'__proto__'",
    '"${1}"',
    "true",
    "[]",
    "[1, 2]",
    "[:]"
  ],
  ...[
    "[a: 1]",
    "['__proto__': [polluted: 1]]",
    "[constructor: { it }]",
    "[toString: 1, valueOf: 2]",
    "([1] as Set)",
    "(1..5)"
  ],
  ...[
    "{ it }",
    "{ a, b -> a }",
    "{ -> throw new RuntimeException('x') }",
    "new Random(1)",
    "new Date(0)",
    "new Exception('x')"
  ],
  ...[
    "g",
    "graph",
    "g.V()",
    "g.V(1).next()",
    "g.E().next()",
    "g.V(1).properties().next()",
    "g.V().out().path().next()"
  ],
  ...[
    "g.V().out().tree().next()",
    "__.out()",
    "P.gt(1)",
    "String",
    "Math",
    "Vertex.class",
    "T.id",
    "UUID.randomUUID()"
  ],
  ...[
    "{ it }.curry(1)",
    "{ it }.memoize()",
    "({ it } >> { it })",
    "[1].toArray()",
    "[a: 1].keySet()",
    "[a: 1].values()"
  ],
  ...[
    "('a' as char)",
    "LocalDate.of(2020, 1, 1)",
    "LocalDateTime.of(2020, 1, 1, 0, 0)",
    "Integer.class",
    "[*: [a: 1]]"
  ],
  ...["graph.openManagement()", "graph.features()", "graph.tx()", "('a' =~ 'a')", "[1].iterator()", "Optional"]
]

/** Scripts that need too much memory, time or depth. `S` stands for a number or a text. */
const GREEDY = [
  "def s = 'x'; while (true) s += s",
  "def l = []; while (true) l << l.clone()",
  "def l = []; while (true) { l << [l.size()] * 1000 }",
  "def m = [:]; for (int i = 0; ; i++) m[i] = 'x' * 1000",
  "[1] * 100000000",
  "'a' * 2147483647",
  "'a'.padLeft(2147483647)",
  "(1..2147483647).collect { it }",
  "(1..2147483647).toList()",
  "def x = 2; while (true) x = x * x",
  "2 ** 2147483647",
  "9.9e999999999 * 9.9e999999999",
  "while (true) { }",
  "for (;;) { try { throw new RuntimeException('x') } catch (e) { } }",
  "while (true) { try { 1 / 0 } finally { continue } }",
  "def f(n) { f(n + 1) }; f(0)",
  "def c; c = { c() }; c()",
  "def f = { it(it) }; f(f)",
  "def l = []; 100000.times { l = [l] }; l.toString()",
  "def l = []; 100000.times { l = [l] }; l == l.clone()",
  "def l = []; 100000.times { l = [l] }; [(l): 1]",
  "def c = { it }; 100000.times { c = c >> { it } }; c(1)",
  "def c = { 1 }; 100000.times { def d = c; c = { d() } }; c()",
  "('a' * 100000) ==~ /(a+)+$/",
  "('a' * 50000 + 'b') =~ /(a|aa)+$/",
  "('ab' * 50000).replaceAll(/((a|b)*)*c/, '$1$1')",
  "'x'.replaceAll(/(x{1000}){1000}/, '')",
  "g.V().map { while (true) { } }",
  "g.V().filter { def l = []; while (true) l << 'x' * 1000 }",
  "g.V().repeat(__.both().map { it.get() }).count()",
  "g.V().order().by { a, b -> new Random().nextInt(3) - 1 }",
  "(1..50000).toList().sort { a, b -> new Random().nextInt(3) - 1 }.size()",
  "g.withSack { while (true) { } }.V()",
  "g.V().sideEffect { g.V().sideEffect { g.V().map { it.get() }.toList() }.toList() }",
  "def f(n) { g.V().map { f(n + 1) }.toList() }; f(0)",
  "println('x' * 1000000); 10000.times { println 'y' * 1000 }",
  "'x'.multiply(100000).toList().permutations()",
  "[1, 2, 3].combinations()*.size()",
  "(1..100000).toList().subsequences()",
  "(0..60).inject(1) { a, b -> a ** b }",
  "def m = [:].withDefault { [it] * 100000 }; for (int i = 0; ; i++) m[i]",
  "String.format('%99999999d', 1)",
  "String.format('%900000s%900000s', 1, 2)",
  "('%s' * 300000).formatted(*(1..100000))",
  "while (true) sprintf('%100000s', 1)",
  "String.format('%.999999f', 1.5d)",
  "def f = { it }; while (true) f = f.curry(1)",
  "def f = { it }; 100000.times { f = f.curry() }; f(1)",
  "def f = { it }; 100000.times { f = f << { it } }; f(1)",
  "def f = { [it] * 1000 }.memoize(); for (int i = 0; ; i++) f(i)",
  "def f; f = { n -> f(n + 1) }.memoize(); f(0)",
  "def l = [1]; 60.times { l = [*l, *l] }",
  "def l = [1]; 40.times { l = [l, l] }; l.hashCode()",
  "def l = []; 100000.times { l = [l] }; l.hashCode()",
  "def l = []; l << l; l.hashCode()",
  "('a' * 1000000).replaceAll('a') { 'b' * 1000 }",
  "('a' * 100000).eachMatch('a') { while (true) { } }",
  "def l = []; l[2147483647..2147483647] = [1]",
  "def l = [1]; while (true) l[0..-1] = [*l, *l]",
  "g.V(*(1..100000))",
  "g.inject(*(['x' * 1000] * 100000))",
  "g.V(*(1..9000))",
  "def f(Object... xs) { f(*xs, 1) }; f()",
  "def f(Map m) { f(a: m) }; f([:])",
  "def d = LocalDate.of(2020, 1, 1); while (true) d = d.plusDays(1)",
  "LocalDate.of(2020, 1, 1).plusDays(9223372036854775807L)",
  "[a: 1].merge('a', 1) { x, y -> while (true) { } }",
  "def m = [:]; for (int i = 0; ; i++) m.merge(i, 'x' * 1000) { a, b -> a }",
  "def m = [a: 1]; m.replaceAll { k, v -> m }",
  "def m = [:]; m.a = m.keySet(); m[m.keySet()] = m.keySet(); m.toString()",
  "assert 'x' * 100000 == 'y' * 100000 : 'z' * 1000000"
]

const namesOf = NAMES.split(" ")

const name = (random: Random): string => random.one(namesOf)

const value = (random: Random, depth: number): string => {
  if (depth === 0 || random.chance(0.4)) return random.one(VALUES)
  const of = value(random, depth - 1)
  const other = value(random, depth - 1)
  const called = name(random)
  return random.one([
    () => `(${of}).${called}`,
    () => `(${of}).${called}(${random.chance(0.5) ? other : ""})`,
    () => `(${of})['${called}']`,
    () => `(${of})[${other}]`,
    () => `(${of})?.${called}`,
    () => `(${of})*.${called}`,
    () => `(${of}).'${called}'`,
    () => `(${of}) as ${called}`,
    () => `(${of}) instanceof ${called}`,
    () => `new ${called}(${other})`,
    () => `${called}.${name(random)}(${other})`,
    () => `${called}(${other})`,
    () => called,
    () => `(${called}) ${other}`,
    () => `(${of}).with { ${called} }`,
    () => `(${of}).tap { ${called} = ${other} }`,
    () => `[${called}: ${of}].${called}`,
    () => `[(${of}): ${other}]`,
    () => `"\${${of}} $${called}"`,
    () => `(${of}) ${random.one(["+", "-", "*", "<=>", "==", "in", "<<", "=~", "==~", "?:", "..", "**"])} (${other})`,
    () => `{ ${called} -> ${of} }(${other})`,
    () => `g.V().map { (${of}).${called} }`,
    () => `g.V().property('${called}', ${of}).values('${called}')`,
    () => `g.inject(${of}).map { it.${called} }`
  ])()
}

const statement = (random: Random): string => {
  const it = value(random, 2)
  const called = name(random)
  return random.one([
    () => it,
    () => `def ${called} = ${it}; ${called}`,
    () => `${called} = ${it}`,
    () => `(${it}).${called} = ${value(random, 1)}`,
    () => `def x = ${it}; x['${called}'] = ${value(random, 1)}; x`,
    () => `def ${called}(a) { ${it} }; ${called}(1)`,
    () => `import ${called}`,
    () => `import java.lang.${called}; ${called}`,
    () => `try { ${it} } catch (${called} e) { e.${name(random)} } finally { ${value(random, 1)} }`,
    () => `try { throw ${it} } catch (e) { e.${called} }`,
    () => `for (${called} in ${it}) { ${value(random, 1)} }`,
    () => `switch (${it}) { case ${called}: 1; default: 2 }`,
    () => `class ${called} { static { ${it} } }`,
    () => `@${called} def x = ${it}`
  ])()
}

/** Puts a hostile name in the place of a word of a program, which is right otherwise. */
const mutated = (random: Random): string => {
  const words = programText(programOf(random.below(2 ** 30), 0)).split(/\b/)
  for (let count = 1 + random.below(4); count > 0; count--) {
    words[random.below(words.length)] = random.chance(0.7) ? name(random) : value(random, 1)
  }
  return words.join("")
}

/** A script that tries to leave the interpreter, or to use more than its share. Equal generators give equal scripts. */
export const hostileScript = (random: Random): string => {
  const kind = random.below(10)
  if (kind === 0) return random.one(GREEDY)
  if (kind < 3) return mutated(random)
  return Array.from({ length: 1 + random.below(3) }, () => statement(random)).join("\n")
}

/** Texts that an answer has only if a script has reached the machine or the interpreter itself. */
const ESCAPES =
  /\[native code\]|node:internal|\bat [\w.]+ \(.*:\d+:\d+\)|=>\s*\{|\[object Function\]|Maximum call stack|Cannot read prop|is not a function|is not iterable|is not defined/

/** What is wrong with the answer to a hostile script; undefined for a right one. */
export const problemOf = (answer: string): string | undefined => {
  const found = ESCAPES.exec(answer)?.[0]
  return found === undefined ? undefined : `the answer has ${JSON.stringify(found)}: ${answer.slice(0, 500)}`
}

/** The properties of the objects that all values of JavaScript share. A script must not change them. */
export const sharedProperties = (): string =>
  [Object, Array, Function, String, Number, Map, Set, Promise]
    .flatMap((each) => [each.name, ...Reflect.ownKeys(each), "/", ...Reflect.ownKeys(each.prototype as object)])
    .map(String)
    .join(" ")
