import { describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { modern, startServer } from "../support/TestServers.ts"

/** The results of a script, which must not change from one request to the next. */
const stable = async (authority: string, script: string): Promise<ReadonlyArray<unknown>> => {
  const first = await post(authority, script)
  expect(first.status, first.text).toBe(200)
  for (let i = 0; i < 2; i++)
    expect((await post(authority, script)).json.result.data, script).toEqual(first.json.result.data)
  return first.json.result.data
}

describe("A literal of a script that the server keeps", () => {
  it("is the same in every request", async () => {
    const { authority } = await startServer(modern)
    expect(await stable(authority, "g.inject([1,2]).sack(assign).by().sack(addAll).by(constant([3])).sack()")).toEqual([
      [1, 2, 3]
    ])
    expect(await stable(authority, "g.withSack([1,2],addAll).V().both().barrier().sack().count(local).max()")).toEqual([
      6
    ])
    expect(
      await stable(authority, "g.withSideEffect('a',[1]).V().aggregate('a').by('name').cap('a').count(local)")
    ).toEqual([7])
    expect(
      await stable(authority, "x = [1, 2]; g.inject(x).sack(assign).by().sack(addAll).by().sack().next()")
    ).toEqual([1, 2, 1, 2])
  })
})

describe("A side effect among the results", () => {
  it("is what it has become when its batch of results is written", async () => {
    const { authority } = await startServer(modern)
    const all = ["marko", "vadas", "lop", "josh", "ripple", "peter"]
    const script = "g.V().store('x').by('name').project('a').by(select('x'))"
    expect((await post(authority, script)).json.result.data).toEqual(Array(6).fill({ a: all }))
    const sizes = (await post(authority, script, { batchSize: 2 })).json.result.data.map(({ a }: { a: [] }) => a.length)
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b))
  })
})
