import { describe, expect, it } from "vitest"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { LaterGraph } from "../../storage/LaterGraph.ts"
import { results, runLater, toy } from "../run.ts"

/** Traversals in which the same elements come to a barrier from a step that finds them and as members of a list, with their results. */
const merging: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["withSack(1, Operator.sum).V(1).union(__.identity(), __.fold().unfold()).barrier().sack()", ["2", "2"]],
  ["withSack(1, Operator.sum).V(1).union(__.fold().unfold(), __.identity()).barrier().sack()", ["2", "2"]],
  ["withSack(1, Operator.sum).V(4).union(__.outE(), __.outE().fold().unfold()).barrier().sack()", ["2", "2", "2", "2"]],
  ["withSack(1, Operator.sum).V(1).union(__.identity(), __.fold().unfold()).barrier().path().count()", ["2"]],
  ["withBulk(false).V(1).union(__.identity(), __.fold().unfold()).barrier().count()", ["1"]],
  ["withBulk(false).V(1).union(__.fold().unfold(), __.identity()).barrier().count()", ["1"]],
  ["withBulk(false).V(1).union(__.identity(), __.constant(1), __.fold().unfold()).barrier().count()", ["2"]],
  ["withBulk(false).V(1, 2).local(__.union(__.identity(), __.fold().unfold()).barrier()).count()", ["2"]],
  ["V(1).union(__.identity(), __.fold().unfold()).barrier().count()", ["2"]]
]

describe("Equal elements at a barrier where merging shows", () => {
  it.each(merging)("merge whether they were found or are members of a list: %s", async (traversal, expected) => {
    expect(results(toy(), `g.${traversal}`)).toEqual(expected)
    const later = await runLater(new LaterGraph(toyGraph("modern")), `g.${traversal}`, { as: text })
    expect(later).toEqual(expected)
  })
})
