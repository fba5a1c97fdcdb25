import { expect, it } from "vitest"
import { evaluateByHttp } from "../../console/wire/HttpEvaluation.ts"

it("An answer over HTTP has the warnings of its header", async () => {
  const answer = { requestId: "1", status: { code: 200 }, result: { data: { "@type": "g:List", "@value": ["a"] } } }
  const warned = async (headers: Record<string, string>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const values: Array<unknown> = []
      evaluateByHttp(
        { gremlin: "g.V()", source: "g" },
        async () => new Response(JSON.stringify(answer), { headers }),
        { data: (more) => values.push(...more), done: (warnings) => resolve([values, warnings]), failed: reject },
        new AbortController().signal
      )
    })
  expect(await warned({ warning: '199 server "It took \\"long\\".", 199 server "Twice."' })).toEqual([
    ["a"],
    ['It took "long".', "Twice."]
  ])
  expect(await warned({})).toEqual([["a"], []])
})
