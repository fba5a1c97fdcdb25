import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FULL_MEMORY_MS, patience } from "../../Limits.ts"
import { type HttpAnswer, http, post } from "../support/HttpClient.ts"
import { bundled, type ServerProcess, startProcess } from "../support/ServerProcess.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless } from "../support/TestServers.ts"

let server: ServerProcess
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-server-pressure-"))
  const bundle = await bundled({ main: "src/main.ts" })
  server = await startProcess(bundle, folder, {
    properties: ["storage.backend=inmemory", "storage.memory.schema=false"],
    before: ["env", "NODE_OPTIONS=--max-old-space-size=512"],
    options: ["--set", "enginePool=32"]
  })
})

afterAll(async () => {
  server?.child.kill("SIGKILL")
  await rm(folder, { recursive: true, force: true })
})

const list = Array.from({ length: 20_000 }, (_, i) => i)
const doubling = "g.inject(0).repeat(__.union(__.math('_ * 2'), __.math('_ * 2 + 1')))"
const bulk = "inject(1).repeat(__.union(__.identity(), __.identity()).barrier()).times(40)"
const greedy: ReadonlyArray<string> = [
  `${doubling}.emit().dedup().count()`,
  `${doubling}.until(__.is(-1))`,
  `${doubling}.until(__.is(-1)).path()`,
  "g.inject(x).unfold().as('a').map(__.constant(x)).unfold().as('b').map(__.constant(x)).unfold().select('a', 'b').fold()",
  `${doubling}.emit().group().by().by(__.fold())`,
  `${doubling}.until(__.loops().is(18)).tree()`,
  `${doubling}.emit().sideEffect(__.addV('x').property('name', 'y')).count()`,
  "g.withSack([1, 2, 3]).inject(0).repeat(__.sack(addAll).by(__.constant([4, 5, 6, 7])).union(__.identity(), __.identity())).until(__.is(-1))",
  "g.inject([1, 2]).repeat(__.as('b').combine(__.select('b'))).times(40).count(local)",
  "g.inject(x).product(x).count(local)",
  "g.inject('x').repeat(__.union(__.concat(s), __.concat('b'))).until(__.is('z'))",
  `g.withSideEffect('a', []).${bulk}.aggregate('a').count()`,
  `g.${bulk}.fold().count(local)`,
  "g.inject(x).repeat(__.union(__.unfold().fold(), __.unfold().fold())).until(__.is(-1))",
  `z = g.${bulk}.limit(100000000).toList(); z.size()`
]

describe("32 concurrent requests that ask for all memory", () => {
  it("are answered by a server with a heap of 512 MB, which continues", async () => {
    const authority = `127.0.0.1:${server.port}`
    const bindings = { x: list, s: "s".repeat(1_000) }
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, i) =>
        post(authority, greedy[i % greedy.length]!, { bindings, evaluationTimeout: 8_000 })
      )
    )
    const kinds = new Set(answers.map(({ json, status }) => `${status} ${json?.["Exception-Class"] ?? ""}`))
    // Some are too slow to fill the memory on this machine. Others fill it, or have an answer of a few bytes.
    expect(kinds).toContain("500 LimitExceeded")
    const known = answers
      .filter(({ json }) => json?.["Exception-Class"] === "ScriptFailure")
      .map(({ json }) => json.message)
    expect(known).toEqual([])
    for (const kind of kinds) expect(["200 ", "500 LimitExceeded", "500 EvaluationTimeout"]).toContain(kind)
    expect(server.child.exitCode).toBe(null)
    const after = await post(authority, "g.inject(x).unfold().sum()", { bindings })
    expect(after.json.result.data).toEqual([199_990_000])
  })
})

const kindOf = ({ json, status }: HttpAnswer): string => `${status} ${json?.["Exception-Class"] ?? ""}`

/** 10 MB: nearly the longest allowed body. */
const BODY_BYTES = 10_000_000

describe("The content of requests", () => {
  it("counts while it is read: 3 million empty maps in one body do not end a server with a heap of 512 MB", async () => {
    const authority = `127.0.0.1:${server.port}`
    const body = `{"gremlin":"1","bindings":{"x":[${"{},".repeat(BODY_BYTES / 3)}{}]}}`
    const answer = await http(authority, {}, body)
    expect(answer.json?.message).toContain("requestMemoryLimit")
    expect(kindOf(answer)).toBe("500 LimitExceeded")
    const client = await SocketClient.connect(authority)
    const bindings = { x: Array.from({ length: BODY_BYTES / 3 - 100 }, () => ({})) }
    const { status } = await client.eval("1", { bindings })
    expect([status.code, status.message]).toEqual([597, expect.stringContaining("requestMemoryLimit")])
    expect(server.child.exitCode).toBe(null)
  })

  it("counts while it waits for a full pool: 32 bodies of 10 MB do not end the server", async () => {
    const authority = `127.0.0.1:${server.port}`
    const busy = Array.from({ length: 32 }, () => post(authority, endless, { evaluationTimeout: 6_000 * patience }))
    const x = Array.from({ length: BODY_BYTES / 25 }, (_, i) => String(i).padStart(20, "x"))
    const waiting = Array.from({ length: 32 }, () =>
      post(authority, "x.size()", { bindings: { x }, evaluationTimeout: 10_000 * patience })
    )
    const kinds = new Set((await Promise.all(waiting)).map(kindOf))
    expect(kinds).toContain("500 LimitExceeded")
    for (const kind of kinds) expect(["200 ", "500 LimitExceeded", "503 "]).toContain(kind)
    for (const answer of await Promise.all(busy)) {
      expect(["500 EvaluationTimeout", "500 LimitExceeded"]).toContain(kindOf(answer))
    }
    expect(server.child.exitCode).toBe(null)
    expect((await post(authority, "1")).status).toBe(200)
  })
})

describe("A script that fills the memory with values that no collection holds", () => {
  it.each([
    ["closures that hold closures", "def c = { 1 }; while (true) { def d = c; c = { d() } }"],
    ["causes of exceptions", "def e = null; while (true) { e = new Exception('x' * 100, e) }"],
    ["the result of an operation that has not ended", "(1..5000).collect { ('x' * 1000000 + it).toUpperCase() }.size()"]
  ])(
    "ends, and a server with a heap of 512 MB continues: %s",
    async (_, script) => {
      const authority = `127.0.0.1:${server.port}`
      const answer = await post(authority, script, { evaluationTimeout: 60_000 * patience })
      expect(kindOf(answer)).toBe("500 LimitExceeded")
      expect(server.child.exitCode).toBe(null)
      expect((await post(authority, "1")).status).toBe(200)
    },
    FULL_MEMORY_MS
  )
})

describe("A script that keeps nothing", () => {
  it(
    "continues while another fills the heap, however much it compares",
    async () => {
      const authority = `127.0.0.1:${server.port}`
      const loop =
        "def n = 0; def until = System.currentTimeMillis() + 15000; while (System.currentTimeMillis() < until) { n = n > 5 ? 0 : n + 1 }; 'done'"
      const innocent = post(authority, loop, { evaluationTimeout: 90_000 * patience })
      const chain = "def c = { 1 }; while (true) { def d = c; c = { d() } }"
      const answer = await post(authority, chain, { evaluationTimeout: 60_000 * patience })
      expect(kindOf(answer)).toBe("500 LimitExceeded")
      expect((await innocent).json.result?.data).toEqual(["done"])
    },
    FULL_MEMORY_MS
  )
})

describe("A large value that a traversal returns many times", () => {
  const twice = "repeat(__.union(__.identity(), __.identity())).times(14)"

  it.each([
    ["a text of 4 MB", "y".repeat(4_000_000)],
    ["a list of 400,000", Array.from({ length: 400_000 }, (_, i) => i)]
  ])("fits or is refused, and does not end a server with a heap of 512 MB: %s", async (_, x) => {
    const authority = `127.0.0.1:${server.port}`
    const scripts = [
      "g.inject(1).repeat(__.union(__.constant(x), __.constant(x))).times(12)",
      "g.inject(1).repeat(__.union(__.constant(x), __.constant(x)).barrier()).times(30).fold()",
      "g.inject(1).repeat(__.union(__.constant(x).unfold(), __.constant(x).unfold())).times(3).fold()",
      `g.inject(1).${twice}.constant(x).aggregate('a').cap('a')`,
      `g.inject(1).${twice}.group().by(constant(x)).by(fold()).count(local)`,
      `g.inject(1).${twice}.project('a', 'b').by(constant(x)).by(constant(x)).fold()`
    ]
    const answers = await Promise.all(
      scripts.map((script) => post(authority, script, { bindings: { x }, evaluationTimeout: 8_000 }))
    )
    const known = ["200 ", "500 LimitExceeded", "500 ValueTooLarge", "500 EvaluationTimeout"]
    const others = answers.filter((answer) => !known.includes(kindOf(answer))).map(({ text }) => text.slice(0, 300))
    expect(others).toEqual([])
    expect(answers.map(kindOf)).toContain("500 LimitExceeded")
    expect(server.child.exitCode).toBe(null)
    expect((await post(authority, "1")).status).toBe(200)
  })
})
