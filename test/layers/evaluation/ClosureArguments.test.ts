import { describe, expect, it } from "vitest"
import { modernSession } from "../support/DriverClient.ts"

describe("A closure of two arguments", () => {
  it("compares objects and keys in order()", async () => {
    const asked = await modernSession()
    const byName = "by{a, b -> b.value('name') <=> a.value('name')}"
    expect(await asked(`g.V().order().${byName}.values('name').limit(2)`)).toEqual(["vadas", "ripple"])
    expect(await asked("g.V().values('age').order().by{a, b -> b <=> a}")).toEqual([35, 32, 29, 27])
    expect(await asked("g.V().hasLabel('person').order().by('age', {a, b -> b <=> a}).values('age')")).toEqual([
      35, 32, 29, 27
    ])
    expect(await asked("g.V().values('name').fold().order(local).by{a, b -> a[1] <=> b[1]}.next()")).toEqual([
      "marko",
      "vadas",
      "peter",
      "ripple",
      "lop",
      "josh"
    ])
    // The second criterion decides where the closure gives 0.
    expect(await asked("g.V().order().by(label, {a, b -> 0}).by('name').values('name').limit(3)")).toEqual([
      "josh",
      "lop",
      "marko"
    ])
  })

  it("that compares runs traversals of its own", async () => {
    const asked = await modernSession()
    const degree = (vertex: string) => `g.V(${vertex}).both().count().next()`
    expect(await asked(`g.V().order().by{a, b -> ${degree("b")} <=> ${degree("a")}}.values('name').limit(3)`)).toEqual([
      "marko",
      "lop",
      "josh"
    ])
  })

  it("that is a predicate gives true or false", async () => {
    const asked = await modernSession()
    for (const script of [
      "g.V().filter{it.get().value('name')}",
      "g.V().filter{null}",
      "g.V().repeat(out()).until{1}",
      "g.V().repeat(out()).emit{'x'}.times(2)",
      "g.inject(1).choose({it}, constant(1), constant(2))"
    ]) {
      await expect.soft(asked(script), script).rejects.toThrow("gives true or false, not ")
    }
    expect(await asked("g.V().filter{it.get().label() as boolean}.count()")).toEqual([6])
    expect(await asked("g.V().filter{!!it.get().label()}.count()")).toEqual([6])
  })

  it("that compares gives a number", async () => {
    const asked = await modernSession()
    await expect(asked("g.V().order().by{a, b -> 'x'}")).rejects.toThrow("gives a number")
    await expect(asked("g.V().group().by{a, b -> 0}")).rejects.toThrow("only order() takes one that compares")
    await expect(asked("g.V().filter{a, b -> true}")).rejects.toThrow("filter() takes one argument")
  })

  it("gives a list for each group as the second argument of group(), and a child traversal gives one value", async () => {
    const asked = await modernSession()
    const groups = (value: string, key = "label") =>
      asked(`g.V().hasLabel('software').group().by(${key}).by${value}.next().collectMany{[it.key, it.value]}`)
    expect(await groups("{it.value('name')}")).toEqual(["software", ["lop", "ripple"]])
    expect(await groups("{null}")).toEqual(["software", [null, null]])
    expect(await groups("(__.map{it.get().value('name')})")).toEqual(["software", "ripple"])
    expect(await groups("{it.value('name')}", "{it.value('lang')}")).toEqual(["java", ["lop", "ripple"]])
    expect(await asked("g.V().group('x').by(label).by{it.value('name')}.cap('x').next().software")).toEqual([
      "lop",
      "ripple"
    ])
  })

  it("combines values in fold() and sack()", async () => {
    const asked = await modernSession()
    expect(await asked("g.V().values('age').fold(0){a, b -> a + b}")).toEqual([123])
    expect(await asked("g.V().values('age').fold([]){a, b -> a << b * 2; a}.next()")).toEqual([58, 54, 64, 70])
    expect(await asked("g.V().values('none').fold([7], {a, b -> a}).next()")).toEqual([7])
    expect(await asked("g.withSack(1).V(1).out().sack{a, b -> a + b.value('name').size()}.sack()")).toEqual([4, 6, 5])
    expect(await asked("g.withSack(1.0d).V(1).outE().sack{a, b -> a * b}.by('weight').inV().sack()")).toEqual([
      0.4, 0.5, 1
    ])
  })

  it("does not change the seed of the next run", async () => {
    const asked = await modernSession()
    await asked("seed = [1]; t = { g.V(1, 2).id().fold(seed){a, b -> a << b; a}.next() }; 0")
    expect(await asked("t(); t()")).toEqual([1, 1, 2])
    expect(await asked("seed")).toEqual([1])
  })
})

describe("A side effect that a closure reads", () => {
  it("cannot be changed by the closure, because the change would be lost", async () => {
    const asked = await modernSession()
    const changes: ReadonlyArray<readonly [seed: string, change: string]> = [
      ["[]", "x.add(1)"],
      ["[]", "x << 1"],
      ["[1]", "x[0] = 2"],
      ["[:]", "x.a = 1"],
      ["[:]", "x.put('a', 1)"],
      ["[a: 1]", "x.remove('a')"],
      ["([] as Set)", "x.add(1)"]
    ]
    for (const [seed, change] of changes) {
      const script = `g.withSideEffect('x', ${seed}).V(1).sideEffect{ def x = it.sideEffects('x'); ${change} }.cap('x')`
      await expect.soft(asked(script), script).rejects.toThrow("a copy of a side effect, which it cannot change")
    }
  })

  it("can be read, and copied into a collection of the script", async () => {
    const asked = await modernSession()
    const reads = (seed: string, read: string) =>
      asked(`g.withSideEffect('x', ${seed}).V(1).map{ def x = it.sideEffects('x'); ${read} }`)
    expect(await reads("[3, 1]", "def l = [] + x; l << 2; l.sum() + x.size() + x.sort(false)[0]")).toEqual([9])
    expect(await reads("[a: 1]", "def m = [:] + x; m.b = 2; m.size() + x.a")).toEqual([3])
  })
})

describe("A collection of a traverser", () => {
  it("cannot be changed by a closure that does not give the new object, because the change would be lost", async () => {
    const asked = await modernSession()
    const closures = [
      "sideEffect{ it.get().add(9) }",
      "sideEffect{ it.get() << 9 }",
      "sideEffect{ it.get()[0] = 9 }",
      "filter{ it.get().remove(0); true }",
      "sideEffect{ def l = it.get(); l.addAll([1, 2]) }"
    ]
    for (const closure of closures)
      await expect
        .soft(asked(`g.inject([1, 2]).${closure}`), closure)
        .rejects.toThrow("copy of the object of its traverser")
    const removing = "g.V(1).valueMap().sideEffect{ it.get().remove('age') }"
    await expect(asked(removing)).rejects.toThrow("copy of the object of its traverser")
    await expect(asked("g.withSack([1]).V(1).map{ it.sack() << 2; it.get().id() }")).rejects.toThrow(
      "a copy of the sack"
    )
  })

  it("can be read, and changed by a closure that gives the new object", async () => {
    const asked = await modernSession()
    expect(await asked("g.inject([1, 2]).map{ def l = it.get(); l << 3; l }.count(local)")).toEqual([3])
    expect(
      await asked("n = 0; g.inject([1, 2]).sideEffect{ def l = [] + it.get(); l << 3; n += l.size() }.iterate(); n")
    ).toEqual([3])
    expect(await asked("g.inject([1, 2], [3]).filter{ it.get().size() > 1 && it.get().contains(2) }.count()")).toEqual([
      1
    ])
  })
})

describe("A closure of a source", () => {
  it("gives each traverser of withSack() its own sack", async () => {
    const asked = await modernSession()
    expect(await asked("n = 0; g.withSack{n = n + 1}.V().sack()")).toEqual([1, 2, 3, 4, 5, 6])
    expect(await asked("n = 0; [g.withSack{n = n + 1}.inject(7, 8).sack().toList(), n]")).toEqual([[1, 2], 2])
    const injected = "g.withSack{n = n + 1}.inject(1).inject(7, 8).sack().toList().toSet().size()"
    expect(await asked(`n = 0; [${injected}, n]`)).toEqual([3, 3])
    expect(await asked("g.withSack(1){it}.V(1, 2).sack(sum).by('age').sack()")).toEqual([30, 28])
    const names = "V().out().out().sack{m, v -> m[v.value('name')] = v.value('lang'); m}.sack().toList()*.size()"
    expect(await asked(`g.withSack([:]){it.clone()}.${names}`)).toEqual([1, 1])
    expect(await asked(`g.withSack {[:]} {it.clone()}.${names}`)).toEqual([1, 1])
  })

  it("merges sacks", async () => {
    const asked = await modernSession()
    const bulk = "V(1).local(outE('knows').barrier(normSack).inV()).in('knows').barrier().sack()"
    expect(await asked(`g.withSack(1.0d, sum).${bulk}`)).toEqual(await asked(`g.withSack(1.0d){a, b -> a + b}.${bulk}`))
    expect(await asked(`g.withSack(1.0d, {it}, {a, b -> a + b}).${bulk}`)).toEqual(
      await asked(`g.withSack(1.0d, sum).${bulk}`)
    )
  })

  it("gives a first value that it does not calculate", async () => {
    const asked = await modernSession()
    expect(await asked("g.withSack({1}, {a, b -> a + b}).V(1).sack()")).toEqual([1])
    expect(await asked("g.withSack({'a'}, sum).V(1).sack()")).toEqual(["a"])
    expect(await asked("g.withSideEffect('x', {2}, sum).V(1).constant(3).aggregate('x').cap('x')")).toEqual([5])
  })

  it("gives the first value of a side effect when a step first needs it, and only once", async () => {
    const asked = await modernSession()
    const calls = (rest: string): Promise<unknown> =>
      asked(`def n = 0; g.withSideEffect('x'){ n++; [] }.V(1, 2)${rest}.iterate(); n`)
    expect(await calls("")).toEqual([0])
    expect(await calls(".aggregate('y').cap('y')")).toEqual([0])
    expect(await calls(".limit(0).select('x')")).toEqual([0])
    expect(await calls(".select('x')")).toEqual([1])
    expect(await calls(".aggregate('x').cap('x')")).toEqual([1])
    expect(await asked("g.withSideEffect('x'){ throw new RuntimeException('no') }.V(1).id()")).toEqual([1])
  })

  it("gives the first value of a side effect, and combines its values", async () => {
    const asked = await modernSession()
    expect(await asked("g.withSideEffect('x'){[]}.V(1, 2).id().aggregate('x').cap('x').next()")).toEqual([1, 2])
    expect(await asked("g.withSideEffect('x', {[]}).V(1, 2).id().aggregate('x').cap('x').next()")).toEqual([1, 2])
    expect(await asked("g.withSideEffect('x', 0){a, b -> a + b}.V().values('age').aggregate('x').cap('x')")).toEqual([
      123
    ])
    expect(await asked("g.withSideEffect('x', {-> 1}, {a, b -> a * b}).V(1, 2).id().aggregate('x').cap('x')")).toEqual([
      2
    ])
  })

  it("does not take long", async () => {
    const asked = await modernSession()
    await expect(asked("g.withSideEffect('x'){while (true) {}}.V().cap('x')")).rejects.toThrow("within 10 ms")
  })
})

describe("A variable with a closure", () => {
  it("stands for the closure in every step that takes one", async () => {
    const asked = await modernSession()
    await asked(
      "isOld = {it.get().value('age') > 30}; age = {it.value('age')}; down = {a, b -> b <=> a}; plus = {a, b -> a + b}; 0"
    )
    expect(await asked("g.V().hasLabel('person').filter(isOld).values('name')")).toEqual(["josh", "peter"])
    expect(await asked("def f = {it.get().id()}; g.V(1, 2).map(f)")).toEqual([1, 2])
    expect(await asked("def p = g.V().hasLabel('person'); p.filter(isOld).count().next()")).toEqual([2])
    expect(await asked("g.V().hasLabel('person').order().by(age).values('age')")).toEqual([27, 29, 32, 35])
    expect(await asked("g.V().values('age').order().by(down)")).toEqual([35, 32, 29, 27])
    expect(await asked("g.V().values('age').fold(1, plus)")).toEqual([124])
    expect(await asked("g.withSack(2).V(1).sack(plus).by('age').sack()")).toEqual([31])
    expect(
      await asked("g.V(1).repeat(out()).until(isLeaf).values('name')".replace("isLeaf", "{it.loops() == 2}"))
    ).toEqual(await asked("leaf = {it.loops() == 2}; g.V(1).repeat(out()).until(leaf).values('name')"))
    expect(await asked("x = g.V().hasLabel('person'); x = x.filter{it.get().value('age') > 30}; x.count()")).toEqual([
      2
    ])
  })

  it("is refused in other places", async () => {
    const asked = await modernSession()
    await expect(asked("c = {it}")).rejects.toThrow("A result of type Closure")
    await expect(asked("g.V().has('age', c)")).rejects.toThrow("has() takes no closure")
    await expect(asked("g.V().out(c)")).rejects.toThrow("closure")
    await expect(asked("g.inject(1, [c])")).rejects.toThrow("A result of type Closure")
    await expect(asked("g.V().has('age', P.gt(c))")).rejects.toThrow("closure")
  })
})

describe("A closure in an anonymous traversal", () => {
  it("begins it or follows its steps", async () => {
    const asked = await modernSession()
    expect(await asked("g.V().where(filter{it.get().value('name') == 'lop'}).count()")).toEqual([1])
    expect(await asked("g.V().where(__.filter{it.get().value('name') == 'lop'}).count()")).toEqual([1])
    expect(await asked("g.V(1).local(out().order().by{it.value('name')}.limit(1)).values('name')")).toEqual(["josh"])
    expect(await asked("g.V().union(map{it.get().id()}, out().map{1}).count()")).toEqual([12])
  })

  it("is a condition of repeat() before and after it", async () => {
    const asked = await modernSession()
    const names = ".values('name').order().fold().next()"
    expect(await asked(`g.V(1).until{it.loops() == 2}.repeat(out())${names}`)).toEqual(["lop", "ripple"])
    const both = ["josh", "lop", "lop", "ripple", "vadas"]
    expect(await asked(`g.V(1).emit{it.loops() == 1}.repeat(out()).times(2)${names}`)).toEqual(both)
    expect(await asked(`g.V(1).repeat(out()).emit({it.loops() == 1}).times(2)${names}`)).toEqual(both)
  })
})

describe("Strategies", () => {
  it("let every kind of closure see only what their source shows", async () => {
    const asked = await modernSession()
    const closures: ReadonlyArray<readonly [closure: string, results: ReadonlyArray<unknown>]> = [
      ["V().order().by{a, b -> b.value('age') <=> a.value('age')}.values('age')", [35, 32, 29, 27]],
      ["V().fold(0){a, b -> a + b.edges(OUT).toList().size()}", [2]],
      ["withSack(1).V(1).sack{a, b -> a + b.edges(OUT).toList().size()}.sack()", [3]],
      ["withSack{1}.V(1).map{it.get().edges(OUT).toList().size() + it.sack()}", [3]],
      ["withSideEffect('x'){[]}.V(1).aggregate('x').map{it.get().edges(OUT).toList().size()}", [2]],
      ["withSideEffect('x', 0){a, b -> a + b.edges(OUT).toList().size()}.V(1).aggregate('x').cap('x')", [2]],
      [
        "V().group().by{it.edges(OUT).toList().size()}.by(count()).next().collectMany{[it.key, it.value]}",
        [2, 1, 0, 3]
      ],
      ["V(1).repeat(out()).until{it.get().edges(OUT).toList().isEmpty()}.values('name').order()", ["josh", "vadas"]]
    ]
    for (const [closure, results] of closures) {
      const script = `g.withStrategies(new SubgraphStrategy(vertices: hasLabel('person'))).${closure}`
      expect.soft(await asked(script), closure).toEqual(results)
    }
  })

  it("that restrict lambdas refuse every kind of closure in a step", async () => {
    const asked = await modernSession()
    const closures = [
      "V().order().by{a, b -> 0}",
      "V().values('age').fold(0){a, b -> a + b}",
      "withSack(1).V().sack{a, b -> 1}",
      "withSack(1){it + 1}.V().sack()"
    ]
    for (const closure of closures) {
      await expect(asked(`g.withStrategies(LambdaRestrictionStrategy).${closure}`)).rejects.toThrow("lambda step")
    }
  })
})

describe("The setting closures=false", () => {
  it("refuses closures wherever they stand", async () => {
    const asked = await modernSession({ closures: false })
    for (const closure of ["V().order().by{a, b -> 0}", "withSack{1}.V()", "V().where(filter{true})"]) {
      await expect(asked(`g.${closure}`)).rejects.toThrow("closures=false")
    }
    await expect(asked("def c = {it != null}; g.V().filter(c)")).rejects.toThrow("closures=false")
    await expect(asked("def t = g.V(); t.filter{true}")).rejects.toThrow("closures=false")
    await expect(asked("def c = {it}; g.withSack(c).V().sack()")).rejects.toThrow("closures=false")
  })
})
