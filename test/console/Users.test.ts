import { describe, expect, it } from "vitest"
import { http } from "../layers/support/HttpClient.ts"
import { runCommand } from "../packed/PackedCommands.ts"
import { both, onLmdb, place, start, tinkerGraph, value } from "../packed/Programs.ts"
import { openPage } from "./Browser.ts"
import { useBrowser } from "./Console.ts"
import { logIn, runQuery, showView, writeQuery } from "./Pages.ts"

const { browserOf, opened } = useBrowser()

const PASSWORD = "s3cret-word"

/** A server with the user stephen. */
const asking = (handler: string, more: string): string =>
  `${both}authentication: {authenticator: ${handler}, config: {credentialsDb: users.properties, ` +
  `defaultUsername: stephen, defaultPassword: ${PASSWORD}${more}}}\n`

describe("A user of the console", () => {
  it("goes on working when the token has become invalid by its age", async ({ skip }) => {
    const browser = browserOf(skip)
    const yaml = asking("SaslAndHMACAuthenticator", ", hmacSecret: sixteen-letters-or-more, tokenTimeout: 4000")
    const { authority } = await start(place("token", yaml, { graph: tinkerGraph, users: onLmdb }))
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    await logIn(page, PASSWORD)
    await page.getByRole("textbox", { name: "Gremlin query" }).waitFor()
    const isWatched = (status: number) =>
      page.waitForResponse((answer) => answer.url().endsWith("/gremlin/status") && answer.status() === status)
    const refused = isWatched(401)
    await showView(page, "Live")
    await refused
    await isWatched(200)
    await page.getByText("No query is running.").waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    expectClean()
  })

  it("logs in again when the password has changed", async ({ skip }) => {
    const browser = browserOf(skip)
    const folder = place("changed", asking("SimpleAuthenticator", ""), { graph: tinkerGraph, users: onLmdb })
    const { authority } = await start(folder)
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    await logIn(page, PASSWORD)
    await runQuery(page, "g.inject('before')")
    await page.getByRole("cell", { name: "before" }).waitFor()
    await page.getByRole("checkbox", { name: "Read only" }).check()
    await writeQuery(page, "g.inject('being written')")
    const passwd = ["credentials", "passwd", "stephen", "--control-socket", "s.sock"]
    const { err, status } = await runCommand(folder, passwd, "another-word\n")
    expect([status, err]).toEqual([0, err])
    await showView(page, "Live")
    await page.getByRole("heading", { name: "Log in" }).waitFor()
    await logIn(page, "another-word")
    await showView(page, "Query")
    expect(await page.getByRole("cell", { name: "before" }).count()).toBe(0)
    await page.getByRole("textbox", { name: "Gremlin query" }).filter({ hasText: "being written" }).waitFor()
    expect(await page.getByRole("checkbox", { name: "Read only" }).isChecked()).toBe(true)
    await runQuery(page, "g.inject('after')")
    await page.getByRole("cell", { name: "after" }).waitFor()
    expectClean()
  })

  it("sees nothing of what the last user saw", async ({ skip }) => {
    const browser = browserOf(skip)
    const folder = place("next", asking("SimpleAuthenticator", ""), { graph: tinkerGraph, users: onLmdb })
    const { authority } = await start(folder)
    const authorization = `Basic ${Buffer.from(`stephen:${PASSWORD}`).toString("base64")}`
    await http(authority, { headers: { authorization } }, JSON.stringify({ gremlin: "g.addV('confidential')" }))
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    await logIn(page, PASSWORD)
    await showView(page, "Schema")
    await page.getByRole("row", { name: "confidential 1" }).waitFor()
    await showView(page, "Query")
    await runQuery(page, "g.V().has('name', 'secret name')")
    await page.getByText("The query returned no results.").waitFor()
    await page.getByText("Bindings (0)").click()
    await page.getByRole("button", { name: "Add a binding" }).click()
    await page.getByLabel("Value as JSON").fill("secret value")
    await page.getByRole("checkbox", { name: "Read only" }).check()
    await page.evaluate(() => history.replaceState(null, "", "#q=secret"))
    await page.getByRole("button", { name: "Log out" }).click()
    // The graph answers the next user late.
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route("**/propertygraph/statistics/summary?*", async (route) => {
      await isAnswered
      await route.continue()
    })
    await logIn(page, PASSWORD)
    await page.getByRole("textbox", { name: "Gremlin query" }).filter({ hasText: "g.V().limit(25)" }).waitFor()
    await page.getByText("Bindings (0)").waitFor()
    expect(await page.getByText("secret").count()).toBe(0)
    expect(await page.getByRole("checkbox", { name: "Read only" }).isChecked()).toBe(false)
    expect(page.url()).not.toContain("secret")
    await showView(page, "Schema")
    await page.getByRole("button", { name: "Refresh" }).waitFor()
    expect(await page.getByText("confidential").count()).toBe(0)
    answer()
    await page.getByRole("row", { name: "confidential 1" }).waitFor()
    expectClean()
  })
})

/** The properties of a graph on disk that is not alone. */
const inFolder = (name: string): ReadonlyArray<string> => [...onLmdb.slice(0, -1), `storage.directory=${name}`]

describe("A session of the console", () => {
  it("is over when its connection breaks, and the page says that its changes are lost", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("broken-session", skip, { graph: onLmdb, script: "" })
    let cut = (): Promise<void> => Promise.resolve()
    await page.routeWebSocket("**/gremlin", (client) => {
      const server = client.connectToServer()
      cut = async () => {
        await server.close()
        await client.close()
      }
    })
    await page.reload()
    const session = page.getByRole("checkbox", { name: "Session" })
    await session.check()
    await runQuery(page, "g.addV('lost')")
    await page.getByText("A transaction may be open").waitFor()
    await cut()
    const said = page.getByRole("alert").filter({ hasText: "the session ended with it" })
    await said.waitFor()
    expect(await session.isChecked()).toBe(false)
    expect(await page.getByRole("button", { name: "Commit" }).count()).toBe(0)
    await session.check()
    await said.waitFor({ state: "detached" })
    await runQuery(page, "g.V().count()")
    await page.locator(".big-number", { hasText: "0" }).waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([0])
    expectClean()
  })

  it("says that its transaction is lost when a request of the drawing learns it, and commits nothing of it", async ({
    skip
  }) => {
    const yaml = `${both}idleTransactionTimeout: 500\n`
    const { authority, expectClean, page } = await opened("expired", skip, { graph: onLmdb, script: "", yaml })
    const button = (name: string) => page.getByRole("button", { name, exact: true })
    await page.getByRole("checkbox", { name: "Session" }).check()
    await runQuery(page, "g.addV('lost')")
    await page.getByText("1 vertex, 0 edges").waitFor()
    await showView(page, "Data")
    await page.waitForTimeout(2_000)
    await showView(page, "Query")
    const said = page.getByRole("alert").filter({ hasText: "roll back before you go on" })
    await said.filter({ hasText: "idleTransactionTimeout" }).waitFor()
    expect(await button("Commit").isDisabled()).toBe(true)
    await button("Rollback").click()
    await said.waitFor({ state: "detached" })
    await page.getByText("No transaction is open").waitFor()
    await runQuery(page, "g.addV('kept').iterate()")
    await page.getByText("The query returned no results.").waitFor()
    await button("Commit").click()
    await page.getByText("No transaction is open").waitFor()
    expect(await value(authority, "g.V().label()")).toEqual(["kept"])
    expectClean()
  })

  it("says that its transaction is lost when the server has ended it for its memory", async ({ skip }) => {
    const yaml = `${both}requestMemoryLimit: 1300000\n`
    const { authority, expectClean, page } = await opened("heavy", skip, { graph: onLmdb, script: "", yaml })
    await page.getByRole("checkbox", { name: "Session" }).check()
    await runQuery(page, "g.addV('lost')")
    await page.getByText("1 vertex, 0 edges").waitFor()
    const said = page.getByRole("alert").filter({ hasText: "roll back before you go on" })
    for (let at = 0; at < 10 && (await said.count()) === 0; at++) {
      await runQuery(page, `text${at} = 'x' * 200000; ${at}`)
      await page
        .locator(".big-number", { hasText: String(at) })
        .or(said)
        .waitFor()
    }
    await said.filter({ hasText: "requestMemoryLimit" }).waitFor()
    expect(await page.getByRole("button", { name: "Commit" }).isDisabled()).toBe(true)
    expect(await value(authority, "g.V().count()")).toEqual([0])
    expectClean()
  })

  for (const channelizer of ["WsAndHttpChannelizer", "UnifiedChannelizer"]) {
    it(`keeps its transaction when a request of the drawing is cancelled, or cannot be: ${channelizer}`, async ({
      skip
    }) => {
      const yaml = `channelizer: ${channelizer}\nevaluationTimeout: 0\n`
      const { authority, page } = await opened(`cancelled-${channelizer}`, skip, { graph: onLmdb, script: "", yaml })
      await page.routeWebSocket("**/gremlin", (client) => {
        const server = client.connectToServer()
        client.onMessage((message) => {
          const slow = "console_g.inject(0).repeat(__.identity()).times(2000000000)"
          server.send(Buffer.from(String(message).replace(/console_g\.V\(console_ids\)[^"]*/, slow)))
        })
      })
      let refuses = false
      await page.route("**/gremlin/status/*", (route) => (refuses ? route.fulfill({ status: 403 }) : route.continue()))
      await page.reload()
      await page.getByRole("checkbox", { name: "Session" }).check()
      await runQuery(page, "g.addV('kept')")
      await page.getByText("1 vertex, 0 edges").waitFor()
      const leave = async (): Promise<void> => {
        const cancelled = page.waitForResponse((answer) => answer.request().method() === "DELETE")
        await showView(page, "Data")
        await cancelled
      }
      await leave()
      await showView(page, "Query")
      await page.getByText("1 vertex, 0 edges").waitFor()
      refuses = true
      await leave()
      refuses = false
      const { queries } = (await http(authority, { path: "/gremlin/status" })).json
      for (const { queryId } of queries) await http(authority, { method: "DELETE", path: `/gremlin/status/${queryId}` })
      await showView(page, "Query")
      await page.getByRole("button", { name: "Commit" }).waitFor()
      await leave()
      await showView(page, "Query")
      expect(await page.getByRole("alert").count()).toBe(0)
      await page.getByRole("button", { name: "Commit" }).click()
      await leave()
      await showView(page, "Query")
      await page.getByText("No transaction is open").waitFor()
      expect(await value(authority, "g.V().label()")).toEqual(["kept"])
    })
  }

  it("keeps its variables, and no transaction, from the requests of the drawing", async ({ skip }) => {
    const { expectClean, page } = await opened("own-variables", skip, { graph: onLmdb })
    const asked: Array<string> = []
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => asked.push(String(payload))))
    await page.reload()
    await page.getByRole("checkbox", { name: "Session" }).check()
    await runQuery(
      page,
      "ids = 'i'; vertexId = 'v'; known = 'k'; edgeLabel = 'e'; label = 'l'; g.V().has('name', 'marko')"
    )
    await page.getByText("1 vertex, 0 edges").waitFor()
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    await page.getByRole("button", { name: "out knows 2" }).click()
    await page.getByText("3 vertices, 2 edges").waitFor()
    const inSession = (): ReadonlyArray<string> =>
      asked.filter((frame) => frame.includes("console_vertex") && frame.includes('"processor":"session"'))
    expect(inSession()).toHaveLength(2)
    await page.getByRole("button", { name: "Commit" }).click()
    await page.getByText("No transaction is open").waitFor()
    await page.getByRole("button", { name: "out created 1" }).click()
    await page.getByText("4 vertices, 3 edges").waitFor()
    expect(inSession()).toHaveLength(2)
    await runQuery(page, "ids + vertexId + known + edgeLabel + label")
    await page.getByRole("cell", { name: "ivkel" }).waitFor()
    expectClean()
  })

  it("reads only, and uses a source, in the queries for which they were chosen", async ({ skip }) => {
    const browser = browserOf(skip)
    const { authority } = await start(place("held-source", both, { first: onLmdb, second: tinkerGraph }))
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    const [number, readOnly] = [page.locator(".big-number"), page.getByRole("checkbox", { name: "Read only" })]
    const [source, session] = [page.getByLabel("Traversal source"), page.getByRole("checkbox", { name: "Session" })]
    await source.selectOption("g_first")
    await session.check()
    await runQuery(page, "def make() { g.addV('hidden').iterate() }; 1")
    await number.filter({ hasText: "1" }).waitFor()
    await readOnly.check()
    await runQuery(page, "make()")
    await page.getByRole("alert").filter({ hasText: "read only" }).waitFor()
    await runQuery(page, "g.V().count()")
    await number.filter({ hasText: "0" }).waitFor()
    await readOnly.uncheck()
    await runQuery(page, "g.addV('a').addV('b').iterate(); g.V().count()")
    await number.filter({ hasText: "2" }).waitFor()
    await page.getByRole("button", { name: "Commit" }).click()
    await page.getByText("No transaction is open").waitFor()
    expect(await value(authority, "g_first.V().count()")).toEqual([2])
    await source.selectOption("g_second")
    await runQuery(page, "g.V().count()")
    await number.filter({ hasText: "0" }).waitFor()
    // A transaction that has only read holds nothing.
    expect(await session.isEnabled()).toBe(true)
    await source.selectOption("g_first")
    await page.getByText("No transaction is open").waitFor()
    await runQuery(page, "g.V().count()")
    await number.filter({ hasText: "2" }).waitFor()
    await runQuery(page, "g = g.withStrategies(new SubgraphStrategy(vertices: __.hasLabel('a'))); 'mine'")
    await page.getByRole("cell", { name: "mine" }).waitFor()
    await readOnly.check()
    await runQuery(page, "g.V().count()")
    await number.filter({ hasText: "1" }).waitFor()
    await runQuery(page, "make()")
    await page.getByRole("alert").filter({ hasText: "read only" }).waitFor()
    await readOnly.uncheck()
    await runQuery(page, "g.V().count() ")
    await number.filter({ hasText: "1" }).waitFor()
    await runQuery(page, "g.addV('a').iterate(); g.V().count()")
    await number.filter({ hasText: "2" }).waitFor()
    expectClean()
  })

  it("keeps its source, and stays open, until its changes are committed or rolled back", async ({ skip }) => {
    const browser = browserOf(skip)
    const yaml = asking("SimpleAuthenticator", "")
    const { authority } = await start(
      place("held-changes", yaml, { a: inFolder("a"), b: inFolder("b"), users: onLmdb })
    )
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    const [source, session] = [page.getByLabel("Traversal source"), page.getByRole("checkbox", { name: "Session" })]
    const asked: Array<string> = []
    page.on("dialog", (dialog) => {
      asked.push(dialog.type())
      void (dialog.type() === "confirm" ? dialog.dismiss() : dialog.accept())
    })
    await logIn(page, PASSWORD)
    await source.selectOption("g_a")
    await session.check()
    await runQuery(page, "g.addV('kept').iterate()")
    await page.getByText("A transaction may be open").waitFor()
    expect([await source.isDisabled(), await session.isDisabled()]).toEqual([true, true])
    await page.getByRole("button", { name: "Log out" }).click()
    await expect.poll(() => asked).toEqual(["confirm"])
    await page.getByRole("button", { name: "Commit" }).click()
    await page.getByText("No transaction is open").waitFor()
    expect([await source.isDisabled(), await session.isDisabled()]).toEqual([false, false])
    await source.selectOption("g_b")
    await runQuery(page, "g.V().count()")
    await page.locator(".big-number", { hasText: "0" }).waitFor()
    await page.getByRole("button", { name: "Rollback" }).click()
    await page.getByText("No transaction is open").waitFor()
    await source.selectOption("g_a")
    await runQuery(page, "g.V().count()")
    await page.locator(".big-number", { hasText: "1" }).waitFor()
    await runQuery(page, "g.addV('lost').iterate()")
    await page.getByText("The query returned no results.").waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "Log in" }).waitFor()
    expect(asked).toEqual(["confirm", "beforeunload"])
    expectClean()
  })

  it("shows the warning of an answer until the next one", async ({ skip }) => {
    const { expectClean, page } = await opened("warned", skip, { script: "" })
    const attributes = '"attributes":{"@type":"g:Map","@value":['
    const warning = '"warnings",{"@type":"g:List","@value":["The commit took long."]},'
    let isWarned = true
    await page.routeWebSocket("**/gremlin", (client) => {
      const server = client.connectToServer()
      server.onMessage((message) => {
        const text = typeof message === "string" ? message : new TextDecoder().decode(message)
        client.send(isWarned ? text.replace(attributes, `${attributes}${warning}`) : text)
      })
    })
    await page.reload()
    await page.getByRole("checkbox", { name: "Session" }).check()
    await runQuery(page, "1 + 1")
    await page.getByText("The commit took long.").waitFor()
    await page.getByRole("button", { name: "Rollback" }).click()
    await page.getByText("No transaction is open").waitFor()
    await page.getByText("The commit took long.").waitFor()
    isWarned = false
    await page.getByRole("checkbox", { name: "Session" }).uncheck()
    await page.getByText("The commit took long.").waitFor({ state: "detached" })
    expectClean()
  })
})
