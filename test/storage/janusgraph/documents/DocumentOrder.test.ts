import { describe, expect, it } from "vitest"
import type { Vertex } from "../../../../src/structure/elements/Element.ts"
import { runLater } from "../../../process/run.ts"
import { opened } from "./DocumentGraphs.ts"

/** A graph with forty people of different ages, whose pages have seven documents. */
const people = async () => {
  const made = await opened({ pageSize: 7 }, { forceIndex: true })
  const ages = Array.from({ length: 40 }, (_, at) => (at * 17) % 40)
  const add = (age: number): string =>
    `addV('p').property('age', ${age}).property('code', 'c${age % 10}').property('title', 't${age}')` +
    ".property('bio', 'x').property('tag', 't').property('height', height)"
  await made.ask(`g.${ages.map(add).join(".")}.none()`)
  await made.ask("g.addV('p').property('bio', 'x').none()")
  made.engine.received.length = 0
  return made
}

/** The sort keys of all searches, and the number of pages that were read. */
const asked = ({ engine }: Awaited<ReturnType<typeof people>>) => {
  const searches = engine.received.filter(({ path }) => path.includes("/_search?"))
  const pages = engine.received.filter(({ method, path }) => method === "POST" && path === "/_search/scroll").length
  return { sorted: searches.map(({ body }) => JSON.stringify(JSON.parse(body).sort[0])), pages }
}

describe("A search in an engine with order().by() and a limit", () => {
  it.each([
    ["has('age', gte(5)).order().by('age').limit(3).values('age')", ["5", "6", "7"], "age", "asc", "integer"],
    ["has('age', lt(30)).order().by('age', desc).limit(3).values('age')", ["29", "28", "27"], "age", "desc", "integer"],
    ["has('age', gte(5)).order().by('age').range(3, 5).values('age')", ["8", "9"], "age", "asc", "integer"],
    ["has('bio', textContains('x')).order().by('code').limit(1).values('code')", ["c0"], "code", "asc", "keyword"],
    [
      "has('code', 'c5').order().by('title', desc).limit(2).values('title')",
      ["t5", "t35"],
      "title__STRING",
      "desc",
      "keyword"
    ],
    ["has('age', 5).order().by('height').limit(1).values('height')", ["2.0"], "height", "asc", "double"]
  ])("reads the first page only: %s", async (traversal, answer, field, order, type) => {
    const made = await people()
    expect(await made.ask(`g.V().${traversal}`)).toEqual(answer)
    const sorting = JSON.stringify({ [field]: { order, unmapped_type: type } })
    expect(asked(made)).toEqual({ sorted: [sorting], pages: 0 })
  })

  it("reads as many pages as it needs", async () => {
    const made = await people()
    const ages = await made.ask("g.V().has('age', gte(5)).order().by('age').limit(20).values('age')")
    expect(ages).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 5)))
    expect(asked(made).pages).toBe(2)
  })

  it.each([
    ["a key with words only", "has('age', 5).order().by('bio').limit(1)"],
    ["two keys", "has('age', 5).order().by('code').by('age').limit(1)"],
    ["no limit", "has('age', 5).order().by('age')"]
  ])("is sorted by the server for %s", async (_, traversal) => {
    const made = await people()
    await made.ask(`g.V().${traversal}`)
    expect(asked(made).sorted).toEqual(['"_doc"'])
  })

  it("is sorted by the server when the transaction has changed an element of the index", async () => {
    const { graph } = await people()
    const transaction = graph.begin()
    const youngest = "g.V().has('age', gte(0)).order().by('age').limit(3).values('age')"
    const ages = () => runLater(graph, youngest, { transaction })
    expect(await ages()).toEqual([0, 1, 2])
    transaction.setVertexProperty(transaction.addVertex("p", undefined), null, "age", 1)
    expect(await ages()).toEqual([0, 1, 1])
    await runLater(graph, "g.V().has('age', 0)", {
      transaction,
      as: (found) => {
        transaction.setVertexProperty(transaction.refOfVertex(found as Vertex), null, "age", 50)
      }
    })
    expect(await ages()).toEqual([1, 1, 2])
    transaction.rollback()
  })

  it("is sorted by the server when documents wait for the engine", async () => {
    const { ask, engine } = await people()
    engine.fault = ({ path }) => (path.startsWith("/_bulk") ? { status: 503 } : undefined)
    await ask("g.V().has('age', 39).property('age', 6).none()")
    expect(await ask("g.V().has('age', gte(5)).order().by('age').limit(3).values('age')")).toEqual(["5", "6", "6"])
  })

  it.each([
    [
      "adds vertices",
      "g.V().has('age', gte(5)).order().by('age').limit(100).addV('p').property('age', 6).count()",
      ["35"]
    ],
    [
      "changes what it has not read yet",
      "g.V().has('age', gte(5)).order().by('age').limit(30).as('a').sideEffect(__.V().has('age', 30).property('age', 2))" +
        ".select('a').values('age')",
      Array.from({ length: 30 }, (_, at) => (at === 25 ? "2" : String(at + 5)))
    ],
    [
      "removes what it has not read yet",
      "g.V().has('age', gte(5)).order().by('age').range(1, 100).limit(50).sideEffect(__.V().has('age', 24).drop()).count()",
      ["34"]
    ]
  ])("reads all pages before a traversal %s", async (_, traversal, answer) => {
    const { ask } = await people()
    expect(await ask(traversal)).toEqual(answer)
  })

  it("does not read what a transaction adds after the first page", async () => {
    const { graph } = await people()
    const transaction = graph.begin()
    const ages = await runLater(graph, "g.V().has('age', gte(5)).order().by('age').limit(100).values('age')", {
      transaction,
      as: (age) => {
        transaction.setVertexProperty(transaction.addVertex("p", undefined), null, "age", 6)
        return age
      }
    })
    expect(ages).toEqual(Array.from({ length: 35 }, (_, at) => at + 5))
    transaction.rollback()
  })

  it("sorts a page by the values of the elements, and leaves those without one out", async () => {
    const { ask, engine } = await people()
    const [old] = await ask("g.V().has('age', 7).id()")
    const [bare] = await ask("g.V().has('bio', textContains('x')).hasNot('age').id()")
    // Another program has written older documents.
    engine.put("janusgraph_people", Number(old).toString(36), { age: 5 })
    engine.put("janusgraph_people", Number(bare).toString(36), { age: 5, bio: "x" })
    engine.put("janusgraph_people", "zz0", { age: 5 })
    expect(await ask("g.V().has('age', gte(5)).order().by('age').limit(4).values('age')")).toEqual(["5", "6", "7", "8"])
  })
})
