import { describe, expect, it } from "vitest"
import { http } from "../layers/support/HttpClient.ts"
import { runCommand } from "../packed/PackedCommands.ts"
import { both, onLmdb, place, start, tinkerGraph, value } from "../packed/Programs.ts"
import { openPage } from "./Browser.ts"
import { useBrowser } from "./Console.ts"
import { logIn, runQuery, showView } from "./Pages.ts"

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
    const passwd = ["credentials", "passwd", "stephen", "--control-socket", "s.sock"]
    const { err, status } = await runCommand(folder, passwd, "another-word\n")
    expect([status, err]).toEqual([0, err])
    await showView(page, "Live")
    await page.getByRole("heading", { name: "Log in" }).waitFor()
    await logIn(page, "another-word")
    await showView(page, "Query")
    expect(await page.getByRole("cell", { name: "before" }).count()).toBe(0)
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
    await page.getByRole("button", { name: "Refresh" }).waitFor()
    expect(await page.getByText("confidential").count()).toBe(0)
    answer()
    await page.getByRole("row", { name: "confidential 1" }).waitFor()
    expectClean()
  })
})

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
})
