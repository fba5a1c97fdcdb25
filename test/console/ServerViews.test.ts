import { describe, expect, it } from "vitest"
import { http, post } from "../layers/support/HttpClient.ts"
import { endless, eventually } from "../layers/support/TestServers.ts"
import { runCommand } from "../packed/PackedCommands.ts"
import { both, onLmdb, place, start, tinkerGraph, value } from "../packed/Programs.ts"
import { openPage } from "./Browser.ts"
import { patientYaml, useBrowser } from "./Console.ts"
import { logIn, runQuery, showView } from "./Pages.ts"

const { browserOf, opened } = useBrowser()

describe("The schema", () => {
  const schema = [
    "m = graph.openManagement()",
    "m.makeVertexLabel('empty').make()",
    "m.makeEdgeLabel('only').multiplicity(SIMPLE).make()",
    "m.makePropertyKey('tags').dataType(String.class).cardinality(Cardinality.SET).make()",
    "k = m.makePropertyKey('code').dataType(Integer.class).make()",
    "m.buildIndex('byCode', Vertex.class).addKey(k).unique().buildCompositeIndex()",
    "m.commit()",
    "1"
  ].join("; ")

  it("lists labels, keys, types, cardinalities and indexes, and the numbers of elements", async ({ skip }) => {
    const { expectClean, page } = await opened("schema", skip, { graph: onLmdb, script: schema })
    await runQuery(page, "g.addV('thing').property('code', 1).addE('only').to(__.addV('empty'))")
    await page.getByText("1 result").waitFor()
    await showView(page, "Schema")
    const table = (name: string) => page.getByRole("region", { name, exact: true })
    await table("Vertex labels").getByRole("row", { name: "thing 1" }).waitFor()
    await table("Vertex labels").getByRole("row", { name: "empty 1" }).waitFor()
    await table("Edge labels").getByRole("row", { name: "only SIMPLE 1" }).waitFor()
    await table("Property keys").getByRole("row", { name: "tags String SET" }).waitFor()
    await table("Indexes").getByRole("row", { name: "byCode composite code true ENABLED" }).waitFor()
    const drawing = page.getByRole("img", { name: "thing only empty" })
    await drawing.waitFor()
    expect((await drawing.locator("g > text").allTextContents()).sort()).toEqual(["empty", "thing"])
    expect(await drawing.locator("text.edge-name").allTextContents()).toEqual(["only"])
    expect(await drawing.locator("polygon.edge-end").count()).toBe(1)
    expectClean()
  })

  it("follows the state of an index, and how far it is built", async ({ skip }) => {
    const script = "g.addV('a').property('age', 3)"
    const { authority, expectClean, page } = await opened("building", skip, { graph: onLmdb, script })
    await value(
      authority,
      "m = graph.openManagement(); m.buildIndex('byAge', Vertex.class).addKey(m.getPropertyKey('age')).buildCompositeIndex(); m.commit(); 1"
    )
    let building: number | undefined = 1_234
    // The page sees a build of any length, and that of another graph.
    await page.route("**/metrics", async (route) => {
      const text = await (await route.fetch()).text()
      const line = (graph: string, count: number) =>
        `engine_server_index_building_vertices{graph="${graph}",index="byAge"} ${count}\n`
      const body = `${text}\n${line("other", 99)}${building === undefined ? "" : line("graph", building)}`
      await route.fulfill({ body, contentType: "text/plain" })
    })
    await showView(page, "Schema")
    const state = (name: string) => page.getByRole("row", { name: `byAge composite age false ${name}` })
    await state("ENABLED 1,234 vertices").waitFor()
    await page.getByRole("status").filter({ hasText: "Indexes are being built: byAge" }).waitFor()
    const update = (action: string) =>
      value(
        authority,
        `m = graph.openManagement(); m.updateIndex(m.getGraphIndex('byAge'), SchemaAction.${action}); m.commit(); 1`
      )
    await update("DISABLE_INDEX")
    building = 1
    await state("DISABLED 1 of 1 vertex").waitFor()
    await update("REINDEX")
    await state("ENABLED").waitFor()
    building = undefined
    await page.getByText("Indexes are being built").waitFor({ state: "detached" })
    await page.getByRole("row", { name: "byAge composite age false ENABLED", exact: true }).waitFor()
    expectClean()
  })

  it("is that of the elements where the graph keeps none, also under query.force-index", async ({ skip }) => {
    for (const [name, graph] of [
      ["loose", tinkerGraph],
      ["forced", [...onLmdb, "query.force-index=true"]]
    ] as const) {
      const { expectClean, page } = await opened(`counted-${name}`, skip, { graph })
      await showView(page, "Schema")
      await page.getByRole("row", { name: "person 4" }).waitFor()
      await page.getByRole("row", { name: /^created .*4$/ }).waitFor()
      const isForced = name === "forced"
      expect(await page.getByText("keeps no schema").count()).toBe(isForced ? 0 : 1)
      expect(await page.getByText("which query.force-index forbids").count()).toBe(isForced ? 1 : 0)
      expectClean()
    }
  })

  it("has no numbers of a graph that does not count its elements, and does not read them all", async ({ skip }) => {
    const { expectClean, page } = await opened("uncounted", skip)
    await page.route("**/propertygraph/statistics/summary?*", (route) =>
      route.fulfill({ status: 501, json: { message: "no" } })
    )
    const queries: Array<string> = []
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => queries.push(String(payload))))
    await page.reload()
    await showView(page, "Schema")
    await page.getByText("The elements of this graph are not counted.").waitFor()
    await page.getByRole("row", { name: "person", exact: true }).waitFor()
    const read = queries.flatMap((query) => /"gremlin":"(g\.[VE]\(\)[^"]*)/.exec(query)?.[1] ?? [])
    expect(read.length).toBeGreaterThan(2)
    expect(read.filter((query) => !query.includes(".limit("))).toEqual([])
    expectClean()
  })

  it("has no number of a label whose elements are not counted and not among the first", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("unseen", skip, { graph: onLmdb })
    await value(
      authority,
      "m = graph.openManagement(); m.makeVertexLabel('rare').make(); m.makeEdgeLabel('seldom').make(); m.commit(); 1"
    )
    let isCounted = true
    await page.route("**/propertygraph/statistics/summary?*", (route) =>
      isCounted ? route.continue() : route.fulfill({ status: 501, json: { message: "no" } })
    )
    await showView(page, "Schema")
    await page.getByRole("button", { name: "Refresh" }).click()
    await page.getByRole("row", { name: "rare 0", exact: true }).waitFor()
    isCounted = false
    await page.getByRole("button", { name: "Refresh" }).click()
    await page.getByRole("row", { name: "rare", exact: true }).waitFor()
    await page.getByRole("row", { name: "seldom MULTI", exact: true }).waitFor()
    expectClean()
  })
})

describe("The live view", () => {
  it("shows what the server does: requests by op, connections, memory, and slow queries that have ended", async ({
    skip
  }) => {
    const yaml = `${patientYaml}slowQueryThreshold: 1\n`
    const { authority, expectClean, page } = await opened("figures", skip, { yaml })
    await showView(page, "Live")
    for (const name of [
      "Requests per second",
      "Mean time of a request, ms",
      "Running requests",
      "Waiting requests",
      "Lanes",
      "Run queue",
      "Sessions",
      "Connections",
      "Memory of requests, MB",
      "Heap, MB",
      "Event-loop delay, ms"
    ])
      await page.getByRole("heading", { name, exact: true }).waitFor()
    const begun = performance.now()
    const running = post(authority, endless)
    const row = page.getByRole("row").filter({ hasText: endless })
    await row.getByRole("button", { name: "Kill" }).click()
    await running
    const longest = performance.now() - begun
    await page.getByText("No query is running.").waitFor()
    await page.getByRole("heading", { name: "Slow queries of the last ten minutes" }).waitFor()
    await row.waitFor()
    expect(await row.count()).toBe(1)
    const shown = /^\d\d:\d\d:\d\d([\d.]+) (ms|s)500\d+g\.inject/.exec((await row.textContent()) ?? "")
    expect([shown?.[0], Number(shown?.[1]) * (shown?.[2] === "s" ? 1_000 : 1)]).toEqual([
      expect.any(String),
      expect.toSatisfy((elapsed: number) => elapsed >= 1 && elapsed <= longest + 50)
    ])
    await page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: "eval" }) })
      .waitFor()
    expectClean()
  })

  it("shows what was before the page was opened: slow queries, and requests by op of the last ten minutes", async ({
    skip
  }) => {
    const browser = browserOf(skip)
    const { authority } = await start(place("before", `${both}slowQueryThreshold: 50\n`, { graph: tinkerGraph }))
    await post(authority, endless, { evaluationTimeout: 100 })
    const recent = async () => (await http(authority, { path: "/console/recent" })).json
    let before = await recent()
    await eventually(async () => {
      before = await recent()
      return before.intervals.some(({ operations }: { operations: object }) => "eval" in operations)
    })
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    // On a slow machine another interval ends before the view is open. It has the requests of the page.
    await page.route("**/console/recent", (route) => route.fulfill({ json: before }))
    await showView(page, "Live")
    await page.getByRole("row").filter({ hasText: endless }).waitFor()
    const requests = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "eval" }) })
    await requests.waitFor()
    expect(await requests.getByRole("cell").nth(2).textContent()).toBe("1")
    // The first look of the page has no rate: the line comes from the server.
    const card = page.locator(".card").filter({ hasText: "Requests per second" })
    expect(await card.locator("path").getAttribute("d")).toMatch(/^M/)
    expectClean()
  })

  it("shows a user without the right to operate only own queries, and no log level; an operator ends all", async ({
    skip
  }) => {
    const browser = browserOf(skip)
    const yaml =
      `${patientYaml}authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: users.properties, ` +
      "defaultUsername: stephen, defaultPassword: s3cret-word}}\nauthorization: {authorizer: RoleAuthorizer}\n"
    const folder = place("roles", yaml, { graph: tinkerGraph, users: onLmdb })
    const { authority } = await start(folder)
    const add = ["credentials", "add", "marko", "--role", "reader", "--control-socket", "s.sock"]
    const added = await runCommand(folder, add, "s3cret-word\n")
    expect([added.status, added.err]).toEqual([0, added.err])
    const as = (name: string) => `Basic ${Buffer.from(`${name}:s3cret-word`).toString("base64")}`
    const run = (name: string) =>
      http(authority, { headers: { authorization: as(name) } }, JSON.stringify({ gremlin: `${endless}.as('${name}')` }))
    const [own, other] = [run("marko"), run("stephen")]
    const list = async () =>
      (await http(authority, { path: "/gremlin/status", headers: { authorization: as("stephen") } })).json.queries
    await eventually(async () => (await list()).length === 2)
    const reader = await openPage(browser, `http://${authority}/console/`)
    await logIn(reader.page, "s3cret-word", "marko")
    await showView(reader.page, "Live")
    await reader.page.getByText("You see your own queries.").waitFor()
    await reader.page.getByRole("row", { name: /marko (running|queued).*Kill/ }).waitFor()
    expect(await reader.page.getByRole("row", { name: /stephen/ }).count()).toBe(0)
    expect(await reader.page.getByLabel("Level").count()).toBe(0)
    const operator = await openPage(browser, `http://${authority}/console/`)
    await logIn(operator.page, "s3cret-word")
    await showView(operator.page, "Live")
    await operator.page.getByLabel("Level").waitFor()
    for (const name of ["marko", "stephen"]) {
      const row = operator.page
        .getByRole("row")
        .filter({ hasText: `.as('${name}')` })
        .filter({ has: operator.page.getByRole("button") })
      await row.getByRole("button", { name: "Kill" }).click()
      await row.waitFor({ state: "detached" })
    }
    for (const ended of [await own, await other]) expect(ended.json["Exception-Class"]).toBe("EvaluationCancelled")
    reader.expectClean()
    operator.expectClean()
  })
})

describe("A page with a wrong password", () => {
  it("gets no dialog of the browser, and no address has the password or the token", async ({ skip }) => {
    const browser = browserOf(skip)
    const yaml =
      `${both}authentication: {authenticator: SaslAndHMACAuthenticator, config: {credentialsDb: users.properties, ` +
      "defaultUsername: stephen, defaultPassword: s3cret-word, hmacSecret: sixteen-letters-or-more}}\n"
    const { authority } = await start(place("dialog", yaml, { graph: tinkerGraph, users: onLmdb }))
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    const addresses: Array<string> = []
    page.on("response", (response) => addresses.push(`${response.status()} ${response.url()}`))
    const dialogs: Array<string> = []
    const session = await page.context().newCDPSession(page)
    session.on("Fetch.requestPaused", ({ requestId }) => void session.send("Fetch.continueRequest", { requestId }))
    session.on("Fetch.authRequired", ({ request, requestId }) => {
      dialogs.push(request.url)
      void session.send("Fetch.continueWithAuth", { requestId, authChallengeResponse: { response: "CancelAuth" } })
    })
    await session.send("Fetch.enable", { handleAuthRequests: true, patterns: [{ urlPattern: "*" }] })
    await logIn(page, "wrong")
    await page.getByRole("alert").waitFor()
    await logIn(page, "s3cret-word")
    await runQuery(page, "g.inject('in')")
    await page.getByRole("cell", { name: "in", exact: true }).waitFor()
    expect(addresses.filter((address) => address.startsWith("401"))).not.toEqual([])
    expect(dialogs).toEqual([])
    expect(addresses.filter((address) => /s3cret|stephen|token=/i.test(address))).toEqual([])
    // A request of a page that asks for the browser's own password would get a dialog.
    await page.evaluate(() => fetch("/status", { credentials: "include" }).catch(() => undefined))
    expect(dialogs).toHaveLength(1)
    expectClean()
  })
})
