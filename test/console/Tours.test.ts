import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { post } from "../layers/support/HttpClient.ts"
import { endless } from "../layers/support/TestServers.ts"
import { value } from "../packed/Programs.ts"
import { savedBy, useBrowser } from "./Console.ts"
import { killButton, whilePressing } from "./Pages.ts"

const { opened } = useBrowser()

/** What a page tells about its elements by their names. */
interface Names {
  /** The name of the element that has the focus. */
  readonly focused: string
  /** Whether the keyboard can reach an element with the name. */
  readonly isThere: boolean
}

const look = (page: Page, name: string): Promise<Names> =>
  page.evaluate((wanted) => {
    const nameOf = (element: Element | null): string => {
      const label = element?.getAttribute("aria-label") ?? element?.closest("label")?.textContent
      return (label ?? element?.textContent ?? "").replaceAll(/\s+/g, " ").trim()
    }
    const host = document.activeElement
    const reachable = "button, input, select, summary, canvas, .cm-content"
    const inside = Array.from(document.querySelectorAll(".editor"), ({ shadowRoot }) => shadowRoot)
    const elements = [document, ...inside].flatMap((root) => Array.from(root?.querySelectorAll(reachable) ?? []))
    return {
      focused: nameOf(host?.shadowRoot?.activeElement ?? host),
      isThere: elements.some((element) => nameOf(element) === wanted && !element.matches(":disabled"))
    }
  }, name)

/** Presses Tab, or Shift+Tab, until the element with this name has the focus. */
const reach = async (page: Page, name: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> => {
  // What a server has not answered yet is not in the page: keys would pass its place.
  await expect.poll(async () => (await look(page, name)).isThere, { message: `${name} is there` }).toBe(true)
  for (let presses = 0; presses < 80; presses++) {
    if ((await look(page, name)).focused === name) return
    await page.keyboard.press(key)
  }
  throw new Error(`no press of ${key} leads to ${name}`)
}

/** Opens a view by the arrows of the navigation, whose button has the focus. */
const nextView = async (page: Page): Promise<void> => {
  await page.keyboard.press("ArrowRight")
}

describe("A tour by keyboard alone", () => {
  it("runs, stops and keeps a query, and uses the schema, the live view, the data and the history", async ({
    skip
  }) => {
    const { authority, expectClean, page } = await opened("keys", skip)
    const { keyboard } = page
    // The editor has the focus.
    await keyboard.press("Control+a")
    await keyboard.type("g.V().has('name', 'marko'")
    await keyboard.press("Control+Enter")
    await page.getByText("1 vertex, 0 edges").waitFor()
    await reach(page, "Drawing of the graph. The table below it has the same vertices.")
    for (const key of ["n", "+", "ArrowLeft", "-"]) await keyboard.press(key)
    await reach(page, "out knows 2")
    await keyboard.press("Enter")
    await page.getByText("3 vertices, 2 edges").waitFor()
    await reach(page, "Undo", "Shift+Tab")
    await keyboard.press("Space")
    await page.getByText("1 vertex, 0 edges").waitFor()
    await reach(page, "Table", "Shift+Tab")
    await keyboard.press("Enter")
    await page.getByRole("cell", { name: "marko" }).waitFor()
    await reach(page, "Save", "Shift+Tab")
    await whilePressing(page.getByText("Saved", { exact: true }), () => keyboard.press("Enter"))
    await reach(page, "Gremlin query", "Shift+Tab")
    await keyboard.press("Control+a")
    await keyboard.type(endless)
    await keyboard.press("Control+Enter")
    await page.getByText("Running").waitFor()
    await reach(page, "Stop")
    await keyboard.press("Enter")
    await page.getByText("stopped").waitFor()
    await reach(page, "Query", "Shift+Tab")
    await nextView(page)
    await page.getByRole("row", { name: "person 4" }).waitFor()
    await reach(page, "Refresh")
    await keyboard.press("Enter")
    await reach(page, "Schema", "Shift+Tab")
    const query = `${endless}.as('other')`
    const other = post(authority, query)
    await nextView(page)
    await killButton(page, query).waitFor()
    await reach(page, `Kill: ${query}`)
    await keyboard.press("Enter")
    expect((await other).json["Exception-Class"]).toBe("EvaluationCancelled")
    await reach(page, "Live", "Shift+Tab")
    await nextView(page)
    await reach(page, "Load “modern” (6 vertices)")
    await keyboard.press("Enter")
    await page.getByText("The graph has this sample already.").waitFor()
    await reach(page, "Load it once more")
    await keyboard.press("Enter")
    await page.getByText("Loaded 6 vertices and 6 edges.").waitFor()
    await reach(page, "See the graph")
    await keyboard.press("Enter")
    await page.getByText("12 vertices, 12 edges").waitFor()
    await reach(page, "Query", "Shift+Tab")
    await keyboard.press("ArrowLeft")
    await page.getByRole("heading", { name: "Saved queries" }).waitFor()
    await reach(page, "g.V().has('name', 'marko')")
    await keyboard.press("Enter")
    await page.getByRole("textbox", { name: "Gremlin query" }).filter({ hasText: "marko" }).waitFor()
    expectClean()
  })
})

describe("A tour by mouse", () => {
  it("opens every view and uses its buttons", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("clicks", skip)
    const click = (name: string) => page.getByRole("button", { name, exact: true }).click()
    await click("g.V().has('name', TextP.containing('a')).limit(25)")
    await page.getByText("2 vertices, 1 edge").waitFor()
    await page.reload()
    await click("g.V().groupCount().by(label)")
    await page.getByRole("img", { name: "person: 4" }).waitFor()
    await click("Table")
    await click("JSON")
    await page.getByText('"person": 4').waitFor()
    await click("Chart")
    await click("Explain")
    await page.getByRole("heading", { name: "Traversal as it runs" }).waitFor()
    await click("Profile")
    await page.getByText("Without profile()").waitFor()
    await click("Run")
    await page.getByRole("img", { name: "person: 4" }).waitFor()
    await click("Save")
    await click("Schema")
    await click("Refresh")
    await page.getByRole("img", { name: /person created software/ }).waitFor()
    await click("Live")
    await page.getByText("No query is running.").waitFor()
    await click("Data")
    await click("Load “air routes” (32 airports)")
    await page.getByText("Loaded 32 vertices").waitFor()
    expect(await savedBy(page, () => click("CSV"))).toContain("ATL")
    await click("See the graph")
    await page.getByText(/^38 vertices, \d+ edges$/).waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([38])
    await click("History")
    await click("Clear the history")
    await page.getByText("No queries yet.").waitFor()
    await page.getByRole("button", { name: "g.V().groupCount().by(label)", exact: true }).click()
    await page.getByRole("textbox", { name: "Gremlin query" }).filter({ hasText: "groupCount" }).waitFor()
    expectClean()
  })

  it("sorts, filters and copies a table, and sees a line of numbers over time", async ({ skip }) => {
    const { expectClean, page } = await opened("table", skip, {
      browser: { permissions: ["clipboard-read", "clipboard-write"] }
    })
    const run = async (query: string): Promise<void> => {
      await page.getByRole("textbox", { name: "Gremlin query" }).click()
      await page.keyboard.press("Control+a")
      await page.keyboard.press("Delete")
      await page.keyboard.insertText(query)
      await page.getByRole("button", { name: "Run" }).click()
    }
    await run("g.V().hasLabel('person').order().by('name').project('name', 'age').by('name').by('age')")
    await page.getByRole("button", { name: "Table", exact: true }).click()
    const names = () => page.locator("tbody tr td:first-child").allTextContents()
    await page.getByRole("cell", { name: "josh" }).waitFor()
    expect(await names()).toEqual(["josh", "marko", "peter", "vadas"])
    const sort = page.getByRole("columnheader", { name: /^age/ }).getByRole("button")
    for (const order of [
      ["vadas", "marko", "josh", "peter"],
      ["peter", "josh", "marko", "vadas"],
      ["josh", "marko", "peter", "vadas"]
    ]) {
      await sort.click()
      await expect.poll(names).toEqual(order)
    }
    await whilePressing(page.getByText("Copied"), () => page.getByRole("button", { name: "Copy", exact: true }).click())
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      "name\tage\njosh\t32\nmarko\t29\npeter\t35\nvadas\t27"
    )
    await page.getByRole("searchbox").fill("3")
    await page.getByText("2 of 4 rows").waitFor()
    await run("[['2024-01', 3], ['2024-02', 5], ['2024-03', 4]].collect{ [month: it[0], count: it[1]] }")
    await page.getByRole("button", { name: "Chart", exact: true }).click()
    await page.getByRole("img", { name: "2024-01: 3, 2024-02: 5, 2024-03: 4" }).waitFor()
    const line = await page.locator("path.line").getAttribute("d")
    const heights = [...line!.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y))
    // A larger number is further up.
    expect(heights.map((_, at) => [...heights].sort((a, b) => b - a).indexOf(heights[at]!))).toEqual([0, 2, 1])
    expectClean()
  })
})
