import { afterEach, describe, expect, it } from "vitest"
import { EngineClosed } from "../../../src/storage/janusgraph/documents/SearchEngine.ts"
import { SearchClient } from "../../../src/storage/search/SearchClient.ts"
import { patience } from "../../Limits.ts"
import { eventually } from "../../layers/support/TestServers.ts"
import { StandIn, searchOptions } from "./StandIn.ts"

const stops: Array<() => Promise<void> | void> = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const started = async (): Promise<StandIn> => {
  const engine = await StandIn.start()
  stops.push(() => engine.stop())
  return engine
}

const client = (...[port, options]: Parameters<typeof searchOptions>): SearchClient => {
  const made = new SearchClient(searchOptions(port, options))
  stops.unshift(() => made.close())
  return made
}

describe("A client of a search engine", () => {
  it("sends the login of index.<name>.elasticsearch.http.auth.basic", async () => {
    const engine = await started()
    await client(engine.port, { login: { username: "ann", password: "p:ä" } }).request("GET", "/x")
    expect(engine.received[0]!.authorization).toBe(`Basic ${Buffer.from("ann:p:ä").toString("base64")}`)
  })

  it("repeats a request that was answered with a code of retry-error-codes, as often as retry-limit says", async () => {
    const engine = await started()
    engine.fault = () => ({ status: engine.received.length < 3 ? 429 : 200 })
    const retries = { limit: 2, codes: [429], first: 1, longest: 2 }
    expect((await client(engine.port, { retries }).request("GET", "/x")).status).toBe(200)
    engine.fault = () => ({ status: 429 })
    expect((await client(engine.port, { retries }).request("GET", "/x")).status).toBe(429)
    expect(engine.received.length).toBe(6)
    engine.fault = () => ({ status: 500 })
    expect((await client(engine.port, { retries }).request("GET", "/x")).status).toBe(500)
    expect(engine.received.length).toBe(7)
  })

  it("asks the next host if one is not there", async () => {
    const engine = await started()
    const gone = await StandIn.start()
    const { port } = gone
    await gone.stop()
    const both = client(1, { hosts: [`127.0.0.1:${port}`, `127.0.0.1:${engine.port}`] })
    expect((await both.request("GET", "/x")).status).toBe(400)
    expect((await both.request("GET", "/x")).status).toBe(400)
    expect(engine.received.length).toBe(2)
  })

  it("names the backend, the hosts and the options when no host answers", async () => {
    const engine = await started()
    const { port } = engine
    await engine.stop()
    stops.length = 0
    await expect(client(port).request("GET", "/x")).rejects.toThrow(
      new RegExp(
        `The search engine of the index backend 'search' \\(127.0.0.1:${port}\\) does not answer: .*Check that it runs, and index.search.hostname and port.`
      )
    )
  })

  it("waits for an answer no longer than socket-timeout", async () => {
    const engine = await started()
    engine.fault = () => "silent"
    await expect(client(engine.port, { socketTimeout: 30 }).request("GET", "/x")).rejects.toThrow(
      "no answer within 30 ms"
    )
  })

  it("lets requests wait for a connection longer than connect-timeout while others are slow", async () => {
    const engine = await started()
    engine.pause = () => new Promise((resume) => setTimeout(resume, 400 * patience))
    const slow = client(engine.port, { connectTimeout: 500 * patience })
    const answers = await Promise.all(Array.from({ length: 24 }, () => slow.request("GET", "/x")))
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(400))
    expect(engine.received.length).toBe(24)
  })

  it("lets a request wait for a connection no longer than socket-timeout", async () => {
    const engine = await started()
    engine.fault = () => "silent"
    const options = { socketTimeout: 300 }
    const busy = client(engine.port, options)
    const nine = Array.from({ length: 9 }, () => busy.request("GET", "/x").catch((error: Error) => error.message))
    const messages = await Promise.all(nine)
    expect(messages.slice(0, 8).every((message) => String(message).includes("no answer within 300 ms"))).toBe(true)
    expect(messages[8]).toMatch(/none of the 8 connections was free within 300 ms|no answer within 300 ms/)
  })

  it("sends a request once more if the host has closed the idle connection", async () => {
    const engine = await started()
    const one = client(engine.port)
    await one.request("GET", "/first")
    engine.fault = ({ path }) => (path === "/second" && engine.received.length === 2 ? "reset" : undefined)
    expect((await one.request("GET", "/second")).status).toBe(400)
    expect(engine.paths()).toEqual(["GET /first", "GET /second", "GET /second"])
    engine.fault = () => "reset"
    await expect(client(engine.port).request("GET", "/third")).rejects.toThrow("does not answer")
    expect(engine.received.length).toBe(4)
  })
})

describe("A request that an engine may get only once", () => {
  const retries = { limit: 2, codes: [503], first: 1, longest: 2 }

  it("is not repeated after an answer, after a lost connection, or at another host", async () => {
    const [engine, other] = [await started(), await started()]
    const both = client(1, { hosts: [`127.0.0.1:${engine.port}`, `127.0.0.1:${other.port}`], retries })
    await both.request("GET", "/first")
    engine.late = () => ({ status: 503 })
    expect((await both.requestOnce("POST", "/second", "")).status).toBe(503)
    engine.late = () => "reset"
    await expect(both.requestOnce("POST", "/third", "")).rejects.toThrow("does not answer")
    expect(engine.paths()).toEqual(["GET /first", "POST /second", "POST /third"])
    expect(other.received).toEqual([])
  })

  it("goes to the next host if no connection was made to one", async () => {
    const engine = await started()
    const gone = await StandIn.start()
    const { port } = gone
    await gone.stop()
    const both = client(1, { hosts: [`127.0.0.1:${port}`, `127.0.0.1:${engine.port}`] })
    expect((await both.requestOnce("POST", "/x", "")).status).toBe(400)
  })
})

describe("A client of a search engine that is closed", () => {
  it("ends running and waiting requests at once, and asks no other host", async () => {
    const [engine, other] = [await started(), await started()]
    engine.fault = () => "silent"
    const both = client(1, { hosts: [`127.0.0.1:${engine.port}`, `127.0.0.1:${other.port}`] })
    const all = Array.from({ length: 12 }, () => both.request("GET", "/x").catch((error: unknown) => error))
    await eventually(() => engine.received.length === 8)
    both.close()
    for (const error of await Promise.all(all)) expect(error).toBeInstanceOf(EngineClosed)
    await expect(both.request("GET", "/x")).rejects.toThrow("is closed, because its graph is closed")
    expect([engine.received.length, other.received.length]).toEqual([8, 0])
  })

  it("ends the pause before a repeated request", async () => {
    const engine = await started()
    engine.fault = () => ({ status: 429 })
    const hour = 3_600_000
    const retries = { limit: 5, codes: [429], first: hour, longest: hour }
    const one = client(engine.port, { retries })
    const failed = one.request("GET", "/x").catch((error: unknown) => error)
    await eventually(() => engine.received.length === 1)
    one.close()
    expect(await failed).toBeInstanceOf(EngineClosed)
    expect(engine.received.length).toBe(1)
  })
})
