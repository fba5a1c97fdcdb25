import { describe, expect, it } from "vitest"
import { servicesOf } from "../../../../src/process/calls/Registry.ts"
import type { Service } from "../../../../src/process/language/Service.ts"
import { openEnvironment } from "../../../../src/process/machine/TraversalRun.ts"
import type { RunEnvironment } from "../../../../src/process/plan/Run.ts"
import { Vertex } from "../../../../src/structure/elements/Element.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { LaterGraph } from "../../../storage/LaterGraph.ts"
import { results, runLater, toy, unordered } from "../../run.ts"

const modern = toy("modern")

const withServices = (...services: ReadonlyArray<Service>): { readonly environment: RunEnvironment } => ({
  environment: { ...openEnvironment, services: servicesOf(services) }
})

/** Returns the numbers up to a parameter. */
const count: Service = {
  name: "test.count",
  parameters: { to: "how far" },
  *start({ parameters }) {
    for (let i = 1; i <= Number(parameters.get("to")); i++) yield i
  }
}

const repeat: Service = {
  name: "test.repeat",
  parameters: {},
  each: (value, { parameters }) => new Array(Number(parameters.get("times") ?? 1)).fill(value)
}

const total: Service = {
  name: "test.total",
  parameters: {},
  all: (values) => [values.length]
}

describe("call()", () => {
  it("lists the services of the server, and then those of the user", () => {
    const listed = ["tinker.search", "tinker.degree.centrality", "test.count"]
    expect(results(modern, "g.call()", withServices(count))).toEqual(listed)
    expect(results(modern, "g.call('--list')", withServices(count))).toEqual(listed)
  })

  it("describes services in JSON", () => {
    const [description] = results(
      modern,
      "g.call('--list').with('service', 'test.count').with('verbose')",
      withServices(count)
    )
    expect(JSON.parse(description!)).toEqual({
      name: "test.count",
      "type:[requirements]:": { Start: [] },
      params: { to: "how far" }
    })
  })

  it("merges the parameters of the map, of the traversal and of with(), in this order", () => {
    const environment = withServices(count)
    expect(results(modern, "g.call('test.count', [to: 2])", environment)).toEqual(["1", "2"])
    expect(results(modern, "g.call('test.count', [to: 2], project('to').by(constant(1)))", environment)).toEqual(["1"])
    expect(
      results(modern, "g.call('test.count', [to: 2], project('to').by(constant(1))).with('to', 3)", environment)
    ).toEqual(["1", "2", "3"])
    expect(results(modern, "g.call('test.count').with('to', constant(1))", environment)).toEqual(["1"])
  })

  it("has one plan for calls with different parameters", () => {
    const variables = (to: number) => ({ ...withServices(count), variables: new Map([["x", to]]) })
    expect(results(modern, "g.call('test.count').with('to', x)", variables(1))).toEqual(["1"])
    expect(results(modern, "g.call('test.count').with('to', x)", variables(2))).toEqual(["1", "2"])
  })

  it("reads only the needed results from a generator", () => {
    expect(results(modern, "g.call('test.count').with('to', 1000000000).limit(2)", withServices(count))).toEqual([
      "1",
      "2"
    ])
  })

  it("returns the results of each traverser in order, with its path", () => {
    const traversal =
      "g.V().hasLabel('software').as('a').values('name').call('test.repeat').with('times', 2).path().by('name').by().by()"
    expect(results(modern, traversal, withServices(repeat))).toEqual([
      "path[lop, lop, lop]",
      "path[lop, lop, lop]",
      "path[ripple, ripple, ripple]",
      "path[ripple, ripple, ripple]"
    ])
  })

  it("evaluates parameters for each traverser", () => {
    const traversal =
      "g.V().hasLabel('software').values('name').call('test.repeat').with('times', __.is('lop').count())"
    expect(() => results(modern, traversal, withServices(repeat))).not.toThrow()
    expect(results(modern, traversal, withServices(repeat))).toEqual(["lop"])
  })

  it("passes all traversers of one parent row to a service with `all`", () => {
    expect(results(modern, "g.V().call('test.total')", withServices(total))).toEqual(["6"])
    expect(results(modern, "g.V().out().barrier().call('test.total')", withServices(total))).toEqual(["6"])
    expect(
      results(modern, "g.V().has('name', within('marko', 'josh')).local(out().call('test.total'))", withServices(total))
    ).toEqual(["3", "2"])
  })

  it("needs the same parameters for all traversers of a service with `all`", () => {
    const traversal = "g.V().call('test.total').with('a', __.values('name'))"
    expect(() => results(modern, traversal, withServices(total))).toThrow(/parameters must be equal/)
  })

  it("waits for an asynchronous service, and fails with its error", async () => {
    const later: Service = {
      name: "test.later",
      parameters: {},
      each: async (value) => [await Promise.resolve(value), "later"],
      start: () => Promise.reject(new Error("the search engine is away"))
    }
    const run = (traversal: string) => runLater(modern, traversal, withServices(later))
    expect((await run("g.inject(1, 2).call('test.later')")).map(text)).toEqual(["1", "later", "2", "later"])
    await expect(run("g.call('test.later')")).rejects.toThrow("the search engine is away")
  })

  it("closes a generator when the traversal needs no more results, and when it fails", () => {
    // results() runs a traversal more than once.
    const begun: Array<string> = []
    const ended: Array<string> = []
    const open: Service = {
      name: "test.open",
      parameters: {},
      *each(value) {
        begun.push(`${value}`)
        try {
          for (let i = 0; ; i++) yield `${value}${i}`
        } finally {
          ended.push(`${value}`)
        }
      }
    }
    const run = (traversal: string) => results(modern, traversal, withServices(open))
    expect(run("g.inject('a').call('test.open').limit(2)")).toEqual(["a0", "a1"])
    expect(run("g.inject('b', 'c').local(call('test.open').limit(1))")).toEqual(["b0", "c0"])
    expect(run("g.inject('d').where(call('test.open'))")).toEqual(["d"])
    expect(() => run("g.inject('e').call('test.open').fail('no')")).toThrow("no")
    expect(new Set(begun)).toEqual(new Set(["a", "b", "c", "d", "e"]))
    expect(ended).toEqual(begun)
  })

  it("awaits every object with then()", async () => {
    const thenable: Service = {
      name: "test.thenable",
      parameters: {},
      // biome-ignore lint/suspicious/noThenProperty: the object is a promise of another library
      start: () => ({ then: (give) => Promise.resolve(["later"]).then(give) })
    }
    expect(await runLater(modern, "g.call('test.thenable')", withServices(thenable))).toEqual(["later"])
  })

  it("names a service whose answer it cannot read", async () => {
    const answering = (start: unknown) => withServices({ name: "test.wrong", parameters: {}, start } as Service)
    const asynchronous = answering(async function* () {
      yield 1
    })
    expect(() => results(modern, "g.call('test.wrong')", asynchronous)).toThrow(
      /The service test.wrong returned an async iterable, .*collect its results into an array/
    )
    const wrong = /The service test.wrong returned a (number|undefined), which call\(\) cannot read/
    expect(() =>
      results(
        modern,
        "g.call('test.wrong')",
        answering(() => 1)
      )
    ).toThrow(wrong)
    await expect(
      runLater(
        modern,
        "g.call('test.wrong')",
        answering(() => Promise.resolve())
      )
    ).rejects.toThrow(wrong)
  })

  it("reports the known services if a service is unknown or at a wrong position", () => {
    expect(() => results(modern, "g.call('no.such')")).toThrow(/Unrecognized service: no\.such.*tinker\.search/)
    expect(() => results(modern, "g.call('tinker.degree.centrality')")).toThrow(/cannot start a traversal/)
    expect(() => results(modern, "g.V().call('tinker.search')")).toThrow(/can only start a traversal/)
    expect(() => results(modern, "g.call('--list', constant(1))")).toThrow(/must be a map/)
    expect(() => results(modern, "g.call('--list').with('service', __.not(identity()))")).toThrow(/returned no value/)
  })
})

describe("tinker.search", () => {
  it("finds properties of vertices, edges and vertex properties by a part of their text", () => {
    const crew = toy("crew")
    expect(unordered(modern, "g.call('tinker.search').with('search', 'a').value()")).toEqual([
      "java",
      "java",
      "marko",
      "vadas"
    ])
    expect(
      unordered(crew, "g.call('tinker.search').with('search', '2009').with('type', 'Edge').element().label()")
    ).toEqual(["develops"])
    expect(
      unordered(crew, "g.call('tinker.search').with('regex', '1997').with('type', 'VertexProperty').element().value()")
    ).toEqual(["san diego"])
  })

  it("matches the whole value with a regular expression", () => {
    expect(results(modern, "g.call('tinker.search').with('regex', 'mar|lop').value()")).toEqual(["lop"])
    expect(() => results(modern, "g.call('tinker.search')")).toThrow(/needs a parameter: search/)
    expect(() => results(modern, "g.call('tinker.search').with('search', 'a').with('type', 'Node')")).toThrow(
      /Vertex, Edge, VertexProperty as its type/
    )
  })
})

describe("tinker.degree.centrality", () => {
  it("counts the edges of a vertex, and once for equal vertices", () => {
    expect(results(modern, "g.V().call('tinker.degree.centrality')")).toEqual(["0", "1", "3", "1", "1", "0"])
    expect(
      results(modern, "g.V().out().barrier().call('tinker.degree.centrality').with('direction', OUT)").sort()
    ).toEqual(["0", "0", "0", "0", "0", "2"])
    expect(() => results(modern, "g.E().call('tinker.degree.centrality')")).toThrow(/needs a vertex/)
    expect(() => results(modern, "g.V().call('tinker.degree.centrality').with('direction', 'out')")).toThrow(
      /takes a Direction/
    )
  })
})

it("A service reads only fetched data from an asynchronous store", async () => {
  const later = new LaterGraph(modern)
  const names: Service = {
    name: "test.name",
    parameters: {},
    each: (value) => (value instanceof Vertex ? value.properties(["name"]).map((property) => property.value) : [])
  }
  for (const traversal of [
    "g.call('tinker.search').with('search', 'mar').element().values('name')",
    "g.V().call('tinker.degree.centrality')",
    "g.V().call('tinker.degree.centrality').with('direction', __.choose(hasLabel('person'), constant(OUT), constant(IN)))",
    "g.V().call('test.name')"
  ]) {
    const options = withServices(names)
    expect((await runLater(later, traversal, options)).map(text)).toEqual(results(modern, traversal, options))
  }
})
