import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { savedBy, useBrowser } from "./Console.ts"
import { logIn, runQuery, showView } from "./Pages.ts"

const { opened } = useBrowser()

const hostile = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`
/** The same in a script. */
const literal = `"${hostile.replaceAll('"', '\\"')}"`

const views = ["Query", "Schema", "Live", "Data", "History"] as const

/** Records dialogs as faults. */
const watchDialogs = (page: Page, faults: Array<string>): void => {
  page.on("dialog", (dialog) => {
    faults.push(dialog.message())
    void dialog.dismiss()
  })
}

const expectText = async (page: Page): Promise<void> => {
  expect(await page.locator("img, script:not([type=module])").count()).toBe(0)
}

describe("A hostile text", () => {
  it("stays text as an id, a key, a value of a list or a map, and in an error", async ({ skip }) => {
    const { expectClean, faults, page } = await opened("hostile-ids", skip, {
      script: `t = ${literal}; g.addV('a').property(T.id, t).property('name', t).as('a').addE(t).to('a').property(t, t).iterate(); 1`
    })
    watchDialogs(page, faults)
    await runQuery(page, "g.V()")
    await page.getByText("1 vertex, 1 edge").waitFor()
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    await page.getByRole("definition").filter({ hasText: hostile }).first().waitFor()
    await page.getByText("Vertices", { exact: true }).click()
    await page.getByRole("cell", { name: hostile, exact: true }).first().waitFor()
    await expectText(page)
    // One file after the other: two that wait for a download at the same time get the same one.
    for (const [name, root] of [
      ["SVG", "svg"],
      ["GraphML", "graphml"]
    ] as const) {
      const xml = await savedBy(page, () => page.getByRole("button", { name }).click())
      const found = await page.evaluate((text) => {
        const document = new DOMParser().parseFromString(text, "application/xml")
        return [document.documentElement.tagName, document.querySelector("parsererror, img, script")?.outerHTML]
      }, xml)
      expect(found).toEqual([root, undefined])
    }
    await runQuery(page, `g.V().property('name', '\\u0001').property('\\u0001', 1)`)
    await page.getByText("1 vertex, 1 edge").waitFor()
    await page.getByRole("button", { name: "GraphML" }).click()
    await page.getByText("has a character that XML cannot hold").waitFor()
    const svg = await savedBy(page, () => page.getByRole("button", { name: "SVG" }).click())
    await page.getByText("The file has \ufffd in place of characters that XML cannot hold.").waitFor()
    expect(svg).toContain(">\ufffd</text>")
    const results = page.getByRole("region", { name: "Results", exact: true })
    for (const [at, query] of [
      (text: string) => `[[(${text}): [${text}, [${text}: 1]]], ${text}]`,
      (text: string) => `g.V().project(${text}, 'b').by('name').by(T.id)`,
      (text: string) => `g.V().fail(${text})`,
      (text: string) => `throw new IllegalStateException(${text})`
    ].entries()) {
      await runQuery(page, query(literal.replace(/"$/, `${at}"`)))
      await results.getByText(`${hostile}${at}`).first().waitFor()
      await expectText(page)
    }
    expectClean()
  })

  it("stays text in every answer of the server: names of graphs, users, requests, metrics and messages", async ({
    skip
  }) => {
    const { expectClean, faults, page } = await opened("hostile-answers", skip)
    watchDialogs(page, faults)
    const about = {
      sources: [{ name: hostile, graph: hostile }],
      webSocket: true,
      user: hostile,
      givesTokens: false,
      operates: true
    }
    const query = { requestId: hostile, state: hostile, elapsed: 1, user: hostile, step: hostile, request: hostile }
    const ended = { ...query, endedAt: Date.now(), status: 200, rows: 1 }
    const answers: Readonly<Record<string, unknown>> = {
      "**/console/sources": about,
      "**/console/recent": { now: Date.now(), intervals: [], slow: [ended] },
      "**/gremlin/status": { queries: [query] },
      "**/log-level": { level: hostile, configured: hostile, levels: [hostile] }
    }
    for (const [path, json] of Object.entries(answers)) await page.route(path, (route) => route.fulfill({ json }))
    await page.reload()
    await page.getByText(hostile).first().waitFor()
    await page.getByRole("button", { name: "Copy: HTTP" }).waitFor()
    for (const view of views) {
      await showView(page, view)
      if (view === "Live") {
        await page.getByRole("heading", { name: "Slow queries of the last ten minutes" }).waitFor()
        await page.getByLabel("Level").waitFor()
      }
      await expectText(page)
    }
    await showView(page, "Query")
    // Every answer is an error now.
    for (const path of Object.keys(answers)) {
      await page.unroute(path)
      await page.route(path, (route) => route.fulfill({ status: 500, json: { message: hostile } }))
    }
    await page.reload()
    await page.getByRole("alert").filter({ hasText: hostile }).waitFor()
    await expectText(page)
    await page.unroute("**/console/sources")
    await page.route("**/console/sources", (route) => route.fulfill({ status: 401, json: { message: hostile } }))
    await page.reload()
    await logIn(page, hostile, hostile)
    await page.getByRole("alert").filter({ hasText: hostile }).waitFor()
    await expectText(page)
    expectClean()
  })
})
