import { expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { modern, startServer } from "../support/TestServers.ts"

it("A path or a tree as the value of a script is sent as its members, as Gremlin Server iterates them", async () => {
  const { authority } = await startServer(modern)
  const asked = async (script: string): Promise<unknown> => (await post(authority, script)).json.result.data
  const path = "g.V(1).out('knows').path().by('name')"
  expect(await asked(`${path}.next()`)).toEqual(["marko", "vadas"])
  expect(await asked(`[${path}.next()]`)).toHaveLength(1)
  expect(await asked(path)).toHaveLength(2)
  expect(await asked("g.V(1).out('knows').tree().by('name').next().size()")).toEqual([1])
  expect(JSON.stringify(await asked("g.V(1).out('knows').tree().by('name').next()"))).toMatch(/^\[\{"marko":/)
})
