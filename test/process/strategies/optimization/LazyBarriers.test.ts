import { describe, expect, it } from "vitest"
import { results, toy } from "../../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

describe("Sacks that merge", () => {
  it.each([
    ["V().union(__.out(), __.both().both())", "{1=27, 3=9}"],
    ["V().union(__.both().out().in(), __.in())", "{1=14, 2=4, 3=9, 4=4, 5=5}"],
    ["V().both().union(__.both().both(), __.choose(__.hasLabel('person'), __.both().both()))", "{1=16, 3=63, 9=45}"],
    ["V().choose(__.hasLabel('person'), __.both().both(), __.out())", "{1=14, 3=6}"],
    [
      "V().branch(__.label()).option('person', __.both().both()).option('software', __.both()).as('x').both()",
      "{1=40, 3=18}"
    ],
    ["V().union(__.both().both().order().by('name'), __.both())", "{1=12, 3=9, 7=21}"],
    ["V().repeat(__.union(__.both(), __.both().both())).times(2)", "{4=48, 10=210, 30=90}"],
    ["union(V().both().both(), V().both())", "{1=3, 3=18, 7=21}"],
    ["V(1).flatMap(__.both().both().barrier()).barrier()", "{1=4, 3=3}"],
    ["V(1).both().both().barrier().coalesce(__.both().both().barrier()).barrier()", "{2=2, 5=10, 8=16, 13=13}"],
    ["V().as('a').both().barrier()", "{1=12}"],
    ["V().as('a').both().order()", "{1=12}"],
    ["V().as('a').both().both().barrier().select('a')", "{1=21, 3=9}"],
    ["V().as('a').both().as('b').select('a').barrier()", "{1=3, 3=9}"],
    ["V().as('a').both().as('b').select('a').as('c').both().barrier().select('c').barrier()", "{1=3, 9=27}"],
    ["V().as('a').both().where(__.both().as('a')).barrier()", "{1=3, 3=9}"],
    ["V().as('a').both().as('b').dedup('a').barrier()", "{1=2, 2=4}"],
    ["V().as('a').repeat(__.both().both()).times(2)", "{1=111, 3=63}"],
    ["V().repeat(__.both().as('a').both()).times(2)", "{1=21, 3=153}"],
    ["V(1).repeat(__.both().both().as('a').both()).times(3)", "{1=300, 2=164, 3=450, 5=820, 6=246, 9=153, 15=1230}"]
  ])("merge at the barriers of Gremlin Server: %s", (script, counts) => {
    const counted = `${script}.groupCount().by(__.sack()).order(Scope.local).by(Column.keys)`
    expect(given(`g.withSack(1, Operator.sum).${counted}`)).toEqual([counts])
  })

  it("do not merge in flatMap() if it has too many equal results for one traverser", () => {
    const flat = "V(1).flatMap(__.repeat(__.both()).times(30).barrier()).barrier().sack()"
    expect(() => given(`g.withSack(1, Operator.sum).${flat}`)).toThrow("flatMap() has more than 100000 equal results")
  })
})

describe("withBulk(false)", () => {
  it.each([
    ["V().union(__.out(), __.both().both())", "30"],
    ["V().union(__.both().both(), __.both()).both()", "84"],
    ["V().choose(__.hasLabel('person'), __.both().both(), __.out())", "16"],
    ["V().repeat(__.union(__.both(), __.both().both())).times(2)", "36"],
    ["V().as('a').both().barrier()", "12"],
    ["V().both().local(__.as('b').both()).barrier()", "12"],
    ["V().as('a').repeat(__.both().both()).times(3)", "180"],
    ["V().repeat(__.both().as('a').both()).times(3)", "318"]
  ])("counts equal traversers once at the barriers of Gremlin Server: %s", (script, count) => {
    expect(given(`g.withBulk(false).${script}.count()`)).toEqual([count])
  })
})
