import type { Locator, Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { both, onLmdb, place, start, tinkerGraph, value } from "../packed/Programs.ts"
import { openPage } from "./Browser.ts"
import { savedBy, useBrowser } from "./Console.ts"
import { showView } from "./Pages.ts"

const { browserOf, opened } = useBrowser()

/** Drops a file on a place of the page, as a mouse does. */
const dropOn = async (page: Page, place: Locator, name: string, text: string): Promise<void> => {
  const files = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text!], name!))
      return transfer
    },
    [name, text]
  )
  for (const type of ["dragover", "drop"]) await place.dispatchEvent(type, { dataTransfer: files })
}

const field = (page: Page): Locator => page.getByText("Drop a CSV")
const importButton = (page: Page): Locator => page.getByRole("button", { name: "Import", exact: true })

const graphml = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="labelV" for="node" attr.name="labelV" attr.type="string"/><key id="labelE" for="edge" attr.name="labelE" attr.type="string"/>
<key id="age" for="node" attr.name="age" attr.type="int"/><key id="w" for="edge" attr.name="weight" attr.type="double"/>
<graph id="G" edgedefault="directed">
<node id="1"><data key="labelV">person</data><data key="age">29</data></node><node id="2"><data key="labelV">person</data></node>
<edge id="7" source="1" target="2"><data key="labelE">knows</data><data key="w">0.5</data></edge>
</graph></graphml>`

const graphson =
  '{"id":{"@type":"g:Int64","@value":1},"label":"person","outE":{"knows":[{"id":{"@type":"g:Int64","@value":9},"inV":{"@type":"g:Int64","@value":2},"properties":{"weight":{"@type":"g:Double","@value":0.5}}}]},"properties":{"age":[{"id":{"@type":"g:Int64","@value":0},"value":{"@type":"g:Int32","@value":29}}]}}\n' +
  '{"id":{"@type":"g:Int64","@value":2},"label":"person"}\n'

describe("The data view", () => {
  for (const [name, text] of [
    ["people.graphml", graphml],
    ["people.json", graphson]
  ] as const) {
    it(`imports a file by drag and drop, with a preview of keys and types: ${name}`, async ({ skip }) => {
      const { authority, expectClean, page } = await opened(`drop-${name}`, skip, { script: "" })
      await showView(page, "Data")
      await dropOn(page, field(page), name, text)
      await page.getByRole("columnheader", { name: /age/ }).waitFor()
      await page.getByText("2 vertices, 1 edges").waitFor()
      await importButton(page).click()
      await page.getByText("Loaded 2 vertices and 1 edges.").waitFor()
      expect(await page.getByRole("progressbar").evaluate((bar) => (bar as HTMLProgressElement).position)).toBe(1)
      expect(await value(authority, "g.E().hasLabel('knows').values('weight')")).toEqual([0.5])
      expect(await value(authority, "g.V().hasLabel('person').values('age')")).toEqual([29])
      await page.getByRole("button", { name: "See the graph" }).click()
      await page.getByText("2 vertices, 1 edges").waitFor()
      expectClean()
    })
  }

  it("refuses a broken file with its reason, and imports nothing of it", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("broken", skip, { script: "" })
    await showView(page, "Data")
    for (const [name, text, reason] of [
      ["a.graphml", "<graphml><node></graphml>", "cannot be read"],
      ["a.json", "{", "cannot be read"],
      ["a.csv", 'name\n"Ada', "unfinished quote"],
      ["a.txt", "x", "its name must end in"]
    ] as const) {
      await dropOn(page, field(page), name, text)
      await page.getByRole("alert").filter({ hasText: reason }).waitFor()
      expect(await importButton(page).count()).toBe(0)
    }
    await dropOn(page, field(page), "e.csv", "from,to\n1,2\n")
    await importButton(page).click()
    await page.getByRole("alert").filter({ hasText: "import its vertices first" }).waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([0])
    expectClean()
  })

  it("shows the progress of a long import, and imports nothing while Read only is on", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("long", skip, { graph: onLmdb, script: "" })
    await showView(page, "Data")
    const rows = Array.from({ length: 5_000 }, (_, row) => `name ${row},${row}`)
    await dropOn(page, field(page), "things.csv", ["name,number", ...rows].join("\n"))
    const seen = page.evaluate(
      () =>
        new Promise<ReadonlyArray<string>>((resolve) => {
          const texts: Array<string> = []
          new MutationObserver(() => {
            const text = document.querySelector("[role=status]")?.textContent ?? ""
            if (texts.at(-1) !== text) texts.push(text)
            if (text.startsWith("Loaded")) resolve(texts)
          }).observe(document.body, { childList: true, subtree: true, characterData: true })
        })
    )
    await importButton(page).click()
    const steps = (await seen).flatMap((text) => /^([\d,]+) of 5,000 elements$/.exec(text)?.[1] ?? [])
    const counts = steps.map((step) => Number(step.replaceAll(",", "")))
    expect(counts.length).toBeGreaterThan(3)
    expect([...counts].sort((a, b) => a - b)).toEqual(counts)
    expect(await value(authority, "g.V().hasLabel('things').count()")).toEqual([5_000])
    await showView(page, "Query")
    await page.getByRole("checkbox", { name: "Read only" }).check()
    await showView(page, "Data")
    expect(await page.getByRole("button", { name: /modern/ }).isDisabled()).toBe(true)
    await page.getByText("Switch it off on the Query page").waitFor()
    expectClean()
  })

  it("joins edges only to vertices of files for the same source, and only while they are in the graph", async ({
    skip
  }) => {
    const browser = browserOf(skip)
    const { authority } = await start(place("two", both, { first: tinkerGraph, second: tinkerGraph }))
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    const choose = async (name: string): Promise<void> => {
      await showView(page, "Query")
      await page.getByLabel("Traversal source").selectOption(name)
      await showView(page, "Data")
    }
    const alert = (text: string) => page.getByRole("alert").filter({ hasText: text }).waitFor()
    await choose("g_first")
    await dropOn(page, field(page), "v.csv", "id,name\n1,Ada\n2,Grace\n")
    await page.getByText("It is not stored").waitFor()
    await importButton(page).click()
    await page.getByText("Loaded 2 vertices and 0 edges.").waitFor()
    // The other graph has vertices with the same ids.
    await value(authority, "g_second.addV().iterate(); g_second.addV().iterate(); 1")
    await choose("g_second")
    await dropOn(page, field(page), "e.csv", "from,to\n1,2\n")
    await importButton(page).click()
    await alert("import its vertices first")
    await choose("g_first")
    await value(authority, "g_first.V().drop()")
    await dropOn(page, field(page), "e.csv", "from,to\n1,2\n")
    await importButton(page).click()
    await alert("A vertex of an edge is no longer in the graph")
    expect(await value(authority, "[g_first.E().count().next(), g_second.E().count().next()]")).toEqual([0, 0])
    expectClean()
  })

  it("exports the graph, and imports its own GraphML again", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("export", skip)
    await showView(page, "Data")
    const button = (name: string) => page.getByRole("button", { name, exact: true })
    const xml = await savedBy(page, () => button("GraphML").click())
    const csv = await savedBy(page, () => button("CSV").click())
    expect(csv.split("\r\n")[0]).toBe("id,label,name,age,lang,from,to,weight")
    expect(csv.split("\r\n")).toHaveLength(13)
    expect(JSON.parse(await savedBy(page, () => button("JSON").click()))).toHaveLength(12)
    await dropOn(page, field(page), "again.graphml", xml)
    await importButton(page).click()
    await page.getByText("Loaded 6 vertices and 6 edges.").waitFor()
    const twice = "g.V().has('name', 'marko').outE('knows').has('weight', 0.5).inV().values('age')"
    expect(await value(authority, twice)).toEqual([27, 27])
    expectClean()
  })
})
