import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { Dispatcher, GraphRegistry, StorageFailure, TransactionConflict } from "../../../src/index.ts"
import type { Pending } from "../../../src/scheduling/Pending.ts"
import type { GraphStore, GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { patience } from "../../Limits.ts"
import { post } from "../support/HttpClient.ts"
import { codes, SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, type InsideServer, modern, startInside, startServer } from "../support/TestServers.ts"

const graphOf = (server: InsideServer): GraphStore => Context.get(server.services, GraphRegistry).graphs.get("graph")!

/** A time limit in which a small request reaches its commit, ms. */
const BRIEF_MS = 200 * patience

/** Replaces the commits of a server's graph from now on. */
const interceptCommits = (
  server: InsideServer,
  commit: (real: () => Pending | undefined) => Pending | undefined
): void => {
  const graph = graphOf(server) as { begin: GraphStore["begin"] }
  const begin = graph.begin.bind(graph)
  graph.begin = (options) => {
    const transaction = begin(options) as GraphTransaction & { commit: () => Pending | undefined }
    const real = transaction.commit.bind(transaction)
    transaction.commit = () => (transaction.dirty ? commit(real) : real())
    return transaction
  }
}

describe("The time limit in a script", () => {
  const failure = async (script: string, more: Record<string, unknown> = {}): Promise<string> => {
    const { authority } = await startServer()
    return (await post(authority, script, more)).json.message
  }

  it("applies to the statements before it, and is the sum of all in the text", async () => {
    const script = `${endless}.next(); g.with('evaluationTimeout', 20L).V().iterate(); g.with("evaluationTimeout",30).V()`
    expect(await failure(script)).toContain("the evaluationTimeout of 50 ms")
    expect(await failure(script, { evaluationTimeout: 1 })).toContain("the evaluationTimeout of 50 ms")
  })

  it("of 0 or less is no limit, as that of a request or of a traversal", async () => {
    const { authority } = await startServer({ evaluationTimeout: 10 })
    const client = await SocketClient.connect(authority)
    const work = "long sum = 0; for (i in 0..<100000) sum += i; sum"
    expect((await client.eval(work)).status.code).toBe(598)
    for (const evaluationTimeout of [0, -60_000]) {
      expect((await client.eval(work, { evaluationTimeout })).status.code, String(evaluationTimeout)).toBe(200)
    }
    expect((await post(authority, work, { evaluationTimeout: -1 })).status).toBe(200)
    const traversal = "g.with('evaluationTimeout', -1).inject(0).repeat(map(constant(1))).times(5000)"
    expect((await client.eval(traversal)).status.code).toBe(200)
    expect((await post(authority, work, { evaluationTimeout: "soon" })).status).toBe(400)
  })

  it("may have its older name, also as an option that the text does not have", async () => {
    expect(await failure(endless.replace("g.", "g.with('scriptEvaluationTimeout', 40L)."))).toContain("of 40 ms")
    const variable = `t = 40L; ${endless.replace("g.", "g.with('scriptEvaluationTimeout', t).")}`
    expect(await failure(variable)).toContain("of 40 ms")
  })
})

describe("A request that fails", () => {
  it("leaves no changes", async () => {
    const { authority } = await startServer()
    for (const script of [
      "g.addV('a').iterate(); 1/0",
      "g.addV('a').map(__.fail('x'))",
      "g.addV('a').addE('b').to(__.V(99))",
      `g.addV('a').iterate(); ${endless.replace("g.", "g.with('evaluationTimeout',50L).")}`
    ]) {
      expect((await post(authority, script)).status).toBe(500)
      expect((await post(authority, "g.V().count()")).json.result.data).toEqual([0])
    }
  })

  it("leaves no changes when its client closes the connection", async () => {
    const server = await startInside()
    const dispatcher = Context.get(server.services, Dispatcher)
    const client = await SocketClient.connect(server.authority)
    client.send("eval", "", { gremlin: `g.addV('a').iterate(); ${endless}` })
    // The second traversal runs, so the first one has changed the graph.
    await eventually(() => [...dispatcher.running()].some((each) => each.describe().step.includes("Repeat")))
    client.ws.terminate()
    await eventually(() => dispatcher.active() === 0)
    expect((await post(server.authority, "g.V().count()")).json.result.data).toEqual([0])
  })

  it("is answered when a defect of the server is the cause, and the log has the defect", async () => {
    const server = await startInside()
    const graph = graphOf(server) as { begin: unknown }
    graph.begin = () => {
      throw new TypeError("out of order")
    }
    const client = await SocketClient.connect(server.authority)
    const answer = await client.eval("g.V()")
    expect([answer.status.code, answer.status.message]).toEqual([500, expect.stringContaining("out of order")])
    expect((await post(server.authority, "g.V()")).status).toBe(500)
    await eventually(() => server.log.some((line) => line.startsWith("ERROR") && line.includes("defect")))
  })
})

describe("A request that writes", () => {
  it("is committed before its answer, which is the committed state", async () => {
    const { authority } = await startServer()
    const answer = await post(authority, "g.addV('person').property('name','x')")
    expect(answer.json.result.data).toMatchObject([{ label: "person" }])
    expect((await post(authority, "g.V().values('name')")).json.result.data).toEqual(["x"])
  })

  it("gets no head and no last frame while its commit is under way", async () => {
    const server = await startInside(modern)
    let release: (() => void) | undefined
    interceptCommits(server, (real) => ({
      onDone: (resume) => {
        release = () => {
          real()
          resume(undefined)
        }
      }
    }))
    const client = await SocketClient.connect(server.authority)
    const overWebSocket = client.send("eval", "", { gremlin: "g.V().property('x', 1).values('name')", batchSize: 2 })
    await eventually(() => release !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(client.frames).toEqual([])
    release!()
    expect(codes(await client.answers(overWebSocket))).toEqual([206, 206, 200])
    release = undefined
    let answered = false
    const overHttp = post(server.authority, "g.addV('y').iterate()").finally(() => (answered = true))
    await eventually(() => release !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(answered).toBe(false)
    release!()
    expect((await overHttp).status).toBe(200)
  })

  it("is not run again after a conflict when it timed out during its commit", async () => {
    const server = await startInside()
    let commits = 0
    interceptCommits(server, () => {
      commits++
      return { onDone: (resume) => setTimeout(() => resume(new TransactionConflict("v[1]")), 2 * BRIEF_MS) }
    })
    const answer = await post(server.authority, `g.with('evaluationTimeout',${BRIEF_MS}L).addV('a')`)
    expect([answer.json.exceptions, commits]).toEqual([["TransactionConflict"], 1])
  })

  it("begins no further traversal when it timed out during its own commit", async () => {
    const server = await startInside()
    const client = await SocketClient.connect(server.authority)
    const script = `g.with('evaluationTimeout',${BRIEF_MS}L).addV('a').iterate(); g.tx().commit(); g.V().count().next()`
    // A script that runs for the first time may need more than one time slice.
    for (let time = 0; time < 5; time++) await client.eval(script.replace(`${BRIEF_MS}L`, "50000L"), { session: "s" })
    interceptCommits(server, (real) => ({
      onDone: (resume) => setTimeout(() => resume(real() as undefined), 2 * BRIEF_MS)
    }))
    const { status } = await client.eval(script, { session: "s" })
    expect([status.code, status.message]).toEqual([598, expect.stringContaining("evaluationTimeout")])
    const last = await client.eval(script.replace("g.V().count().next()", "1 + 1"), { session: "s" })
    expect([last.status.code, last.result.data]).toEqual([200, [2]])
  })

  it("is answered with the error of its commit, also when the store reports it later", async () => {
    const server = await startInside()
    const failure = new StorageFailure("the disk is full: free some space")
    interceptCommits(server, () => {
      throw failure
    })
    expect((await post(server.authority, "g.addV()")).json).toMatchObject({ message: failure.message })
    interceptCommits(server, () => ({ onDone: (resume) => setTimeout(() => resume(failure), 5) }))
    const client = await SocketClient.connect(server.authority)
    expect((await client.eval("g.addV()")).status.message).toBe(failure.message)
  })

  it("is answered with an error when its answer is too long to be held back", async () => {
    const { authority } = await startServer({ answerFileLimit: 2_000_000 })
    const many = `g.inject(${Array.from({ length: 5_000 }, (_, i) => i).join()})`
    const answer = await post(authority, `${many}.as('i').addV('a').constant('${"x".repeat(1000)}')`)
    expect([answer.status, answer.json.message]).toEqual([500, expect.stringContaining("answerFileLimit")])
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([0])
  })
})

describe("A request that conflicts with another", () => {
  const conflict = new TransactionConflict("property 'n' of v[1]")

  it("is run again up to five times, and has one answer", async () => {
    const server = await startInside()
    let commits = 0
    interceptCommits(server, (real) => {
      if (++commits <= 5) throw conflict
      return real()
    })
    const client = await SocketClient.connect(server.authority)
    expect((await client.eval("g.addV('a').label()")).result.data).toEqual(["a"])
    expect(commits).toBe(6)
    expect(client.frames.length).toBe(1)
    expect((await post(server.authority, "g.V().count()")).json.result.data).toEqual([1])
  })

  it("is answered with 596 when it conflicts each time", async () => {
    const server = await startInside()
    let commits = 0
    interceptCommits(server, () => {
      commits++
      return { onDone: (resume) => setImmediate(() => resume(conflict)) }
    })
    const client = await SocketClient.connect(server.authority)
    const answer = await client.eval("g.addV('a')")
    expect([answer.status.code, answer.status.attributes]).toEqual([
      596,
      expect.objectContaining({ exceptions: ["TransactionConflict"] })
    ])
    expect(commits).toBe(6)
    expect((await post(server.authority, "g.addV('a')")).json.exceptions).toEqual(["TransactionConflict"])
  })

  it("is not run again in a session, or once a part of its answer is sent", async () => {
    const server = await startInside()
    let commits = 0
    interceptCommits(server, () => {
      commits++
      throw conflict
    })
    const client = await SocketClient.connect(server.authority)
    const many = `g.inject(${Array.from({ length: 500 }, (_, i) => i).join()}).as('i').addV('a').constant('${"x".repeat(500)}')`
    const answer = await client.answers(client.send("eval", "", { gremlin: many }))
    expect(codes(answer)).toEqual([206, 206, 206, 206, 206, 206, 206, 596])
    expect(commits).toBe(1)
    expect((await client.eval("g.addV()", { session: "s" })).status.code).toBe(596)
    expect(commits).toBe(2)
  })

  it("loses no increment when many clients increment one property", async () => {
    const { authority } = await startServer({ enginePool: 8 })
    await post(authority, "g.addV('counter').property('n', 0).iterate()")
    const increments = Array.from({ length: 40 }, () =>
      post(authority, "g.V().property('n', __.values('n').math('_ + 1'))")
    )
    const done = (await Promise.all(increments)).filter(({ status }) => status === 200).length
    expect(done).toBe(40)
    expect((await post(authority, "g.V().values('n')")).json.result.data).toEqual([40])
  })
})

describe("Clients that write to one vertex", () => {
  it("never conflict when each adds an edge", async () => {
    const server = await startServer({ enginePool: 32, conflictRetries: 0 })
    await post(server.authority, "g.addV('hub').property('name','hub').iterate()")
    const clients = await Promise.all(Array.from({ length: 32 }, () => SocketClient.connect(server.authority)))
    const add = "g.V().hasLabel('hub').as('h').addV('leaf').addE('spoke').to('h')"
    const answers = await Promise.all(clients.flatMap((client) => Array.from({ length: 5 }, () => client.eval(add))))
    expect(new Set(codes(answers))).toEqual(new Set([200]))
    // The same in concurrent transactions.
    await Promise.all(clients.map((client, i) => client.eval("g.tx().begin(); null", { session: `s${i}` })))
    await Promise.all(clients.map((client, i) => client.eval(add, { session: `s${i}` })))
    const commits = await Promise.all(clients.map((client, i) => client.eval("g.tx().commit()", { session: `s${i}` })))
    expect(new Set(codes(commits))).toEqual(new Set([200]))
    expect((await post(server.authority, "g.V().hasLabel('hub').in('spoke').count()")).json.result.data).toEqual([192])
  })
})

describe("A long script", () => {
  it("is parsed in slices and then evaluated, and its time limit also ends the parsing", async () => {
    const server = await startServer()
    const numbers = Array.from({ length: 60_000 }, (_, i) => i)
    const script = `g.inject(${numbers.join(", ")}).max()`
    expect((await post(server.authority, script)).json.result.data).toEqual([59_999])
    expect((await post(server.authority, `x = [${numbers.join(", ")}]; x.size()`)).json.result.data).toEqual([60_000])
    expect((await post(server.authority, `${script}.nope()`)).json.message).toContain("nope")
    expect((await post(server.authority, script, { evaluationTimeout: 1 })).json.exceptions).toEqual([
      "EvaluationTimeout"
    ])
  })
})

describe("maxResults", () => {
  it("fails a request with more results", async () => {
    const { authority } = await startServer({ ...modern, maxResults: 3 })
    expect((await post(authority, "g.V().limit(3)")).status).toBe(200)
    expect((await post(authority, "g.V()")).json.message).toContain("maxResults")
  })
})
