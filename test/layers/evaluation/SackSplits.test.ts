import { describe, expect, it } from "vitest"
import { modernSession } from "../support/DriverClient.ts"

/** What Gremlin Server gives for the traversals after a source whose splitter adds one to a sack. */
type Sacks = ReadonlyArray<readonly [traversal: string, sacks: ReadonlyArray<unknown>]>

const check = async (source: string, sacks: Sacks) => {
  const asked = await modernSession()
  for (const [traversal, expected] of sacks) {
    expect.soft(await asked(`g.${source}.${traversal}`), traversal).toEqual(expected)
  }
}

describe("The splitter of withSack()", () => {
  it("is called for each result of steps that replace the object", () =>
    check("withSack(1){it + 1}", [
      ["V().both().sack().sum()", [24]],
      ["V(1).sack()", [1]],
      ["inject(1).sack().sack()", [2]],
      ["inject(1).constant(5).sack()", [2]],
      ["inject([1, 2]).unfold().sack()", [2, 2]],
      ["V(1).V(2).sack()", [2]],
      ["V(1).values('name').sack()", [2]],
      ["V(1).properties('name').value().sack()", [3]],
      ["V(1).as('a').id().select('a').sack()", [3]],
      ["V(1).path().sack()", [2]],
      ["V(1).math('_ + 1').by('age').sack()", [2]],
      ["V(1).valueMap().sack()", [2]],
      ["inject(1).loops().sack()", [2]],
      ["inject(1).map{it.get()}.sack()", [2]],
      ["inject(1).flatMap{[it.sack(), 1].iterator()}.sack()", [2, 2]],
      ["inject(1).addV().sack()", [2]],
      ["addV().sack()", [1]],
      ["V(1).addE('self').to(V(1)).sack()", [2]],
      ["mergeV([name: 'new']).sack()", [2]],
      ["inject(1).mergeV([name: 'new']).sack()", [2]]
    ]))

  it("is not called by filters, side effects and barriers", () =>
    check("withSack(1){it + 1}", [
      ["V(1).identity().hasLabel('person').property('seen', true).sack()", [1]],
      ["V(1).order().dedup().barrier().aggregate('x').limit(1).tail(1).sack()", [1]],
      ["inject(1).filter{it.sack() == 1}.sideEffect{it}.sack()", [1]],
      ["inject(3).sack(sum).sack()", [4]],
      ["inject(3).sack{a, b -> a + b}.sack()", [4]]
    ]))

  it("is not called by steps that begin anew", () =>
    check("withSack(1){it + 1}", [
      ["V(1).out().count().sack()", [1]],
      ["V(1).out().fold().sack()", [1]],
      ["V(1).id().inject(3).sack()", [1, 2]],
      ["inject(1).map(__.inject(3).sack())", [2]],
      ["union(constant(1), __.inject(2), V(1)).sack()", [3, 1, 3]]
    ]))

  it("is called for branches, also for the one of an object that no option takes", () =>
    check("withSack(1){it + 1}", [
      ["inject(1).union(constant(1), identity(), constant(3).constant(4)).sack()", [3, 2, 4]],
      ["inject(1, 2).choose(is(1), constant(5)).sack()", [3, 2]],
      ["inject(1, 2).choose(is(1), constant(5), identity()).sack()", [3, 2]],
      ["inject(1, 2, 3).choose(identity()).option(1, constant(5)).option(2, identity()).sack()", [3, 2, 2]],
      ["inject(1, 2).branch(identity()).option(1, constant(5)).option(any, identity()).sack()", [2, 3, 2]],
      ["inject(1, 2).optional(is(1).constant(3)).sack()", [3, 1]],
      ["inject(1, 2).union(fold().sack(), sack()).fold().next()", [1, 2, 2]]
    ]))

  it("is called for what repeat() emits, and not for what leaves it", () =>
    check("withSack(1){it + 1}", [
      ["inject(1).repeat(identity()).times(2).sack()", [1]],
      ["inject(1).repeat(constant(1)).times(3).sack()", [4]],
      ["inject(1).repeat(constant(1)).emit().times(3).sack()", [3, 4, 4]],
      ["inject(1).emit().repeat(constant(1)).times(3).sack()", [2, 3, 4, 4]],
      ["inject(1, 2).until(is(1)).emit().repeat(constant(1)).sack()", [1, 2, 2]],
      ["inject(1).repeat(constant(1)).until(sack().is(gt(4))).sack()", [4]],
      ["inject(1).repeat(constant(1)).until{it.sack() > 4}.sack()", [4]],
      ["inject(1).repeat(constant(1)).emit(sack().is(gt(3))).times(4).sack()", [4, 5, 5]],
      ["V(1).repeat(out()).times(2).sack()", [3, 3]]
    ]))

  it("is called for the start of a child", () =>
    check("withSack(1){it + 1}", [
      ["inject(1).map(sack())", [2]],
      ["inject(1).map(map(sack()))", [3]],
      ["inject(1).flatMap(constant(2).sack()).sack()", [2]],
      ["inject(1).local(sack())", [2]],
      ["inject(1).local(constant(7)).sack()", [3]],
      ["inject(1).coalesce(is(2), constant(2).sack())", [3]],
      ["inject(1).where(sack().is(2)).sack()", [1]],
      ["inject(1).as('a').where(__.as('a').sack().is(3)).sack()", [1]],
      ["inject(1).not(sack().is(2)).sack()", []],
      ["inject(1).and(sack().is(2), sack().is(2)).sack()", [1]],
      ["inject(1).choose(sack()).option(2, constant('split')).option(1, constant('same'))", ["split"]],
      ["inject(1).branch{it.sack()}.option(2, constant('split')).option(1, constant('same'))", ["split"]],
      ["inject(1).sideEffect(sack().aggregate('x')).cap('x').unfold()", [2]],
      ["inject('a').concat(sack().asString())", ["a2"]],
      // A step that takes a closure has no child there.
      ["inject(1).map{it.sack()}", [1]]
    ]))

  it("is called for a traversal in by() that gets the traverser, and not for one that gets an object", () =>
    check("withSack(1){it + 1}", [
      ["inject(1).project('a').by(sack()).select('a')", [2]],
      ["inject(1).aggregate('x').by(sack()).cap('x').unfold()", [2]],
      ["inject(1).sack(sum).by(sack()).sack()", [3]],
      ["inject(1).sack{a, b -> a + b}.by(constant(7).sack()).sack()", [4]],
      ["inject(1).math('_ + 1').by(sack())", [3]],
      ["inject(1).as('a').math('a + 1').by(sack())", [2]],
      ["inject(1).as('a').select('a').by(sack())", [1]],
      ["inject(1).path().by(sack()).unfold()", [1]],
      ["inject(1).group().by(sack()).unfold().select(keys)", [2]],
      ["inject(1).group().by().by(sack().fold()).unfold().select(values).unfold()", [1]]
    ]))

  it("is called where TinkerPop has one step for two", () =>
    check("withSack(1){it + 1}", [
      ["V(1).outE('knows').inV().sack()", [2, 2]],
      ["V(1).outE().hasLabel('created').inV().sack()", [2]],
      ["V(1).outE().hasLabel('created').has('weight').inV().sack()", [3]],
      ["V(1).outE('created').as('e').inV().sack()", [3]],
      // These steps keep the edge there.
      ["V(1).outE('created').inV().path().sack()", [4]],
      ["V(1).outE('created').inV().sack(sum).by(constant(1)).sack()", [4]],
      ["V(1).outE('created').inV().order().by{it.id()}.sack()", [3]]
    ]))

  it("is called before sacks merge", async () => {
    await check("withSack(1, {it + 1}, sum)", [
      ["inject(5).local(__.inject(1, 1)).sack()", [2, 2, 2]],
      ["inject(1, 1, 2).constant(1).barrier().sack()", [5, 5, 5]],
      ["inject(1, 1, 2).union(identity(), constant(3)).barrier().sack()", [3, 3, 7, 7, 7, 2]],
      ["inject(1, 1, 2).repeat(constant(1)).emit().times(2).barrier().sack()", new Array(6).fill(14)],
      ["inject(1, 1, 2).local(constant(1)).barrier().sack()", [11, 11, 11]],
      ["inject(1, 1, 2, 2).barrier().optional(constant(7)).barrier().sack()", [8, 8, 8, 8]],
      ["inject(1, 1).union(order(), constant(2)).sack()", [3, 3, 4, 4]],
      ["V().repeat(both()).times(2).sack().sum()", [420]],
      // Traversers that wait for a branch merge after they are split.
      ["V().both().union(order(), identity()).sack().sum()", [144]],
      ["V().both().choose(hasLabel('person'), order()).sack().sum()", [72]]
    ])
    await check("withSack(1, {it + 1}, {a, b -> a + b + 10})", [
      ["inject(1, 1, 2).constant(1).barrier().constant(2).barrier().sack()", [26, 26, 26]]
    ])
  })

  it("may give any value, and gets no null", async () => {
    await check("withSack([1]){it + [2]}", [["inject(1).constant(1).constant(1).sack().unfold()", [1, 2, 2]]])
    await check("withSack(null){5}", [["inject(1).constant(1).sack()", [null]]])
    await check("withSack(1){null}", [["inject(1).constant(1).sack()", [null]]])
    await check("withSack{7}{it * 2}", [["inject(1).constant(1).sack()", [14]]])
  })

  it("may have effects, which come traverser by traverser", async () => {
    const asked = await modernSession()
    const script = "n = 0; g.withSack(0){n = n + 1; n}.inject(1, 2).constant(5).constant(0).sack()"
    // sack() calls it, too, after it has read the sack.
    expect(await asked(script)).toEqual([2, 5])
  })

  it("is called once where a step to edges with labels and one to vertices are one step", async () => {
    await check("withSack(1){it + 1}", [
      ["V(4).outE().or(hasLabel('knows'), hasLabel('created')).inV().sack()", [2, 2]],
      ["V(4).outE().has(T.label, 'created').inV().sack()", [2, 2]],
      ["V(4).outE().and(hasLabel('created'), hasLabel('created')).inV().sack()", [3, 3]],
      ["V(4).outE('created').hasLabel('created').inV().sack()", [3, 3]],
      ["V(4).outE().dedup().hasLabel('created').inV().sack()", [3, 3]],
      ["V(4).outE().hasLabel('created').as('e').inV().sack()", [3, 3]],
      ["V(4).outE().or(hasLabel('created').hasLabel('created'), hasLabel('knows')).inV().sack()", [3, 3]]
    ])
  })

  it("must copy where the calls do not follow TinkerPop's", async () => {
    const asked = await modernSession()
    const refused: ReadonlyArray<readonly [traversal: string, place: string]> = [
      ["V(1).match(__.as('a').out().as('b')).sack()", "match()"],
      ["V().sample(2).sack()", "sample()"],
      ["withComputer().V(1).out().sack()", "withComputer()"]
    ]
    for (const [traversal, place] of refused) {
      const message = `must give a copy of the sack, such as {it} or {it.clone()}, in a traversal with ${place}`
      await expect.soft(asked(`g.withSack(1){it + 1}.${traversal}`), traversal).rejects.toThrow(message)
      expect.soft((await asked(`g.withSack(1){it}.${traversal}.limit(1)`)).length, traversal).toBe(1)
    }
  })
})
