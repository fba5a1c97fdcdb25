import { describe, expect, it } from "vitest"
import { parseScript } from "../../src/gremlin/Parser.ts"
import { translate } from "../../src/gremlin/Translator.ts"
import { Bytecode, Instruction, Variable } from "../../src/process/language/Bytecode.ts"
import { ConnectiveP, NotP, P, TextP } from "../../src/process/language/Predicate.ts"
import { Column, Direction, Order, Pick, Scope, T } from "../../src/structure/scalars/Enums.ts"

const traversal = (script: string): Bytecode => {
  const parsed = parseScript(script)
  expect(parsed.traversal, script).toBeDefined()
  return parsed.traversal!
}

const steps = (...instructions: ReadonlyArray<readonly [string, ...unknown[]]>): Bytecode =>
  new Bytecode(
    [],
    instructions.map(([operator, ...args]) => new Instruction(operator, args))
  )

/** Parses a traversal and returns its canonical form. */
const canonical = (script: string): string => translate(traversal(script))

describe("A script that is one traversal", () => {
  it("becomes bytecode without the interpreter", () => {
    expect(traversal("g.V(1).out('knows').values(\"name\")")).toStrictEqual(
      steps(["V", 1], ["out", "knows"], ["values", "name"])
    )
  })

  it("has the method that ends it", () => {
    expect(parseScript("g.V().next()").terminal).toStrictEqual({ name: "next", count: undefined })
    expect(parseScript("g.V().next(2)").terminal).toStrictEqual({ name: "next", count: 2 })
    expect(parseScript("g.V().iterate();").terminal?.name).toBe("iterate")
    for (const name of ["toList", "toSet", "toBulkSet", "hasNext", "tryNext", "explain"]) {
      expect(parseScript(`g.V().${name}()`).terminal?.name).toBe(name)
    }
    expect(parseScript("g.V()").terminal).toBeUndefined()
    expect(canonical("g.V().profile()")).toBe("g.V().profile()")
  })

  it("has the name of its source", () => {
    expect(parseScript("g_modern.V()").source).toBe("g_modern")
  })

  it("lists its variables, which the bytecode contains until it runs", () => {
    const script = parseScript("g.V(id1).has('name', name).limit(n).has('age', within(ages)).inject([n, [k: name]])")
    expect([...script.variables.keys()]).toStrictEqual(["id1", "name", "n", "ages"])
    expect(script.variables.get("id1")).toBe(4)
    const [start, has, , age] = script.traversal!.stepInstructions
    expect(start!.args).toStrictEqual([new Variable("id1")])
    expect(has!.args).toStrictEqual(["name", new Variable("name")])
    expect(age!.args).toStrictEqual(["age", new P("within", new Variable("ages"))])
  })

  it("may contain line breaks and comments", () => {
    expect(canonical("g . V ( ) // all\n  .out( /* every\n label */ )\n\t.count()\r\n")).toBe("g.V().out().count()")
    expect(canonical("\ufeffg.V()\u00a0.out()")).toBe("g.V().out()")
  })

  it("may have any number of steps", () => {
    const chain = `g.V()${".out()".repeat(10_000)}`
    expect(traversal(chain).stepInstructions.length).toBe(10_001)
  })
})

describe("An argument of a step", () => {
  it("may be a constant without its enumeration if the step accepts one", () => {
    expect(traversal("g.V().order(local).by(values, desc).by(id).has(label, 'x').to(OUT, 'e').to(IN)")).toStrictEqual(
      steps(
        ["V"],
        ["order", Scope.local],
        ["by", Column.values, Order.desc],
        ["by", T.id],
        ["has", T.label, "x"],
        ["to", Direction.OUT, "e"],
        ["to", Direction.IN]
      )
    )
    expect(canonical("g.V().select(keys).select(first, 'a').property(single, 'k', 1).option(none, out())")).toBe(
      'g.V().select(Column.keys).select(Pop.first, "a").property(Cardinality.single, "k", 1).option(Pick.none, __.out())'
    )
    expect(canonical("g.mergeV([:]).option(onCreate, [a: 1], set).sack(sum).barrier(normSack)")).toBe(
      'g.mergeV([:]).option(Merge.onCreate, ["a": 1], Cardinality.set).sack(Operator.sum).barrier(Barrier.normSack)'
    )
    expect(canonical("g.V().values('d').dateAdd(hour, 1).asNumber(int).is(typeOf(bigDecimal))")).toBe(
      'g.V().values("d").dateAdd(DT.hour, 1).asNumber(GType.INT).is(P.typeOf(GType.BIGDECIMAL))'
    )
  })

  it("is a variable rather than a constant if the step accepts any value", () => {
    const script = parseScript("g.V(from).has('x', value).is(OUT)")
    expect([...script.variables.keys()]).toStrictEqual(["from", "value"])
    expect([...script.constants]).toStrictEqual([
      ["from", Direction.OUT],
      ["value", T.value]
    ])
    expect(script.traversal!.stepInstructions[2]!.args).toStrictEqual([Direction.OUT])
  })

  it("may be followed by a comma, and may be the type UUID", () => {
    expect(canonical("g.V().is(typeOf(UUID)).project('a', )")).toBe('g.V().is(P.typeOf(GType.UUID)).project("a")')
  })

  it("may be a nested traversal with or without __", () => {
    expect(traversal("g.V().where(out().count().is(gt(1))).union(__.in(), identity())")).toStrictEqual(
      steps(
        ["V"],
        ["where", steps(["out"], ["count"], ["is", new P("gt", 1)])],
        ["union", steps(["in"]), steps(["identity"])]
      )
    )
  })

  it("may be the step not() or the predicate not()", () => {
    expect(traversal("g.V().where(not(out())).is(not(eq(1))).not(in())")).toStrictEqual(
      steps(["V"], ["where", steps(["not", steps(["out"])])], ["is", new NotP(new P("eq", 1))], ["not", steps(["in"])])
    )
  })

  it("may be a predicate with or without its class, and predicates may be combined", () => {
    const is = (predicate: string): unknown => traversal(`g.V().is(${predicate})`).stepInstructions[1]!.args[0]
    expect(is("P.gt(1)")).toStrictEqual(new P("gt", 1))
    expect(is("TextP.containing('a')")).toStrictEqual(new TextP("containing", "a"))
    expect(is("startingWith('a')")).toStrictEqual(new TextP("startingWith", "a"))
    expect(is("between(1, 2)")).toStrictEqual(new P("between", [1, 2]))
    expect(is("within()")).toStrictEqual(new P("within", []))
    expect(is("within(1, 2)")).toStrictEqual(new P("within", [1, 2]))
    expect(is("within([1, 2])")).toStrictEqual(new P("within", [1, 2]))
    expect(is("within([[1, 2]])")).toStrictEqual(new P("within", [[1, 2]]))
    expect(is("within({1, 2})")).toStrictEqual(new P("within", [1, 2]))
    expect(is("within(1..3)")).toStrictEqual(new P("within", [1, 2, 3]))
    expect(is("gt(1).and(lt(9)).and(neq(5))")).toStrictEqual(
      new ConnectiveP("and", [new P("gt", 1), new P("lt", 9), new P("neq", 5)])
    )
    expect(is("gt(1).or(lt(9).and(neq(5))).negate()")).toStrictEqual(
      new NotP(new ConnectiveP("or", [new P("gt", 1), new ConnectiveP("and", [new P("lt", 9), new P("neq", 5)])]))
    )
    expect(is("P.not(P.not(eq(1)))")).toStrictEqual(new P("eq", 1))
  })

  it("may be a constant of with()", () => {
    expect(canonical("g.V().valueMap().with(WithOptions.tokens, WithOptions.labels)")).toBe(
      'g.V().valueMap().with("~tinkerpop.valueMap.tokens", 2)'
    )
    expect(canonical("g.V().pageRank().with(PageRank.propertyName, 'r')")).toBe(
      'g.V().pageRank().with("~tinkerpop.pageRank.propertyName", "r")'
    )
    expect(canonical("g.io('f').with(IO.reader, IO.graphml).read()")).toBe(
      'g.io("f").with("~tinkerpop.io.reader", "graphml").read()'
    )
  })

  it("may be a value with a cardinality", () => {
    const [, option] = traversal("g.mergeV([:]).option(onMatch, [age: single(33)])").stepInstructions
    expect(translate(new Bytecode([], [option!]))).toBe('g.option(Merge.onMatch, ["age": Cardinality.single(33)])')
    expect(canonical("g.addV().property(VertexProperty.Cardinality.set, 'a', 1)")).toContain("Cardinality.set")
  })

  it("may be an expression, which needs the interpreter", () => {
    const script = parseScript("x = 1; g.V(x + 1)")
    expect(script.traversal).toBeUndefined()
    expect(parseScript("g.V(g.V().limit(1).next())").traversal).toBeUndefined()
    expect(parseScript("g.inject(datetime())").traversal).toBeUndefined()
  })
})

describe("A traversal source", () => {
  it("keeps its instructions", () => {
    expect(
      canonical("g.with('evaluationTimeout', 500L).with('x').withSack(1.0, sum).withBulk(false).withPath().V()")
    ).toBe('g.with("evaluationTimeout", 500l).with("x").withSack(1.0, Operator.sum).withBulk(false).withPath().V()')
    expect(canonical("g.withSideEffect('a', [1, 2], addAll).inject(1)")).toBe(
      'g.withSideEffect("a", [1, 2], Operator.addAll).inject(1)'
    )
  })

  it("accepts strategies in every notation", () => {
    const spelled =
      'g.withStrategies(new SubgraphStrategy(vertices: __.hasLabel("a"), checkAdjacentVertices: false)).V()'
    expect(canonical(spelled)).toBe(spelled)
    expect(canonical("g.withStrategies(ReadOnlyStrategy, SeedStrategy(seed: 5)).V()")).toBe(
      "g.withStrategies(ReadOnlyStrategy, new SeedStrategy(seed: 5)).V()"
    )
    expect(canonical("g.withStrategies(SubgraphStrategy.build().vertices(hasLabel('a')).create()).V()")).toBe(
      'g.withStrategies(new SubgraphStrategy(vertices: __.hasLabel("a"))).V()'
    )
    expect(
      canonical(
        "g.withStrategies(org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy.instance()).V()"
      )
    ).toBe("g.withStrategies(ReadOnlyStrategy).V()")
    expect(canonical("g.withoutStrategies(CountStrategy, EarlyLimitStrategy.class).V()")).toBe(
      "g.withoutStrategies(CountStrategy, EarlyLimitStrategy).V()"
    )
  })

  it("accepts graph computers, whose options are those of VertexProgramStrategy", () => {
    expect(canonical("g.withComputer( ).V()")).toBe("g.withComputer().V()")
    expect(canonical("g.withComputer(TinkerGraphComputer).V()")).toBe("g.withStrategies(VertexProgramStrategy).V()")
    expect(
      canonical(
        "g.withComputer(Computer.compute().vertices(hasLabel('a')).edges(bothE('b')).workers(4).configure('x.y', 1).result(GraphComputer.ResultGraph.NEW).persist(EDGES)).V()"
      )
    ).toBe(
      'g.withStrategies(new VertexProgramStrategy(vertices: __.hasLabel("a"), edges: __.bothE("b"), workers: 4, result: "NEW", persist: "EDGES")).V()'
    )
    for (const computer of ["compute(SparkGraphComputer)", "compute().graphComputer(org.a.SparkGraphComputer.class)"]) {
      expect(canonical(`g.withComputer(Computer.${computer}.workers(2)).V()`)).toMatch(/^g\.withStrategies.*workers: 2/)
    }
    expect(() => canonical("g.withComputer(1).V()")).toThrow(/name of a strategy|Computer\.compute\(\)/)
    expect(() => canonical("g.withComputer(ReadOnlyStrategy).V()")).toThrow(/VertexProgramStrategy\(vertices: /)
  })
})

describe("A script of a client older than 3.8", () => {
  it("is accepted", () => {
    expect(canonical("g.V().none()")).toBe("g.V().discard()")
    expect(canonical("g.V().none(gt(1))")).toBe("g.V().none(P.gt(1))")
    expect(canonical("g.V().store('x')")).toBe('g.V().store("x")')
    expect(canonical("g.V().aggregate(local, 'x')")).toBe('g.V().aggregate(Scope.local, "x")')
    expect(canonical("g.V().order().by('a', decr)")).toBe('g.V().order().by("a", Order.desc)')
    expect(canonical("g.addE('e').from(new ReferenceVertex(1, 'a')).to(new Vertex('x', 'b'))")).toBe(
      'g.addE("e").from(new ReferenceVertex(1, "a")).to(new ReferenceVertex("x", "b"))'
    )
    expect(canonical("g.V().has(org.apache.tinkerpop.gremlin.structure.T.label, 'x')")).toBe('g.V().has(T.label, "x")')
  })

  it("may begin a child at the source of its parent", () => {
    expect(canonical("g.addE('e').from(g.V(1)).to(g.V(2).out())")).toBe('g.addE("e").from(__.V(1)).to(__.V(2).out())')
    expect(canonical("g.V().coalesce(out(), g.addV('a').addE('e').to(g.V(x)).outV())")).toBe(
      'g.V().coalesce(__.out(), __.addV("a").addE("e").to(__.V(x)).outV())'
    )
    expect(traversal("h.with('x').V().where(h.E(1))")).toStrictEqual(traversal("h.with('x').V().where(__.E(1))"))
  })

  it("may begin no value at the source of a traversal", () => {
    const values = [
      "V(g.V(1))",
      "inject(g.V(1))",
      "V().hasId(g.V(1).id())",
      "V().is(eq(g.V(1)))",
      "V().has('name', without(g.V().values('name')))",
      "V().not(has('name', within(g.V().values('name')))).drop()"
    ]
    for (const value of values) {
      expect(() => traversal(`g.${value}`), value).toThrow("a traversal that begins at a source cannot be nested")
    }
  })

  it("distinguishes Pick and Merge from the steps with the same name", () => {
    expect(
      traversal("g.V().choose(out()).option(any, inV()).option(Pick.none, none(eq(1)))").stepInstructions[2]!.args[0]
    ).toBe(Pick.any)
  })
})
