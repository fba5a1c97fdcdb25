import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { onLmdb, tinkerGraph, value } from "../packed/Programs.ts"
import { expectShortTasks, savedBy, useBrowser, watchTasks } from "./Console.ts"
import { runQuery, showView } from "./Pages.ts"

const { opened } = useBrowser()

/** A vertex or the name of an edge in a saved SVG. */
interface Shape {
  readonly x: number
  readonly y: number
  readonly colour: string
  readonly caption: string
}

/** The drawing as its SVG has it. */
const drawing = async (page: Page): Promise<{ readonly vertices: ReadonlyArray<Shape>; readonly svg: string }> => {
  const svg = await savedBy(page, () => page.getByRole("button", { name: "SVG" }).click())
  const shapes = svg.matchAll(/<circle cx="([^"]+)" cy="([^"]+)" r="14" fill="([^"]+)"\/><text [^>]*>([^<]*)</g)
  const vertices = Array.from(shapes, ([, x, y, colour, caption]) => ({
    x: Number(x),
    y: Number(y),
    colour: colour!,
    caption: caption!
  }))
  return { vertices, svg }
}

/** The vertices of a drawing by their captions. */
const placesOf = async (page: Page): Promise<ReadonlyMap<string, Shape>> => {
  const { vertices } = await drawing(page)
  return new Map(vertices.map((vertex) => [vertex.caption, vertex]))
}

/** The middle of the canvas, in pixels of the page. */
const middle = async (page: Page): Promise<{ readonly x: number; readonly y: number }> => {
  const box = (await page.locator("canvas").boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const details = (page: Page, label: string) =>
  page.locator(".details").getByRole("heading", { name: label, exact: true })

/** The label of what a click at a point of the page selects, or undefined. Nothing is selected afterwards. */
const selectedAt = async (page: Page, x: number, y: number): Promise<string | undefined> => {
  const box = (await page.locator("canvas").boundingBox())!
  const hint = page.getByText("Select a vertex or an edge")
  await page.mouse.click(x, y)
  // The page has drawn the change after two frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const label = (await hint.isVisible())
    ? undefined
    : ((await page.locator(".details").getByRole("heading").first().textContent()) ?? undefined)
  // A click on the background selects nothing.
  await page.mouse.click(box.x + 5, box.y + 5)
  await hint.waitFor()
  return label
}

/** Whether a click at a point of the page selects the only vertex. Nothing is selected afterwards. */
const isAt = async (page: Page, x: number, y: number, label = "alone"): Promise<boolean> =>
  (await selectedAt(page, x, y)) === label

/** Waits until the only vertex is at a point of the page: a worker of the page computes the places. */
const untilAt = (page: Page, x: number, y: number, label = "alone"): Promise<void> =>
  expect.poll(() => isAt(page, x, y, label)).toBe(true)

describe("The drawing by mouse", () => {
  it("moves a vertex that is dragged, and the view when the background is dragged or the wheel turns", async ({
    skip
  }) => {
    const { expectClean, page } = await opened("mouse", skip, { script: "g.addV('alone')" })
    await runQuery(page, "g.V()")
    await page.getByText("1 vertex, 0 edges").waitFor()
    const { x, y } = await middle(page)
    await untilAt(page, x, y)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y + 30, { steps: 4 })
    await page.mouse.up()
    expect([await isAt(page, x, y), await isAt(page, x + 60, y + 30)]).toEqual([false, true])
    // The background: the vertex moves with the view.
    await page.mouse.move(x - 200, y - 80)
    await page.mouse.down()
    await page.mouse.move(x - 160, y - 90, { steps: 4 })
    await page.mouse.up()
    expect([await isAt(page, x + 60, y + 30), await isAt(page, x + 100, y + 20)]).toEqual([false, true])
    // The wheel: what is under the mouse stays, and all else moves away from it.
    await page.mouse.move(x, y)
    for (let turns = 0; turns < 5; turns++) await page.mouse.wheel(0, -100)
    const factor = 1.15 ** 5
    expect([await isAt(page, x + 100, y + 20), await isAt(page, x + 100 * factor, y + 20 * factor)]).toEqual([
      false,
      true
    ])
    await page.getByRole("button", { name: "Fit" }).click()
    await untilAt(page, x, y)
    // The drag can be undone.
    const moved = (await drawing(page)).vertices[0]!
    await page.getByRole("button", { name: "Undo" }).click()
    const back = (await drawing(page)).vertices[0]!
    expect([back.x, back.y]).not.toEqual([moved.x, moved.y])
    expectClean()
  })

  it("shows the neighbours of a vertex by a double click, and hides a selected one", async ({ skip }) => {
    const { expectClean, page } = await opened("double", skip)
    await runQuery(page, "g.V().has('name', 'josh')")
    await page.getByText("1 vertex, 0 edges").waitFor()
    const { x, y } = await middle(page)
    await untilAt(page, x, y, "person")
    await page.mouse.dblclick(x, y)
    await page.getByText("4 vertices, 3 edges").waitFor()
    await page.getByText("Vertices", { exact: true }).click()
    const row = (name: string) => page.getByRole("row").getByRole("button", { name, exact: true })
    await row("marko").click()
    expect(await row("marko").getAttribute("aria-pressed")).toBe("true")
    await page.getByRole("button", { name: "Hide" }).click()
    await page.getByText("3 vertices, 2 edges").waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("4 vertices, 3 edges").waitFor()
    expectClean()
  })
})

describe("The layouts", () => {
  it("tree and radial place the vertices by their distance from the root", async ({ skip }) => {
    const { expectClean, page } = await opened("layouts", skip)
    await runQuery(page, "g.V().has('name', 'marko').repeat(__.outE().inV()).emit().path()")
    await page.getByText("5 vertices, 5 edges").waitFor()
    const rows = [["marko"], ["vadas", "josh", "lop"], ["ripple"]]
    await page.getByLabel("Layout").selectOption("tree")
    const tree = await placesOf(page)
    for (const [level, names] of rows.entries())
      for (const name of names) expect([name, tree.get(name)?.y]).toEqual([name, level * 110])
    expect(Math.abs(tree.get("vadas")!.x - tree.get("josh")!.x)).toBeGreaterThanOrEqual(60)
    await page.getByLabel("Layout").selectOption("radial")
    const radial = await placesOf(page)
    for (const [level, names] of rows.entries()) {
      for (const name of names) {
        const { x, y } = radial.get(name)!
        expect([name, Math.round(Math.hypot(x, y))]).toEqual([name, level * 110])
      }
    }
    await page.getByRole("button", { name: "Undo" }).click()
    expect(await page.getByLabel("Layout").inputValue()).toBe("tree")
    expect((await placesOf(page)).get("ripple")?.y).toBe(220)
    await page.getByLabel("Layout").selectOption("force")
    expectClean()
  })
})

describe("A label", () => {
  it("has the colour and the caption that the user chooses, in the drawing and in its SVG", async ({ skip }) => {
    const { expectClean, page } = await opened("styles", skip)
    await runQuery(page, "g.V()")
    await page.getByText("6 vertices, 6 edges").waitFor()
    await page.getByLabel("Colour: person").fill("#123456")
    await page.getByLabel("Caption: person").selectOption("age")
    await page.getByLabel("Caption: software").selectOption("label")
    const { vertices } = await drawing(page)
    const of = (colour: string) => vertices.filter((vertex) => vertex.colour === colour).map(({ caption }) => caption)
    expect([...of("#123456")].sort()).toEqual(["27", "29", "32", "35"])
    expect(vertices.filter(({ caption }) => caption === "software")).toHaveLength(2)
    await page.getByText("Vertices", { exact: true }).click()
    await page.getByRole("row", { name: "29 person" }).waitFor()
    expectClean()
  })
})

describe("The drawing", () => {
  it("has the properties of vertices also when the result has only their edges, as on disk", async ({ skip }) => {
    const { expectClean, page } = await opened("bare", skip, { graph: onLmdb })
    await runQuery(page, "g.E().hasLabel('knows')")
    await page.getByText("3 vertices, 2 edges").waitFor()
    await page.getByText("Vertices", { exact: true }).click()
    for (const name of ["marko", "vadas", "josh"]) await page.getByRole("row", { name: `${name} person` }).waitFor()
    expectClean()
  })

  it("cancels its request for edges between its vertices when it is left", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("left", skip)
    let isHeld = true
    const queries: Array<string> = []
    await page.routeWebSocket("**/gremlin", (client) => {
      const server = client.connectToServer()
      const held = new Set<string>()
      client.onMessage((message) => {
        const [, id, query = ""] =
          /"g:UUID","@value":"([^"]+)".*"(g\.V\(console_ids\)[^"]*)"/.exec(String(message)) ?? []
        if (id !== undefined && isHeld) held.add(id)
        if (id !== undefined) queries.push(query)
        server.send(message)
      })
      server.onMessage((message) => {
        if (![...held].some((id) => String(message).includes(id))) client.send(message)
      })
    })
    await page.reload()
    await runQuery(page, "g.V()")
    await page.getByText("6 vertices, 0 edges").waitFor()
    await expect.poll(() => queries.length).toBe(1)
    const cancelled = page.waitForRequest((request) => request.method() === "DELETE")
    await showView(page, "Data")
    await cancelled
    isHeld = false
    await showView(page, "Query")
    await page.getByText("6 vertices, 6 edges").waitFor()
    expect(queries).toHaveLength(2)
    const [query = ""] = queries
    const read = query.replaceAll("console_ids", "g.V().id().fold().next()")
    const small = read.replace("limit(1000)", "limit(1)").replace("range(1000, 1001)", "range(1, 2)")
    // One edge of each of three vertices, and one mark that two of them have more.
    expect(await value(authority, `[${read}.count().next(), ${small}.count().next()]`)).toEqual([6, 4])
    expectClean()
  })

  it("says that edges between its vertices may be missing", async ({ skip }) => {
    const { expectClean, page } = await opened("partly", skip)
    const smaller: Array<readonly [RegExp, string]> = [
      [/limit\(1000\)(.*)range\(1000, 1001\)/, "limit(1)$1range(1, 2)"],
      [/limit\(2002\)/, "limit(3)"]
    ]
    await page.routeWebSocket("**/gremlin", (client) => {
      const server = client.connectToServer()
      client.onMessage((message) => {
        const changed = smaller.reduce((text, [from, to]) => text.replace(from, to), String(message))
        server.send(Buffer.from(changed))
      })
    })
    await page.reload()
    await runQuery(page, "g.V()")
    await page.getByText("6 vertices, 2 edges").waitFor()
    await page.getByText("read only the first 1,000 edges out of each vertex").waitFor()
    smaller.length = 0
    await runQuery(page, "g.V() ")
    await page.getByText("6 vertices, 6 edges").waitFor()
    expect(await page.getByText("may be missing").count()).toBe(0)
    expectClean()
  })

  it("keeps its canvas at a pixel ratio that is no whole number", async ({ skip }) => {
    const { expectClean, page } = await opened("ratio", skip, { browser: { deviceScaleFactor: 1.1 } })
    await runQuery(page, "g.V()")
    await page.getByText("6 vertices, 6 edges").waitFor()
    await page.getByLabel("Layout").selectOption("tree")
    const sizes = await page.evaluate(async () => {
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let frame = 0; frame < 10; frame++) await nextFrame()
      const canvas = document.querySelector("canvas")!
      const { get, set } = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "width")!
      let count = 0
      Object.defineProperty(HTMLCanvasElement.prototype, "width", {
        configurable: true,
        get,
        set(width: number) {
          count++
          set!.call(this, width)
        }
      })
      for (const key of ["ArrowLeft", "ArrowUp", "ArrowRight"]) {
        canvas.dispatchEvent(new KeyboardEvent("keydown", { key }))
        await nextFrame()
        await nextFrame()
      }
      return { count, isWhole: Number.isInteger(canvas.clientWidth * devicePixelRatio) }
    })
    expect(sizes).toEqual({ count: 0, isWhole: false })
    expectClean()
  })

  it("tells a vertex from an edge with its id, and from a vertex whose id is the text of its id", async ({ skip }) => {
    const graph = [...tinkerGraph, "gremlin.tinkergraph.vertexIdManager=ANY", "gremlin.tinkergraph.edgeIdManager=ANY"]
    const script =
      "g.addV('number').property(id, 1L).as('a').addV('text').property(id, '1').as('b').addE('to').property(id, 1L).from('a').to('b')"
    const { expectClean, page } = await opened("one-id", skip, { graph, script })
    await runQuery(page, "g.V()")
    await page.getByText("2 vertices, 1 edge").waitFor()
    await page.getByLabel("Layout").selectOption("tree")
    // The vertices are above each other, and the middle of the line is between them.
    const { x, y } = await middle(page)
    await expect.poll(() => selectedAt(page, x, y)).toBe("to")
    await page.mouse.click(x, y)
    await details(page, "to").waitFor()
    await page.getByRole("button", { name: "Hide" }).click()
    await page.getByText("2 vertices, 0 edges").waitFor()
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    await details(page, "number").waitFor()
    await page.getByRole("button", { name: "Hide" }).click()
    await page.getByText("1 vertex, 0 edges").waitFor()
    for (let times = 0; times < 2; times++) await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("2 vertices, 1 edge").waitFor()
    await page.getByRole("button", { name: "GraphML" }).click()
    await page.getByText("two vertices have the id 1").waitFor()
    expectClean()
  })

  it("leaves a vertex hidden whose properties arrive later", async ({ skip }) => {
    const { expectClean, page } = await opened("hidden", skip, { graph: onLmdb })
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.routeWebSocket("**/gremlin", (client) => {
      const server = client.connectToServer()
      const held = new Set<string>()
      client.onMessage((message) => {
        const [, id] = /"g:UUID","@value":"([^"]+)".*"g\.V\(console_ids\)"/.exec(String(message)) ?? []
        if (id !== undefined) held.add(id)
        server.send(message)
      })
      server.onMessage(async (message) => {
        if ([...held].some((id) => String(message).includes(id))) await released
        client.send(message)
      })
    })
    await page.reload()
    await runQuery(page, "g.E().hasLabel('knows')")
    await page.getByText("3 vertices, 2 edges").waitFor()
    await page.getByText("Vertices", { exact: true }).click()
    await page.locator(".vertex-table").getByRole("row").last().getByRole("button").click()
    await page.getByRole("button", { name: "Hide" }).click()
    await page.getByText("2 vertices, 1 edge").waitFor()
    expect(await page.getByRole("row", { name: "marko person" }).count()).toBe(0)
    release()
    await page.getByRole("row", { name: "marko person" }).waitFor()
    await page.getByText("2 vertices, 1 edge").waitFor()
    expectClean()
  })

  it("is made of paths, subgraphs and trees of a result", async ({ skip }) => {
    const { expectClean, page } = await opened("forms", skip)
    for (const [query, drawn] of [
      ["g.V().outE('knows').inV().path()", "3 vertices, 2 edges"],
      ["g.E().hasLabel('created').subgraph('s').cap('s')", "5 vertices, 4 edges"],
      ["g.V().has('name', 'josh').outE('created').inV().tree()", "3 vertices, 2 edges"],
      ["g.V().hasLabel('person').group().by('name')", "4 vertices"]
    ] as const) {
      await runQuery(page, query)
      await page.getByText(drawn).waitFor()
    }
    expectClean()
  })

  it("adds a hundred neighbours of a label with each click, and says how many are left", async ({ skip }) => {
    const script = "h = g.addV('hub').next(); for (i in 0..<250) { g.V(h).addE('to').to(__.addV('leaf')).iterate() }; 1"
    const { expectClean, page } = await opened("hub", skip, { graph: onLmdb, script })
    await runQuery(page, "g.V().hasLabel('hub')")
    await page.getByText("1 vertex, 0 edges").waitFor()
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    const more = page.getByRole("button", { name: "out to 250" })
    await more.click()
    await page.getByText("101 vertices, 100 edges").waitFor()
    await page.getByText("100 of 250 edges are drawn. Click again for more.").waitFor()
    await more.click()
    await page.getByText("201 vertices, 200 edges").waitFor()
    await more.click()
    await page.getByText("251 vertices, 250 edges").waitFor()
    await page.getByText("Click again").waitFor({ state: "detached" })
    expectClean()
  })

  it("shows an edge that leads back to its vertex, also in its SVG", async ({ skip }) => {
    const script = "g.addV('a').property('name', 'self').as('a').addE('again').from('a').to('a')"
    const { expectClean, page } = await opened("loop", skip, { script })
    await runQuery(page, "g.V()")
    await page.getByText("1 vertex, 1 edge").waitFor()
    const { svg, vertices } = await drawing(page)
    expect(vertices).toHaveLength(1)
    expect(svg).toContain('r="12" fill="none"')
    expect(svg).not.toContain("NaN")
    expect(svg).toContain(">again</text>")
    // The upper end of the circle, in the drawing that shows the only vertex in its middle.
    const { x, y } = await middle(page)
    const isSelected = async (): Promise<boolean> => {
      await page.mouse.click(x, y - 32 * 1.6)
      return (await details(page, "again").count()) === 1
    }
    await expect.poll(isSelected).toBe(true)
    expectClean()
  })

  it("selects each of several edges between two vertices where its line is bent", async ({ skip }) => {
    const script =
      "g.addV('a').as('a').addV('b').as('b').addE('one').from('a').to('b').addE('two').from('a').to('b').iterate(); 1"
    const { expectClean, page } = await opened("bent", skip, { script })
    await runQuery(page, "g.V()")
    await page.getByText("2 vertices, 2 edges").waitFor()
    await page.getByLabel("Layout").selectOption("tree")
    // The vertices are above each other, and the lines are 8.5 units left and right of the middle.
    const { x, y } = await middle(page)
    // A worker of the page computes the places.
    await expect
      .poll(async () => [await selectedAt(page, x - 8.5 * 1.6, y), await selectedAt(page, x + 8.5 * 1.6, y)].sort())
      .toEqual(["one", "two"])
    expectClean()
  })

  it("shows the meta-properties of properties, in the table and in JSON, too", async ({ skip }) => {
    const script =
      "g.addV('a').property(list, 'name', 'Ada', 'since', 1815, 'of', 'birth').property(list, 'name', 'Countess').property('n', 1)"
    const { expectClean, page } = await opened("meta", skip, { graph: onLmdb, script })
    await runQuery(page, "g.V()")
    await page.getByText("1 vertex, 0 edges").waitFor()
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    const meta = page.getByRole("list", { name: "Properties of name" })
    await expect.poll(() => meta.getByRole("listitem").allTextContents()).toEqual(["since 1815", "of birth"])
    expect(await page.getByRole("definition").allTextContents()).toContain("Countess")
    await page.getByRole("button", { name: "GraphML" }).click()
    await page.getByText("GraphML has one value of a property, and some elements have several of name").waitFor()
    await page.getByRole("button", { name: "Table", exact: true }).click()
    await page.getByRole("columnheader", { name: "name.since" }).waitFor()
    await page.getByRole("cell", { name: "[1815, null]" }).waitFor()
    await page.getByRole("button", { name: "JSON", exact: true }).click()
    await page.getByText('"of": "birth"').waitFor()
    await runQuery(page, "g.V().properties('name').has('since')")
    await page.getByRole("button", { name: "Table", exact: true }).click()
    await page.getByRole("columnheader", { name: "since", exact: true }).waitFor()
    await page.getByRole("cell", { name: "1815", exact: true }).waitFor()
    expectClean()
  })

  it("of edges alone is saved as GraphML with their vertices, and says what they have not", async ({ skip }) => {
    const { expectClean, page } = await opened("ends", skip, { graph: onLmdb })
    await runQuery(page, "g.E().hasLabel('knows')")
    await page.getByText("3 vertices, 2 edges").waitFor()
    const xml = await savedBy(page, () => page.getByLabel("Export").selectOption("graphml"))
    expect([xml.match(/<node /g)?.length, xml.match(/<edge /g)?.length]).toEqual([3, 2])
    await page.getByText("The file has 3 vertices without properties").waitFor()
    expectClean()
  })

  it("is not saved as GraphML if elements have several values of a key, and says why", async ({ skip }) => {
    const script = "g.addV('a').property(list, 'phone', '1').property(list, 'phone', '2').property(list, 'phone', '3')"
    const { expectClean, page } = await opened("several", skip, { script })
    const saved: Array<string> = []
    page.on("download", (download) => saved.push(download.suggestedFilename()))
    await runQuery(page, "g.V()")
    await page.getByText("1 vertex, 0 edges").waitFor()
    const note = page.getByText("GraphML has one value of a property, and some elements have several of phone")
    await page.getByRole("button", { name: "GraphML" }).click()
    await note.waitFor()
    await page.getByRole("button", { name: "Table", exact: true }).click()
    await note.waitFor({ state: "detached" })
    await page.getByLabel("Export").selectOption("graphml")
    await note.waitFor()
    const json = await savedBy(page, () => page.getByLabel("Export").selectOption("json"))
    expect(JSON.parse(json)[0].properties.phone).toEqual(["1", "2", "3"])
    await note.waitFor({ state: "detached" })
    await showView(page, "Data")
    await page.getByRole("button", { name: "GraphML", exact: true }).click()
    await note.waitFor()
    expect(saved).toEqual(["results.json"])
    expectClean()
  })

  it("keeps the page responsive while 10,000 vertices are added, moved, selected and hidden", async ({ skip }) => {
    const script =
      "n = 10000; v = []; for (i in 0..<n) { v << g.addV('node').property('i', i).next() }; " +
      "for (i in 0..<n) { for (k in [1, 7, 191]) { g.V(v[i]).addE('link').to(__.V(v[(i * k + k) % n])).iterate() } }; 1"
    const { expectClean, page } = await opened("crowd", skip, { script })
    await watchTasks(page)
    await runQuery(page, "g.V().union(__.identity(), __.outE())")
    await page.getByText("300 vertices").waitFor()
    await page.getByRole("button", { name: "Draw 300 more of 9,700" }).click()
    await page.getByText("600 vertices").waitFor()
    await page.getByRole("button", { name: "Draw all 9,400" }).click()
    await page.getByText("10,000 vertices, 30,000 edges").waitFor()
    await page.locator("canvas").focus()
    for (const key of ["n", "+", "+", "ArrowLeft", "Delete"]) await page.keyboard.press(key)
    await page.getByText("9,999 vertices").waitFor()
    await page.getByLabel("Layout").selectOption("radial")
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("10,000 vertices, 30,000 edges").waitFor()
    await expectShortTasks(page)
    expectClean()
  })
})
