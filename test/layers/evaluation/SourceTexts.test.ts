// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { expect, it } from "vitest"
import { driverClient } from "../support/DriverClient.ts"
import { modern } from "../support/TestServers.ts"

it("The text of a source in a script names its graph and what runs its traversals", async () => {
  const asked = await driverClient(modern)
  const graph = "tinkergraph[vertices:6 edges:6]"
  expect(await asked("[g.toString(), '' + g.withSideEffect('x', 1)]")).toEqual([
    `graphtraversalsource[${graph}, standard]`,
    `graphtraversalsource[${graph}, standard]`
  ])
  expect(await asked('s = g.withComputer(); ["${s}".toString(), s.toString()]')).toEqual([
    `graphtraversalsource[${graph}, graphcomputer]`,
    `graphtraversalsource[${graph}, graphcomputer]`
  ])
  expect(await asked("s")).toEqual([`graphtraversalsource[${graph}, graphcomputer]`])
  expect(await asked('"${graph}".toString()')).toEqual([graph])
})

it("A graph computer of a script filters the graph", async () => {
  const asked = await driverClient(modern)
  const people = "Computer.compute().vertices(hasLabel('person'))"
  expect(await asked(`g.withComputer(${people}).V().count()`)).toEqual([4])
  expect(
    await asked(`n = 2; c = g.withComputer(${people}.workers(n)); c.V().out().values('name').toSet()`)
  ).toHaveLength(2)
  expect(
    await asked(
      `import org.apache.tinkerpop.gremlin.process.computer.Computer; g.withComputer(${people}).V().count().next()`
    )
  ).toEqual([4])
  await expect(asked("c = 1; g.withComputer(c).V()")).rejects.toThrow("Computer.compute()")
  await expect(asked("g.withComputer().addV('a')")).rejects.toThrow("not supported on GraphComputer")
})

it("Spread lists and arrays are arguments of the steps that run", async () => {
  const asked = await driverClient(modern)
  const names = ["marko", "vadas"]
  expect(await asked("ids = [1, 2]; g.V(*ids).values('name')")).toEqual(names)
  expect(await asked("g.V(ids.toArray()).values(['name'] as String[])")).toEqual(names)
  expect(await asked("g.V().has('name', within(*['marko', 'vadas'])).values('name')")).toEqual(names)
  expect(await asked("t = g.V().hasId(*ids); t.values(*['name'])")).toEqual(names)
  expect(await asked("g.inject(0).flatMap(__.V(*ids)).values('name')")).toEqual(names)
  expect(await asked("g.inject('a,b'.split(','))")).toEqual(["a", "b"])
  await expect(asked("g.V(*5)")).rejects.toThrow("* takes a list")
  await expect(asked("g.V().out(*[1])")).rejects.toThrow()
})
