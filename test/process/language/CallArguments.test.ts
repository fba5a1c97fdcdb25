import { describe, expect, it } from "vitest"
import { Bytecode, Instruction, Lambda } from "../../../src/process/language/Bytecode.ts"
import { refuseArguments } from "../../../src/process/language/CallArguments.ts"
import { P } from "../../../src/process/language/Predicate.ts"
import { sourceMethods, sourceSteps, steps } from "../../../src/process/language/StepSignatures.ts"
import { GremlinMap } from "../../../src/structure/collections/Collections.ts"
import { Detached } from "../../../src/structure/elements/Element.ts"
import { Double } from "../../../src/structure/numbers/Numbers.ts"
import {
  Cardinality,
  Column,
  Direction,
  enumValue,
  Merge,
  Operator,
  Order,
  Pop,
  Scope,
  T
} from "../../../src/structure/scalars/Enums.ts"
import { prepare } from "../run.ts"

const traversal = (...instructions: ReadonlyArray<readonly [string, ...unknown[]]>): Bytecode =>
  new Bytecode(
    [],
    instructions.map(([operator, ...args]) => new Instruction(operator, args))
  )

/** The steps of TinkerPop's GraphTraversal of 3.4 to 3.8, without those that take a GValue: the server reads it as its value. */
const overloads = `
  E(Object...) V(Object...) addE(String) addE(Traversal) addV() addV(String) addV(Traversal) aggregate(Scope,String)
  aggregate(String) all(P) and(Traversal...) any(P) as(String,String...) asBool() asDate() asNumber()
  asNumber(GType) asString() asString(Scope) barrier() barrier(Consumer) barrier(int) both() both(String...) bothE()
  bothE(String...) bothV() branch(Function) branch(Traversal) by() by(Comparator) by(Function)
  by(Function,Comparator) by(Order) by(String) by(String,Comparator) by(T) by(Traversal) by(Traversal,Comparator)
  call(String) call(String,Map) call(String,Map,Traversal) call(String,Traversal) cap(String,String...)
  choose(Function) choose(P,Traversal) choose(P,Traversal,Traversal) choose(Predicate,Traversal)
  choose(Predicate,Traversal,Traversal) choose(T) choose(Traversal) choose(Traversal,Traversal)
  choose(Traversal,Traversal,Traversal) coalesce(Traversal...) coin(double) combine(Object) concat(String...)
  concat(Traversal,Traversal...) conjoin(String) connectedComponent() constant(E2) count() count(Scope) cyclicPath()
  dateAdd(DT,int) dateDiff(Date) dateDiff(OffsetDateTime) dateDiff(Traversal) dedup(Scope,String...)
  dedup(String...) difference(Object) discard() disjunct(Object) drop() element() elementMap(String...) emit()
  emit(Predicate) emit(Traversal) fail() fail(String) filter(Predicate) filter(Traversal) flatMap(Function)
  flatMap(Traversal) fold() fold(E2,BiFunction) format(String) from(String) from(Traversal) from(Vertex) group()
  group(String) groupCount() groupCount(String) has(String) has(String,Object) has(String,P)
  has(String,String,Object) has(String,String,P) has(String,Traversal) has(T,Object) has(T,P) has(T,Traversal)
  hasId(Object,Object...) hasId(P) hasKey(P) hasKey(String,String...) hasLabel(P) hasLabel(String,String...)
  hasNot(String) hasValue(Object,Object...) hasValue(P) id() identity() in() in(String...) inE() inE(String...)
  inV() index() inject(E...) intersect(Object) is(Object) is(P) key() lTrim() lTrim(Scope) label() length()
  length(Scope) limit(Scope,long) limit(long) local(Traversal) loops() loops(String) map(Function) map(Traversal)
  match(Traversal...) math(String) max() max(Scope) mean() mean(Scope) merge(Object) mergeE() mergeE(Map)
  mergeE(Traversal) mergeV() mergeV(Map) mergeV(Traversal) min() min(Scope) none() none(P) not(Traversal)
  option(Merge,Map) option(M,Traversal) option(Merge,Map,Cardinality) option(Traversal) optional(Traversal)
  or(Traversal...) order() order(Scope) otherV() out() out(String...) outE() outE(String...) outV() pageRank()
  pageRank(double) path() peerPressure() product(Object) profile() profile(String) project(String,String...)
  properties(String...) property(Cardinality,Object,Object,Object...) property(Map)
  property(Object,Object,Object...) propertyMap(String...) rTrim() rTrim(Scope) range(Scope,long,long)
  range(long,long) read() repeat(String,Traversal) repeat(Traversal) replace(Scope,String,String)
  replace(String,String) reverse() sack() sack(BiFunction) sample(Scope,int) sample(int) select(Column)
  select(Pop,String) select(Pop,String,String,String...) select(Pop,Traversal) select(String)
  select(String,String,String...) select(Traversal) shortestPath() sideEffect(Function) sideEffect(Traversal)
  simplePath() skip(Scope,long) skip(long) split(Scope,String) split(String) store(String) subgraph(String)
  substring(Scope,int) substring(Scope,int,int) substring(int) substring(int,int) sum() sum(Scope) tail()
  tail(Scope) tail(Scope,long) tail(long) timeLimit(long) times(int) to(Direction) to(Direction,String...)
  to(String) to(Traversal) to(Vertex) toE(Direction) toE(Direction,String...) toLower() toLower(Scope) toUpper()
  toUpper(Scope) toV(Direction) tree() tree(String) trim() trim(Scope) unfold() union(Traversal...) until(Predicate)
  until(Traversal) value() valueMap(String...) valueMap(boolean,String...) values(String...) where(P)
  where(String,P) where(Traversal) with(String) with(String,Object) write()
`

const identity = traversal(["identity"])
const vertex = new Detached().addVertex(1, "a")
const comparator = new Lambda("a, b -> a <=> b", "gremlin-groovy", 2)

/** Arguments that drivers send for a parameter of this type. */
const samples: { readonly [type: string]: ReadonlyArray<unknown> } = {
  BiFunction: [Operator.sum, comparator],
  Cardinality: [Cardinality.single],
  Column: [Column.keys],
  Comparator: [Order.desc, comparator],
  Consumer: [enumValue("Barrier", "normSack")],
  DT: [enumValue("DT", "day")],
  Date: [new Date(0)],
  Direction: [Direction.OUT],
  // The compiler makes a traversal of a closure.
  Function: [identity],
  GType: [enumValue("GType", "INT")],
  M: [Merge.onCreate, enumValue("Pick", "any"), "a", 1, null, new P("gt", 1), T.id],
  Map: [new GremlinMap(), null],
  Merge: [Merge.onMatch],
  Object: ["a", 1, 2n, true, null, [1], new GremlinMap(), T.id, vertex, identity],
  OffsetDateTime: [new Date(0)],
  Order: [Order.asc],
  P: [new P("gt", 1)],
  Pop: [Pop.all],
  Predicate: [identity, new P("gt", 1)],
  Scope: [Scope.local, Scope.global],
  String: ["a"],
  T: [T.label],
  Traversal: [identity],
  Vertex: [vertex],
  boolean: [true, false],
  double: [0.5, 1, new Double(1)],
  int: [1, 2n, new Double(2)],
  long: [1, 2n, new Double(2)]
}

const samplesOf = (type: string): ReadonlyArray<unknown> => samples[/^(E2?|Object)$/.test(type) ? "Object" : type]!

/** Lists of arguments for parameters: each sample of a parameter, with the first samples of the others. */
const argumentsFor = (types: readonly string[]): ReadonlyArray<readonly unknown[]> => {
  const varied = types.at(-1)?.endsWith("...") === true
  const listed = types.map((type) => samplesOf(type.replace("...", "")))
  const first = listed.map(([sample]) => sample)
  const lists = listed.flatMap((all, at) => all.map((sample) => first.with(at, sample)))
  const plain = lists.length === 0 ? [[]] : lists
  if (!varied) return plain
  // None, several, and several as one list.
  const last = first.at(-1)
  return [...plain, first.slice(0, -1), [...first, last], [...first.slice(0, -1), [last, last]]]
}

describe("Every step of a driver of TinkerPop 3.4 to 3.8", () => {
  it.each(Array.from(overloads.matchAll(/(\w+)\((.*?)\)/g), ([call, name, types]) => [call, name!, types!]))(
    "is accepted: %s",
    (_call, name, types) => {
      for (const args of argumentsFor(types === "" ? [] : types.split(","))) {
        refuseArguments(name, args, "", steps.get(name), sourceSteps.get(name))
      }
    }
  )

  it.each([
    ["with", "a"],
    ["with", "a", null],
    ["withBulk", false],
    ["withComputer"],
    ["withPath"],
    ["withSack", null],
    ["withSack", 1, Operator.sum],
    ["withSack", 1, null, Operator.sum],
    ["withSack", 1, null, null],
    ["withSideEffect", "x", 1, null],
    ["withSack", 1, comparator, comparator],
    // The driver for .NET sends null in place of an operator.
    ["withSack", 1, null],
    ["withSack", 1, null, Operator.sum],
    ["withSideEffect", "a", 1, null],
    ["withSideEffect", "a", null],
    ["withSideEffect", "a", [1], Operator.addAll],
    ["withSideEffect", "a", comparator, comparator]
  ])("is accepted at the source: %s", (name, ...args) => {
    refuseArguments(name, args, "", sourceMethods.get(name))
  })
})

describe("null", () => {
  it("is accepted where drivers send it for an argument that is left out", () => {
    expect(prepare(traversal(["V"], ["loops", null])).plan.steps).toHaveLength(2)
    expect(() => prepare(traversal(["V"], ["fail", null]))).not.toThrow()
  })
})

describe("An argument that no step takes", () => {
  const refused: ReadonlyArray<readonly [call: string, ...steps: (readonly [string, ...unknown[]])[]]> = [
    ["drop(String)", ["V"], ["drop", "name"]],
    ["by(String, String)", ["V"], ["order"], ["by", "name", "desc"]],
    ["by(String, Integer)", ["V"], ["order"], ["by", "name", 5]],
    ["by(String, null)", ["V"], ["order"], ["by", "name", null]],
    ["by(String, Order, Integer)", ["V"], ["order"], ["by", "name", Order.desc, 7]],
    ["count(String)", ["V"], ["count", "local"]],
    ["sum(Integer)", ["V"], ["sum", 5]],
    ["mean(String)", ["V"], ["mean", "local"]],
    ["min(String)", ["V"], ["min", "local"]],
    ["max(null)", ["V"], ["max", null]],
    ["sack(String)", ["V"], ["sack", "sum"]],
    ["until(Boolean)", ["V"], ["until", true], ["repeat", identity]],
    ["emit(Integer)", ["V"], ["emit", 1], ["repeat", identity]],
    ["inV(String)", ["E"], ["inV", "x"]],
    ["unfold(Integer)", ["V"], ["unfold", 1]],
    ["simplePath(String)", ["V"], ["simplePath", "a"]],
    ["cyclicPath(String)", ["V"], ["cyclicPath", "a"]],
    ["discard(String)", ["V"], ["discard", "x"]],
    ["index(String)", ["V"], ["index", "x"]],
    ["constant()", ["V"], ["constant"]],
    ["constant(Object, Object)", ["V"], ["constant", 1, 2]],
    ["coin(", ["V"], ["coin", 0.5, 2]],
    ["timeLimit(", ["V"], ["timeLimit", 5, 2]],
    ["aggregate(String, String)", ["V"], ["aggregate", "a", "b"]],
    ["group(String, String)", ["V"], ["group", "a", "b"]],
    ["tree(String, String)", ["V"], ["tree", "a", "b"]],
    ["addV(String, String)", ["addV", "a", "b"]],
    ["to(String, String)", ["V"], ["addE", "a"], ["to", "a", "b"]],
    ["profile(String, String)", ["V"], ["profile", "a", "b"]]
  ]

  it.each(refused.map(([call, ...instructions]) => ({ call, instructions })))(
    "is refused in bytecode: $call",
    ({ call, instructions }) => {
      expect(() => prepare(traversal(...instructions))).toThrow(
        new RegExp(`^Could not locate method: \\w+\\.${call.replace(/[()]/g, "\\$&")}`)
      )
    }
  )

  it.each([
    ["with()", ["with"]],
    ["withBulk()", ["withBulk"]],
    ["withBulk(String)", ["withBulk", "false"]],
    ["withPath(Integer)", ["withPath", 1]],
    ["withSack()", ["withSack"]],
    ["withSack(Integer, String)", ["withSack", 1, "sum"]],
    ["withSideEffect()", ["withSideEffect"]],
    ["withSideEffect(String, Integer, String)", ["withSideEffect", "a", 1, "sum"]]
  ] as const)("is refused at the source: %s", (call, [operator, ...args]) => {
    const source = new Bytecode([new Instruction(operator, args)], [new Instruction("V", [])])
    expect(() => prepare(source)).toThrow(`Could not locate method: GraphTraversalSource.${call}`)
  })

  it.each([
    ["g.V().order().by('name', x)", "desc"],
    ["g.V().order().by('name', x)", null],
    ["g.V().values('age').sum(x)", "local"],
    ["g.V().sack(x)", "sum"],
    ["g.V().until(x).repeat(out())", true],
    ["g.V().repeat(out()).emit(x)", 1],
    ["g.withBulk(x).V()", 1],
    ["g.withSack(1, x).V()", "sum"],
    ["g.withSideEffect('a', 1, x).V()", "sum"]
  ])("is refused as the value of a variable: %s", (script, x) => {
    expect(() => prepare(script, new Map([["x", x]]))).toThrow("Could not locate method")
  })

  it("is refused in a child as an argument of a step of any traversal", () => {
    const child = traversal(["drop", "name"])
    expect(() => prepare(traversal(["V"], ["sideEffect", child]))).toThrow("DefaultGraphTraversal.drop(String)")
    expect(() => prepare(traversal(["addV", "a", "b"]))).toThrow("GraphTraversalSource.addV(String, String)")
  })

  it.each([
    ["g.V().group().by('age', desc)", "by() of group() takes one argument"],
    ["g.V().project('a').by('name', asc)", "by() of project() takes one argument"],
    ["g.addV(x)", "vertexLabel cannot be null"],
    ["g.addE(x)", "Label can not be null"]
  ])("is refused by the step: %s", (script, message) => {
    expect(() => prepare(script, new Map([["x", null]]))).toThrow(message)
  })
})
