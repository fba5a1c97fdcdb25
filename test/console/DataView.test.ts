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
      await page.getByText("2 vertices, 1 edge").waitFor()
      await importButton(page).click()
      await page.getByText("Loaded 2 vertices and 1 edge.").waitFor()
      expect(await page.getByRole("progressbar").evaluate((bar) => (bar as HTMLProgressElement).position)).toBe(1)
      expect(await value(authority, "g.E().hasLabel('knows').values('weight')")).toEqual([0.5])
      expect(await value(authority, "g.V().hasLabel('person').values('age')")).toEqual([29])
      await page.getByRole("button", { name: "See the graph" }).click()
      await page.getByText("2 vertices, 1 edge").waitFor()
      expectClean()
    })
  }

  it("reads a file once, and not again after each batch of its import", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("batches", skip, { script: "" })
    await showView(page, "Data")
    const text = `id,n\n${Array.from({ length: 1_000 }, (_, at) => `${at},${at}`).join("\n")}\n`
    await page.evaluate((length) => {
      const { replace } = String.prototype
      Object.assign(globalThis, { timesRead: 0 })
      Object.assign(String.prototype, {
        replace(this: string, ...args: Parameters<typeof replace>) {
          if (this.length === length) (globalThis as unknown as { timesRead: number }).timesRead++
          return replace.apply(this, args)
        }
      })
    }, text.length)
    await dropOn(page, field(page), "many.csv", text)
    await page.getByText("1,000 vertices, 0 edges").waitFor()
    await importButton(page).click()
    await page.getByText("Loaded 1,000 vertices and 0 edges.").waitFor()
    // Once when the file is chosen, and once for the label that its name gives.
    expect(await page.evaluate(() => (globalThis as unknown as { timesRead: number }).timesRead)).toBeLessThanOrEqual(2)
    expect(await value(authority, "g.V().count()")).toEqual([1_000])
    expectClean()
  })

  it("keeps the types, the several values and the meta-properties of GraphSON", async ({ skip }) => {
    for (const [name, graph] of [
      ["memory", tinkerGraph],
      ["disk", onLmdb]
    ] as const) {
      const { authority, expectClean, page } = await opened(`typed-${name}`, skip, { script: "", graph })
      const typed = (type: string, value: unknown) => ({ "@type": type, "@value": value })
      const phone = [{ value: "1", properties: { since: typed("g:Int32", 2009) } }, { value: "2" }]
      const one = { id: 1, label: "a", properties: { w: [{ value: typed("g:Double", 1) }], phone: [{ value: "0" }] } }
      const two = { id: 2, label: "a", properties: { phone, born: [{ value: typed("g:Date", 1_000) }] } }
      await showView(page, "Data")
      await dropOn(page, field(page), "a.json", `${JSON.stringify(one)}\n${JSON.stringify(two)}\n`)
      await importButton(page).click()
      await page.getByText("Loaded 2 vertices and 0 edges.").waitFor()
      expect(await value(authority, "g.V().values('w').is(P.typeOf(GType.DOUBLE)).count()")).toEqual([1])
      expect(await value(authority, "g.V().values('born')")).toEqual([1_000])
      expect(await value(authority, "g.V().values('phone').order()")).toEqual(["0", "1", "2"])
      expect(await value(authority, "g.V().properties('phone').has('since', 2009).value()")).toEqual(["1"])
      expectClean()
    }
  })

  it("gives all values of a column one type, which a graph on disk needs", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("column", skip, { script: "", graph: onLmdb })
    await showView(page, "Data")
    await dropOn(page, field(page), "goods.csv", "name,price,sold\na,1,2\nb,2.5,3000000000\n")
    expect(await page.getByLabel("Type of price").inputValue()).toBe("double")
    expect(await page.getByLabel("Type of sold").inputValue()).toBe("long")
    await importButton(page).click()
    await page.getByText("Loaded 2 vertices and 0 edges.").waitFor()
    expect(await value(authority, "g.V().values('price').is(P.typeOf(GType.DOUBLE)).sum()")).toEqual([3.5])
    expect(await value(authority, "g.V().values('sold').is(P.typeOf(GType.LONG)).sum()")).toEqual([3_000_000_002])
    expectClean()
  })

  it("says how many elements stay in the graph when an import fails in its middle", async ({ skip }) => {
    const script =
      "m = graph.openManagement(); k = m.makePropertyKey('name').dataType(String.class).make(); m.buildIndex('byName', Vertex.class).addKey(k).unique().buildCompositeIndex(); m.commit(); 1"
    const { authority, expectClean, page } = await opened("middle", skip, { script, graph: onLmdb })
    await showView(page, "Data")
    const rows = Array.from({ length: 250 }, (_, row) => `name ${row === 249 ? 0 : row}`)
    await dropOn(page, field(page), "things.csv", ["name", ...rows].join("\n"))
    await importButton(page).click()
    await page.getByRole("alert").filter({ hasText: "200 of 250 elements were made before the error" }).waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([200])
    expectClean()
  })

  it("closes the preview after an import, and says when the same file is chosen again", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("again", skip, { script: "" })
    await showView(page, "Data")
    const repeated = page.getByText("A file with this content is in the graph already.")
    await dropOn(page, field(page), "people.csv", "name\nAda\n")
    await page.getByRole("heading", { name: "people.csv" }).waitFor()
    expect(await repeated.count()).toBe(0)
    await importButton(page).click()
    await page.getByText("Loaded 1 vertex and 0 edges.").waitFor()
    await importButton(page).waitFor({ state: "detached" })
    await dropOn(page, field(page), "people.csv", "name\nAda\n")
    await repeated.waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([1])
    expectClean()
  })

  it("refuses a broken file with its reason, and imports nothing of it", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("broken", skip, { script: "" })
    await showView(page, "Data")
    for (const [name, text, reason] of [
      ["a.graphml", "<graphml><node></graphml>", "cannot be read"],
      ["a.json", "{", "cannot be read"],
      ["a.csv", 'name\n"Ada', "unfinished quote"],
      ["a.txt", "x", "its name must end in"],
      [
        "a.xml",
        '<graphml><key id="k" attr.type="date"/><node id="1"><data key="k">1</data></node></graphml>',
        "the type date"
      ]
    ] as const) {
      await dropOn(page, field(page), name, text)
      await page.getByRole("alert").filter({ hasText: reason }).waitFor()
      expect(await importButton(page).count()).toBe(0)
    }
    // "Zoë" in ISO 8859-1.
    const buffer = Buffer.from("name\nZo\u00eb\n", "latin1")
    await page.locator("input[type=file]").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer })
    await page.getByRole("alert").filter({ hasText: "it is not in UTF-8" }).waitFor()
    for (const [text, cell, reason] of [
      ["from,to\n1,2\n", "2", "import its vertices first"],
      ["id,name\n1,Ada\n1,Grace\n", "Grace", "Two vertices of the file have the id 1"]
    ] as const) {
      await dropOn(page, field(page), "e.csv", text)
      // The button is that of this file when its preview is shown.
      await page.getByRole("cell", { name: cell, exact: true }).first().waitFor()
      await importButton(page).click()
      await page.getByRole("alert").filter({ hasText: reason }).waitFor()
    }
    expect(await value(authority, "g.V().count()")).toEqual([0])
    expectClean()
  })

  it("says that the graph has a sample, and loads it once more only when asked", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("samples", skip, { script: "" })
    await showView(page, "Data")
    const routes = page.getByRole("button", { name: /air routes/ })
    // Two clicks in one turn load it once.
    await routes.evaluate((button) => {
      for (let i = 0; i < 2; i++) (button as HTMLButtonElement).click()
    })
    await page.getByText("Loaded 32 vertices").waitFor()
    await page.reload()
    await showView(page, "Data")
    await routes.click()
    await page.getByText("The graph has this sample already.").waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([32])
    await page.getByRole("button", { name: "Load it once more" }).click()
    await page.getByText("Loaded 32 vertices").waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([64])
    expect(await page.getByRole("button", { name: "Load it once more" }).count()).toBe(0)
    await page.getByRole("button", { name: /modern/ }).click()
    await page.getByText("Loaded 6 vertices").waitFor()
    expectClean()
  })

  it("loads a sample into the source of the click, although the user chooses another one during the search", async ({
    skip
  }) => {
    const browser = browserOf(skip)
    const { authority } = await start(
      place("chosen", "channelizer: HttpChannelizer\n", { first: tinkerGraph, second: tinkerGraph })
    )
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      void page.route("**/*", (route) => {
        if (!(route.request().postData() ?? "").includes("ofLabel")) return route.continue()
        release = () => void route.continue()
        resolve()
      })
    })
    await showView(page, "Query")
    await page.getByLabel("Traversal source").selectOption("g_first")
    await showView(page, "Data")
    await page.getByRole("button", { name: /modern/ }).click()
    await held
    await showView(page, "Query")
    await page.getByLabel("Traversal source").selectOption("g_second")
    release()
    await expect.poll(() => value(authority, "g_first.E().count()")).toEqual([6])
    expect(await value(authority, "[g_first.V().count().next(), g_second.V().count().next()]")).toEqual([6, 0])
    expectClean()
  })

  it("joins the edges of a file to vertices of the graph by a key", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("keys", skip, {
      script:
        "g.addV().property('code', 'a').addV().property('code', 'b').addV().property('nr', 7).addV().property('code', 'a')"
    })
    await showView(page, "Data")
    const key = page.getByLabel("Find vertices by the key")
    /** Imports a file with a cell that the file before does not have: the button is that of the file whose preview is shown. */
    const put = async (text: string, cell: string, name: string): Promise<void> => {
      await dropOn(page, field(page), "route.csv", text)
      await page.getByRole("cell", { name: cell, exact: true }).first().waitFor()
      await key.fill(name)
      await importButton(page).click()
    }
    for (const [text, cell, reason] of [
      ["from,to\nb,c\n", "c", "a vertex with the code c, which the graph does not have"],
      ["from,to\nb,a\n", "a", "Several vertices have the code a"],
      ["from,to\n007,007\n", "007", "a vertex with the nr 007, which the graph does not have"],
      ["from,to\n7.00,7\n", "7.00", "a vertex with the nr 7.00, which the graph does not have"]
    ] as const) {
      await put(text, cell, reason.includes(" nr ") ? "nr" : "code")
      await page.getByRole("alert").filter({ hasText: reason }).waitFor()
    }
    await put("from,to,km\nb,b,5\n", "5", "code")
    await page.getByText("Loaded 0 vertices and 1 edge.").waitFor()
    await put("from,to\n7,7.0\n", "7.0", "nr")
    await page.getByText("Loaded 0 vertices and 1 edge.").waitFor()
    // The sentence may still be that of the file before.
    await expect.poll(() => value(authority, "g.E().outV().values().fold()")).toEqual([["b", 7]])
    expect(await value(authority, "g.E().hasLabel('route').values('km')")).toEqual([5])
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
