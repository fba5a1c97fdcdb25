import { afterEach, describe, expect, it } from "vitest"
import { SearchClient } from "../../../src/storage/search/SearchClient.ts"
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
    const retries = { limit: 2, codes: new Set([429]), first: 1, longest: 2 }
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
})
