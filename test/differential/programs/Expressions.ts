import type { Random } from "../../fuzz/Random.ts"

/** The types of generated values. A list holds integers, a map has texts as keys and integers as values. */
export type ValueType = "int" | "text" | "bool" | "double" | "list" | "texts" | "map"

/** The variables and functions that an expression can use. */
export class Names {
  readonly random: Random
  readonly #types: Map<string, ValueType>
  /** Functions of one integer that return an integer. */
  readonly functions: Array<string>
  /** Number of the program. */
  readonly suffix: number
  readonly #counter: { next: number }

  constructor(random: Random, outer?: Names, suffix = 0) {
    this.random = random
    this.#types = new Map(outer === undefined ? [] : outer.#types)
    this.functions = outer === undefined ? [] : outer.functions
    this.suffix = outer === undefined ? suffix : outer.suffix
    this.#counter = outer === undefined ? { next: 0 } : outer.#counter
  }

  /** A scope inside this one. Its variables end with it. */
  inner(): Names {
    return new Names(this.random, this)
  }

  /** A name that no other variable of the program has. */
  fresh(prefix: string): string {
    return `${prefix}${this.#counter.next++}`
  }

  add(name: string, type: ValueType): void {
    this.#types.set(name, type)
  }

  of(type: ValueType): ReadonlyArray<string> {
    return [...this.#types].filter(([, each]) => each === type).map(([name]) => name)
  }

  get all(): ReadonlyArray<string> {
    return [...this.#types.keys()]
  }
}

const TEXTS = ["''", "'a'", "'marko'", "'Groovy is'", "'x,y,,z'", "'ünï'", "' pad '", "'aXbXc'"]
const INTEGERS = ["0", "1", "2", "3", "7", "-1", "-5", "10", "100", "2147483647", "12L", "-3L"]
const DOUBLES = ["0.5d", "-1.25d", "3.0d", "1e3d", "2.5f"]
const KEYS = ["'a'", "'b'", "'marko'", "'k'"]

type Make = (names: Names, depth: number) => string

const literals: Readonly<Record<ValueType, Make>> = {
  int: ({ random }) => random.one(INTEGERS),
  text: ({ random }) => random.one(TEXTS),
  bool: ({ random }) => random.one(["true", "false"]),
  double: ({ random }) => random.one(DOUBLES),
  list: ({ random }) => `[${Array.from({ length: random.below(5) }, () => random.one(INTEGERS)).join(", ")}]`,
  texts: ({ random }) => `[${Array.from({ length: random.below(4) }, () => random.one(TEXTS)).join(", ")}]`,
  map: ({ random }) => {
    const entries = Array.from({ length: random.below(4) }, () => `(${random.one(KEYS)}): ${random.one(INTEGERS)}`)
    return entries.length === 0 ? "[:]" : `[${entries.join(", ")}]`
  }
}

/** An expression of a type. `depth`: levels of operands. */
export const expression = (names: Names, type: ValueType, depth: number): string => {
  const { random } = names
  const variables = names.of(type)
  if (variables.length > 0 && random.chance(0.4)) return random.one(variables)
  if (depth === 0) return literals[type](names, 0)
  return random.one(makers[type])(names, depth - 1)
}

/** A closure body over `it`, of integers. */
const ofNumber = (names: Names, depth: number, type: ValueType): string => {
  const inner = names.inner()
  inner.add("it", "int")
  return expression(inner, type, depth)
}

const ofText = (names: Names, depth: number, type: ValueType): string => {
  const inner = names.inner()
  inner.add("it", "text")
  return expression(inner, type, depth)
}

const ofTwo = (names: Names, depth: number): string => {
  const inner = names.inner()
  inner.add("p", "int")
  inner.add("q", "int")
  return expression(inner, "int", depth)
}

/** Replaces `{type}` in a pattern by an expression of the type, and `{type:it}` by a closure body over `it`. */
const pattern =
  (text: string): Make =>
  (names, depth) => {
    const filled = text.replaceAll(
      /\{(int|text|bool|double|list|texts|map)(:it|:s|:pq)?\}/g,
      (_, type: ValueType, over?: string) => {
        if (over === ":it") return ofNumber(names, depth, type)
        if (over === ":s") return ofText(names, depth, type)
        return over === ":pq" ? ofTwo(names, depth) : expression(names, type, depth)
      }
    )
    // Groovy reads `(name) as ...` and `(name)[...]` as casts to a class.
    return filled.replaceAll(/(?<![\w'])\((\w+)\)(?! *->)/g, "$1")
  }

const patterns = (...texts: ReadonlyArray<string>): ReadonlyArray<Make> => texts.map(pattern)

/** A call of a function of the program. */
const call: Make = (names, depth) =>
  names.functions.length === 0
    ? literals.int(names, depth)
    : `${names.random.one(names.functions)}(${expression(names, "int", depth)} % 7)`

const makers: Readonly<Record<ValueType, ReadonlyArray<Make>>> = {
  int: [
    call,
    ...patterns(
      "({int} + {int})",
      "({int} - {int})",
      "({int} * {int})",
      "({int} % 7)",
      "({int}).intdiv(3)",
      "(-({int}))",
      "Math.abs({int})",
      "Math.max({int}, {int})",
      "({bool} ? {int} + 0 : {int})",
      "({text}).length()",
      "({list}).size()",
      "({map}).size()",
      "({texts}).size()",
      "(({list}).sum() ?: 0)",
      "(({list}).max() ?: -1)",
      "(({list}).min() ?: -2)",
      "({list}).count({int})",
      "({list}).inject(1) { p, q -> {int:pq} % 1000 }",
      "({list}).count { {bool:it} }",
      "(({list}).find { {bool:it} } ?: 5)",
      "({list}).indexOf({int})",
      "({text}).indexOf({text})",
      "(({map}).get({text}) ?: 0)",
      "(({map})[{text}] ?: 1)",
      "(({list})[0] ?: 3)",
      "(({list})[-1] ?: 4)",
      "({int} <=> {int})",
      "({int} & 255)",
      "(({int} & 15) << 2)",
      "({int} >> 1)",
      "({int} ^ 3)",
      "Integer.signum(({text}).compareTo({text}))",
      "({text}).hashCode()",
      "({list}).hashCode()",
      "({map}).hashCode()",
      "(({list})[-2] ?: 6)",
      "(({list}).getAt(-1) ?: 8)",
      "[*{list}, {int}].size()",
      "Math.max(*[{int}, {int}])",
      "({ p, q -> {int:pq} }).curry({int}).call({int})",
      "({ p, q -> {int:pq} }).rcurry({int}).call({int})",
      "({ it -> {int:it} } >> { it -> {int:it} }).call({int})",
      "(({int}) as byte)",
      "(({int}) as short)",
      "(({double}) as int)",
      "(({text} + 'z').charAt(0) as int)",
      "({map}).merge({text}, {int}) { p, q -> {int:pq} }",
      "({map}).getOrDefault({text}, {int})",
      "({list}).toArray().length",
      "(({int}) as long)",
      "({bool} ? (3 as short) : 4L)",
      "(({map}).values().sum() ?: 0)",
      "({map}).entrySet().inject(0) { p, e -> p + e.value }",
      "({list}).take(3).permutations().size()",
      "({list}).take(4).subsequences().size()",
      "new StringBuilder({text}).append({int}).length()",
      "({list}).toArray()[-1]",
      "g.V().count().next()",
      "g.V().has('name', {text}).count().next()",
      "g.V().hasLabel('person').values('age').sum().next()"
    )
  ],
  text: patterns(
    "({text} + {text})",
    "({text} + {int})",
    "({text}).toUpperCase()",
    "({text}).trim()",
    "({text}).reverse()",
    "({text}).replace({text}, 'Q')",
    "({text}).replaceAll('[aeiou]', '_')",
    "({text}).capitalize()",
    "({text}).take(3)",
    "({text}).drop(1)",
    "({text}).padLeft(6, '*')",
    `"<\${{int}}>".toString()`,
    `"\${{text}}-\${{list}}".toString()`,
    "({list}).join('|')",
    "({texts}).join()",
    "({list}).toString()",
    "({bool} ? {text} : {text})",
    "({int}).toString()",
    "(({texts})[0] ?: 'none')",
    "({text} * 2)",
    "(({texts}).max() ?: 'm')",
    "({list}).collect { {int:it} }.join(',')",
    "({text}).tokenize(',').join('+')",
    "({map}).keySet().sort().join('')",
    "String.format('%d|%5d|%-7s|%S', {int}, {int}, {text}, {text})",
    "String.format('%x %o %,d %+d %08d', {int}, {int}, {int}, {int}, {int})",
    "sprintf('%08.3f|%.0f|%,.1f|%.2e', {double}, {double}, {double}, {double})",
    "'%s %s %b'.formatted({list}, {map}, {bool})",
    "({map}).toString()",
    `"\${{map}} \${{texts}}".toString()`,
    "('' + {map} + {list})",
    "(({list}) as Set).toString()",
    "({text}).replaceAll(/[a-z]/) { it.toUpperCase() }",
    "({text}).replaceAll('a') { {text:s} }",
    "({text})[0..-1]",
    "({text})[-1]",
    "({text})[0, -1]",
    "(({text}).find(/[A-Z]/) { it + '!' } ?: 'no')",
    "({int}).class.name",
    "({double}).class.simpleName",
    "(0..(({int}) % 5)).toString()",
    "((({int}) % 5)..<3).toString()",
    "new StringBuilder({text}).reverse().toString()",
    "new StringBuilder({text}).insert(0, {int}).append({list}).toString()",
    "('a'..<'e').join({text})"
  ),
  bool: patterns(
    "({int} < {int})",
    "({int} >= {int})",
    "({int} == {int})",
    "({text} == {text})",
    "({text} < {text})",
    "({list} == {list})",
    "({bool} && {bool})",
    "({bool} || {bool})",
    "(!{bool})",
    "({text}).contains({text})",
    "({text}).startsWith({text})",
    "({text}).isEmpty()",
    "({list}).contains({int})",
    "({list}).any { {bool:it} }",
    "({list}).every { {bool:it} }",
    "({int} in {list})",
    "({text} ==~ /[a-z]+/)",
    "({map}).containsKey({text})",
    "({int} as boolean)",
    "({text} as boolean)",
    "({list} as boolean)",
    "({int} instanceof Integer)",
    "({int} in 1L..9L)",
    "(({map}).values() == {list})",
    "(({map}).entrySet() == ({map}).entrySet())",
    "g.V().has('age', {int}).hasNext()"
  ),
  double: patterns(
    "({double} + {double})",
    "({double} * {int})",
    "({double} - {double})",
    "(({int}) as double)",
    "Math.floor({double})",
    "Math.sqrt(Math.abs({double}))",
    "Math.round({double}) * 1.0d",
    "({double}).abs()",
    "({bool} ? {double} + 0.0d : {double} + 0.0d)"
  ),
  list: patterns(
    "({list} + {list})",
    "({list} + {int})",
    "({list} - {list})",
    "({list}).collect { {int:it} }",
    "({list}).findAll { {bool:it} }",
    "({list}).sort(false)",
    "({list}).sort(false) { a, b -> b <=> a }",
    "({list}).sort(false) { {int:it} }",
    "({list}).reverse()",
    "({list}).unique(false)",
    "({list}).take(2)",
    "({list}).drop(1)",
    "({list}).tail()",
    "({list}).plus({list})",
    "[*{list}, *{list}]",
    "({list})[0..-1]",
    "({list})[1..-1]",
    "({list})[-1..0]",
    "({list})[0, -1]",
    "({list})[0, 0..-1]",
    "({list})[-1..<0]",
    "(0..<(({int}) % 4)).toList()",
    "((({int}) % 4)..(({int}) % 4)).toList()",
    "(1..7).step(2 + (({int} & 1) as int))",
    "({list}).toArray().toList()",
    "({list}).intersect({list})",
    "(({list}).groupBy { {bool:it} }[true] ?: [])",
    "({list}).collate(2).collect { it.sum() }",
    "[{list}, {list}].flatten()",
    "[{list}, {list}].transpose().collect { it[0] + it[1] }",
    "({list}).withIndex().collect { e, i -> e + i }",
    "(1..3).collect { {int:it} }",
    "({list}).collectMany { [it, {int:it}] }",
    "({texts})*.length()",
    "({texts}).collect { {int:s} }",
    "({map}).values().toList()",
    "({map}).collect { k, v -> v + k.length() }",
    "({bool} ? {list} : {list})",
    "({list}).grep()",
    "({list}).grep(1..5)",
    "({list}).grep { {bool:it} }",
    "[({list}).take(2), ({list}).take(2)].combinations().collect { it.sum() }",
    "({map}).values().sort()",
    "({map}).entrySet().findAll { it.value > {int} }.collect { it.value }",
    "g.V().values('age').order().toList()",
    "g.V().hasLabel('person').order().by('age').map{ it.get().value('age') + 1 }.toList()"
  ),
  texts: patterns(
    "({texts} + {texts})",
    "({texts}).sort(false)",
    "({texts}).reverse()",
    "({texts}).findAll { {bool:s} }",
    "({texts}).collect { {text:s} }",
    "({texts})*.toUpperCase()",
    "({list}).collect { {text:it} }",
    "({text}).split(',').toList()",
    "({text}).tokenize('X')",
    "({text}).toList()",
    "({map}).keySet().toList()",
    "({texts}).unique(false)",
    "g.V().values('name').order().toList()"
  ),
  map: patterns(
    "({map} + {map})",
    "({map}).findAll { k, v -> v > {int} }",
    "({map}).collectEntries { k, v -> [(k + 'x'): v] }",
    "({list}).collectEntries { [(it.toString()): {int:it}] }",
    "({list}).countBy { {text:it} }",
    "({texts}).collectEntries { [(it): {int:s}] }",
    // A sorted map of Groovy also puts keys in order that are added later, which scripts here do not.
    "new LinkedHashMap(({map}).sort())",
    "({map}).subMap(['a', 'b'])",
    "[*: {map}, a: {int}]",
    "[b: {int}, *: {map}]",
    "({map}).sort { it.value }",
    "({map}).drop(1)",
    "({map}).take(1)",
    "({bool} ? {map} : {map})",
    "new LinkedHashMap(g.V().group().by(label).by(count()).next().sort())"
  )
}
