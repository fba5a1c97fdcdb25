import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { patience } from "../Limits.ts"
import { http } from "../layers/support/HttpClient.ts"
import { eventually } from "../layers/support/TestServers.ts"
import { both, onLmdb, place, start, tinkerGraph, value } from "../packed/Programs.ts"
import { openPage } from "./Browser.ts"
import { clipboard, useBrowser, withClipboard } from "./Console.ts"
import { runQuery, showView, toyGraph, whilePressing, writeQuery } from "./Pages.ts"

const { browserOf, opened } = useBrowser()

/** More than the interactionDelay of the editor's list, 75 ms. */
const LIST_DELAY_MS = 300 * patience

/**
 * The names that the editor offers after a text is typed at the end of the query. A list may open before the last letter is typed:
 * it is awaited that it becomes `wanted`.
 */
const offered = async (
  page: Page,
  query: string,
  typed: string,
  wanted: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  await writeQuery(page, query)
  await page.keyboard.type(typed)
  const labels = page.locator(".cm-completionLabel")
  await expect.poll(() => labels.allTextContents()).toEqual(wanted)
  const names = await labels.allTextContents()
  await page.keyboard.press("Escape")
  await labels.first().waitFor({ state: "detached" })
  return names
}

describe("The editor", () => {
  it("underlines a mistake where it is, says it, and takes the line away when it is mended", async ({ skip }) => {
    const { expectClean, page } = await opened("mistakes", skip)
    const underlined = page.locator(".cm-lintRange-error")
    for (const [query, place, message] of [
      ["g.V().nothing()", "nothing", "there is no step nothing()"],
      ["g.V().\n  has('age', P.near(3))", "near", "near"],
      ["g.V().out('knows'", "'", ""],
      ["1 + 1;\ng.V().limit('x')", "'", "limit"]
    ] as const) {
      await writeQuery(page, query)
      await underlined.filter({ hasText: place }).waitFor()
      expect([query, (await underlined.allTextContents()).join("")]).toEqual([query, place])
      await underlined.hover()
      await page.locator(".cm-diagnostic", { hasText: message }).waitFor()
    }
    await writeQuery(page, "g.V().has('age', P.gt(3))")
    await underlined.waitFor({ state: "detached" })
    expectClean()
  })

  it("offers the steps, predicates and constants that fit at the place", async ({ skip }) => {
    const { expectClean, page } = await opened("completion", skip)
    const having = (...names: ReadonlyArray<string>): ReadonlyArray<string> => expect.arrayContaining([...names])
    expect(await offered(page, "g", ".", having("V", "addV", "withPath"))).not.toContain("out")
    await offered(page, "g.V()", ".to", having("toE", "toList"))
    expect(await offered(page, "g.V().where(__.out()", ".to", having("toE"))).not.toContain("toList")
    await offered(page, "g.V().has('age', ", "P.b", ["between"])
    await offered(page, "g.V().has('name', ", "TextP.con", ["containing", "notContaining"])
    await offered(page, "g.V().order().by('age', ", "Or", ["Order.asc", "Order.desc", "Order.shuffle"])
    await offered(page, "g.V().dedup(Scope", ".", ["global", "local"])
    await offered(page, "g.tx()", ".c", ["commit()"])
    await writeQuery(page, "g.V().has('name', 'marko' // ")
    await page.keyboard.type("V")
    await page.keyboard.press("Escape")
    expect(await page.locator(".cm-completionLabel").count()).toBe(0)
    expectClean()
  })

  it("offers the labels, keys and indexes of the graph, and the bindings", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("names", skip, { graph: onLmdb })
    await value(
      authority,
      "m = graph.openManagement(); k = m.getPropertyKey('age'); m.buildIndex('byAge', Vertex.class).addKey(k).buildCompositeIndex(); m.commit(); 1"
    )
    await showView(page, "Schema")
    await page.getByRole("row", { name: /byAge/ }).waitFor()
    await showView(page, "Query")
    await offered(page, "g.V().hasLabel(", "'per", ["person"])
    await offered(page, "g.V().out(", "'kn", ["knows"])
    await writeQuery(page, "g.V().has(")
    await page.keyboard.type("'ag")
    await page.getByRole("option").filter({ hasText: "key, indexed" }).waitFor()
    // The editor takes no key for a list that has just appeared: it could be meant for the text.
    await page.waitForTimeout(LIST_DELAY_MS)
    await page.keyboard.press("Enter")
    await page.getByRole("textbox", { name: "Gremlin query" }).filter({ hasText: "g.V().has('age'" }).waitFor()
    await page.getByText("Bindings (0)").click()
    await page.getByRole("button", { name: "Add a binding" }).click()
    await page.getByLabel("Name", { exact: true }).fill("whom")
    await offered(page, "g.V().has('name', ", "wh", ["whom"])
    expectClean()
  })

  it("counts results and time while they stream, over the WebSocket and over HTTP", async ({ skip }) => {
    for (const channelizer of ["WsAndHttpChannelizer", "HttpChannelizer"]) {
      // The query runs until it is stopped, also on a machine where that takes longer than the usual time limit.
      const yaml = `channelizer: ${channelizer}\nmaxResults: 0\nevaluationTimeout: 0\n`
      const { authority, expectClean, page } = await opened(`stream-${channelizer}`, skip, { yaml })
      await runQuery(page, "g.inject('text').repeat(__.identity()).emit()")
      const status = page.locator(".status.running")
      // The number and the time are read at once: between two reads the page shows the next frame.
      const shown = async (): Promise<readonly [count: number, time: string]> => {
        const [, count = "0", time = ""] = /([\d,]+) results\s*(.*)/.exec((await status.textContent()) ?? "") ?? []
        return [Number(count.replaceAll(",", "")), time]
      }
      await eventually(async () => (await shown())[0] > 1_000)
      const [count, time] = await shown()
      await eventually(async () => {
        const [later, laterTime] = await shown()
        return later > count && laterTime !== time
      })
      await page.getByRole("button", { name: "Stop" }).click()
      await page.getByText("stopped").waitFor()
      await eventually(async () => (await http(authority, { path: "/gremlin/status" })).json.queries.length === 0)
      expectClean()
    }
  })

  it("keeps a limited number of results, says so, and lets the query end", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("many", skip, { yaml: `${both}evaluationTimeout: 0\n` })
    await runQuery(page, "g.addV('last').iterate(); g.inject('text').repeat(__.identity()).emit().limit(100500)")
    await page.getByText("100,500 results").waitFor()
    await page.getByText("The page keeps the first 100,000 results.").waitFor()
    await page.locator("table[aria-rowcount='100001']").waitFor()
    expect(await value(authority, "g.V().hasLabel('last').count()")).toEqual([1])
    await runQuery(page, "1 + 1")
    await page.getByText("The page keeps the first").waitFor({ state: "detached" })
    expectClean()
  })

  it("shows the results so far of an answer that is cut, and says that it is", async ({ skip }) => {
    const yaml = "channelizer: HttpChannelizer\nmaxResults: 0\n"
    const { expectClean, page } = await opened("cut", skip, { yaml })
    const answered = page.waitForResponse((response) => response.request().postData()?.includes("late") === true)
    await runQuery(page, "g.inject(0).repeat(__.math('_ + 1')).emit().sideEffect(__.is(300000).fail('late'))")
    expect((await (await answered).allHeaders())["content-encoding"]).toBe("br")
    await page.getByRole("alert").filter({ hasText: "cut before its end" }).waitFor()
    await page.getByText(/[1-9][\d,]+ results, failed/).waitFor()
    expectClean()
  })
})

describe("The buttons of a query", () => {
  it("choose one of several traversal sources", async ({ skip }) => {
    const browser = browserOf(skip)
    const folder = place("sources", both, { first: tinkerGraph, second: tinkerGraph })
    const { authority } = await start(folder)
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    const choice = page.getByLabel("Traversal source")
    await choice.selectOption("g_second")
    await runQuery(page, "g.addV('only here')")
    await page.getByText("1 vertex, 0 edges").waitFor()
    await runQuery(page, "g.V().count()")
    await page.locator(".big-number", { hasText: "1" }).waitFor()
    await choice.selectOption("g_first")
    await runQuery(page, "g.V().count()")
    await page.locator(".big-number", { hasText: "0" }).waitFor()
    expectClean()
  })

  it("begin, commit and roll back a transaction of the session", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("transactions", skip, { graph: onLmdb, script: "" })
    const button = (name: string) => page.getByRole("button", { name, exact: true })
    expect(await button("Begin").count()).toBe(0)
    await page.getByRole("checkbox", { name: "Session" }).check()
    await page.getByText("No transaction is open").waitFor()
    await button("Begin").click()
    await page.getByText("A transaction may be open").waitFor()
    await runQuery(page, "g.tx().isOpen()")
    await page.getByRole("cell", { name: "true" }).waitFor()
    await runQuery(page, "g.addV('a'); g.addV('b').iterate(); g.V().count()")
    await page.locator(".big-number", { hasText: "1" }).waitFor()
    await button("Rollback").click()
    await page.getByText("No transaction is open").waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([0])
    await runQuery(page, "x = 5; g.addV('c').property('x', x).iterate()")
    await page.getByText("The query returned no results.").waitFor()
    await button("Commit").click()
    await page.getByText("No transaction is open").waitFor()
    expect(await value(authority, "g.V().values('x')")).toEqual([5])
    await page.getByRole("checkbox", { name: "Session" }).uncheck()
    await button("Commit").waitFor({ state: "detached" })
    expectClean()
  })

  it("keep a query, and copy its link, which another page opens and does not run", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("kept", skip, { browser: withClipboard })
    await writeQuery(page, "g.addV('by link')")
    await whilePressing(page.getByText("Saved", { exact: true }), () =>
      page.getByRole("button", { name: "Save" }).click()
    )
    await whilePressing(page.getByText("Link copied"), () => page.getByRole("button", { name: "Copy link" }).click())
    const link = await clipboard(page)
    expect(link).toBe(`http://${authority}/console/#q=${encodeURIComponent("g.addV('by link')")}`)
    const other = await page.context().newPage()
    await other.goto(link)
    await other.getByRole("textbox", { name: "Gremlin query" }).filter({ hasText: "by link" }).waitFor()
    await showView(other, "History")
    const saved = other.getByRole("button", { name: "g.addV('by link')", exact: true })
    await saved.waitFor()
    expect(await other.getByText("No queries yet.").count()).toBe(1)
    expect(await value(authority, "g.V().count()")).toEqual([6])
    await saved.click()
    await other.getByRole("textbox", { name: "Gremlin query" }).filter({ hasText: "by link" }).waitFor()
    await showView(other, "History")
    await other.getByRole("button", { name: /^Remove/ }).click()
    await saved.waitFor({ state: "detached" })
    await other.reload()
    await showView(other, "History")
    expect(await other.getByText("No queries yet.").count()).toBe(2)
    expectClean()
  })

  it("keep the queries of two pages, and say when the browser keeps none", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("two-pages", skip)
    const other = await page.context().newPage()
    await other.goto(`http://${authority}/console/`)
    const saves = async (on: Page, query: string, said: string | RegExp): Promise<void> => {
      await writeQuery(on, query)
      await whilePressing(on.getByText(said), () => on.getByRole("button", { name: "Save", exact: true }).click())
    }
    await saves(page, "g.inject('first')", /^Saved$/)
    await saves(other, "g.inject('second')", /^Saved$/)
    await showView(page, "History")
    for (const name of ["g.inject('first')", "g.inject('second')"]) {
      await page.getByRole("button", { name, exact: true }).waitFor()
    }
    await page.getByRole("button", { name: "Remove: g.inject('first')" }).click()
    await showView(other, "History")
    await other.getByRole("button", { name: "g.inject('second')", exact: true }).waitFor()
    await other.getByRole("button", { name: "g.inject('first')", exact: true }).waitFor({ state: "detached" })
    await showView(page, "Query")
    await page.evaluate(() =>
      localStorage.setItem("other", "x".repeat(5 * 1024 * 1024 - 5 - localStorage.length * 400))
    )
    await saves(page, `g.inject('${"long".repeat(1_000)}')`, "The browser does not keep it")
    await showView(page, "History")
    await page.getByRole("button", { name: /^g.inject\('long/ }).waitFor()
    expectClean()
  })

  it("show the nested steps of a profile, the index that a step uses, and the rewriting of a plan", async ({
    skip
  }) => {
    const { authority, expectClean, page } = await opened("indexed", skip, { graph: onLmdb, script: "" })
    await value(
      authority,
      "m = graph.openManagement(); k = m.makePropertyKey('name').dataType(String.class).make(); m.buildIndex('byName', Vertex.class).addKey(k).buildCompositeIndex(); m.commit(); 1"
    )
    await value(authority, toyGraph)
    await writeQuery(page, "g.V().has('name', 'marko').where(__.out('knows').has('age', 27)).values('name')")
    await page.getByRole("button", { name: "Profile" }).click()
    await page.getByRole("cell", { name: /byName/ }).waitFor()
    expect(await page.locator("td.scan").count()).toBe(0)
    const indents = await page
      .locator("th.step")
      .evaluateAll((all) => all.map((step) => Number.parseInt((step as HTMLElement).style.paddingLeft, 10)))
    expect(new Set(indents).size).toBeGreaterThan(1)
    await page.getByRole("button", { name: "Explain" }).click()
    await page.getByRole("heading", { name: "Traversal as written" }).waitFor()
    await page.getByRole("heading", { name: "Traversal as it runs" }).waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([6])
    expectClean()
  })
})

describe("The first page", () => {
  it("runs the next query for an empty graph only after the one before, and leaves the focus on it", async ({
    skip
  }) => {
    const { expectClean, page } = await opened("next", skip, { script: "" })
    let isHeld = false
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.routeWebSocket("**/gremlin", (client) => {
      const server = client.connectToServer()
      server.onMessage(async (message) => {
        if (isHeld) await released
        client.send(message)
      })
    })
    await page.reload()
    const first = page.getByRole("button", { name: /^g.addV/ })
    await first.waitFor()
    isHeld = true
    await first.click()
    const next = page.getByRole("button", { name: "g.V().hasLabel('person').values('name')" })
    await next.focus()
    await page.keyboard.press("Enter")
    expect(await next.isDisabled()).toBe(true)
    release()
    await expect.poll(() => next.isDisabled()).toBe(false)
    await page.keyboard.press("Enter")
    await page.getByRole("cell", { name: "Grace" }).waitFor()
    expectClean()
  })

  it("has the addresses of drivers to copy", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("drivers", skip, { browser: withClipboard })
    for (const [name, part] of [
      ["JavaScript", `new DriverRemoteConnection("ws://${authority}/gremlin", { traversalSource: "g" })`],
      ["Python", `DriverRemoteConnection("ws://${authority}/gremlin", "g")`],
      ["HTTP", `http://${authority}/gremlin`]
    ] as const) {
      await whilePressing(page.getByText("Copied").first(), () =>
        page.getByRole("button", { name: `Copy: ${name}` }).click()
      )
      // The word may still be that of the button before.
      await expect.poll(() => clipboard(page)).toContain(part)
    }
    expectClean()
  })
})
