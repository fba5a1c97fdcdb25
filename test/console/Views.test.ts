import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { http, post } from "../layers/support/HttpClient.ts"
import { endless, eventually } from "../layers/support/TestServers.ts"
import { both, onLmdb, place, root, start, tinkerGraph, value } from "../packed/Programs.ts"
import { openPage, type Started, startBrowser, type WatchedPage } from "./Browser.ts"
import { expectShortTasks, patientYaml, watchTasks } from "./Console.ts"
import { killButton, logIn, runQuery, showView, toyGraph, writeQuery } from "./Pages.ts"

let started: Started = { reason: "not started" }

beforeAll(async () => {
  started = await startBrowser()
})
afterAll(async () => {
  if ("browser" in started) await started.browser.close()
})

type Skip = (note: string) => never

const browserOf = (skip: Skip): Browser => ("browser" in started ? started.browser : skip(started.reason))

/** A server with a graph in memory, and the console of it. */
const opened = async (
  name: string,
  skip: Skip,
  script = toyGraph
): Promise<WatchedPage & { readonly authority: string }> => {
  const browser = browserOf(skip)
  const { authority } = await start(place(name, patientYaml, { graph: tinkerGraph }))
  await value(authority, script)
  return { ...(await openPage(browser, `http://${authority}/console/`)), authority }
}

/** A graph of 10,000 vertices and 30,000 edges. */
const largeGraph =
  "n = 10000; v = []; for (i in 0..<n) { v << g.addV('node').property('i', i).next() }; " +
  "for (i in 0..<n) { for (k in [1, 7, 191]) { g.V(v[i]).addE('link').to(__.V(v[(i * k + k) % n])).iterate() } }; 1"

const running = async (authority: string): Promise<number> =>
  (await http(authority, { path: "/gremlin/status" })).json.queries.length

describe("A new user", () => {
  it("imports a CSV file, finds a vertex, shows its neighbours, hides one and saves the picture", async ({ skip }) => {
    const { expectClean, page } = await opened("newcomer", skip, "1")
    const file = join(root, "people.csv")
    writeFileSync(file, 'id,name,age\n1,"Ada, L",36\n2,Grace,85\n')
    await showView(page, "Data")
    await page.locator("input[type=file]").setInputFiles(file)
    await page.getByRole("cell", { name: "Ada, L" }).waitFor()
    expect(await page.getByLabel("Type of age").inputValue()).toBe("int")
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("Loaded 2 vertices and 0 edges.").waitFor()
    const edges = join(root, "knows.csv")
    writeFileSync(edges, "from,to,since\n1,2,1833\n")
    await page.locator("input[type=file]").setInputFiles(edges)
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("Loaded 0 vertices and 1 edge.").waitFor()
    await showView(page, "Query")
    await runQuery(page, "g.V().has('age', 36)")
    await page.getByText("1 vertex, 0 edges").waitFor()
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    await page.getByRole("button", { name: "out knows" }).click()
    await page.getByText("2 vertices, 1 edge").waitFor()
    expect(await page.getByRole("button", { name: "Undo" }).isEnabled()).toBe(true)
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    await page.keyboard.press("Delete")
    await page.getByText("1 vertex, 0 edges").waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("2 vertices, 1 edge").waitFor()
    const [png] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PNG" }).click()])
    expect(
      readFileSync(await png.path())
        .subarray(1, 4)
        .toString()
    ).toBe("PNG")
    const [svg] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SVG" }).click()])
    expect(readFileSync(await svg.path(), "utf8")).toContain(">knows</text>")
    expectClean()
  })

  it("tries the queries of an empty graph one after another", async ({ skip }) => {
    const { expectClean, page } = await opened("empty", skip, "1")
    await page.getByRole("button", { name: /^g.addV/ }).click()
    await page.getByRole("button", { name: "g.V().hasLabel('person').values('name')" }).click()
    await page.getByRole("cell", { name: "Grace" }).waitFor()
    await page.getByRole("button", { name: "g.V().has('name', 'Ada').outE().inV().path()" }).click()
    await page.getByText("2 vertices, 1 edge").waitFor()
    expectClean()
  })

  it("drops a file by mouse, and chooses the types of its columns", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("drop", skip, "1")
    await showView(page, "Data")
    const dropOn = async (place: Locator): Promise<void> => {
      const files = await page.evaluateHandle(() => {
        const transfer = new DataTransfer()
        transfer.items.add(new File(["name,code,note\nAda,7,x\nGrace,8,y\n"], "person.csv", { type: "text/csv" }))
        return transfer
      })
      for (const type of ["dragover", "drop"]) await place.dispatchEvent(type, { dataTransfer: files })
    }
    await dropOn(page.getByText("Drop a CSV"))
    await page.getByRole("cell", { name: "Ada" }).waitFor()
    await page.getByLabel("Type of note").selectOption("int")
    await page.getByRole("alert").filter({ hasText: 'the value "x" of note is no int' }).waitFor()
    expect(await page.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true)
    await page.getByLabel("Type of note").selectOption("left out")
    await page.getByLabel("Type of code").selectOption("string")
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("Loaded 2 vertices and 0 edges.").waitFor()
    expect(await value(authority, "g.V().hasLabel('person').order().by('name').values('name','code')")).toEqual([
      "Ada",
      "7",
      "Grace",
      "8"
    ])
    expect(await value(authority, "g.V().has('note').count()")).toEqual([0])
    // A file that misses the field must not replace the page.
    const isPrevented = await page.evaluate(() => {
      const event = new DragEvent("drop", { bubbles: true, cancelable: true })
      document.body.dispatchEvent(event)
      return event.defaultPrevented
    })
    expect(isPrevented).toBe(true)
    expectClean()
  })

  it("draws 10,000 vertices and 30,000 edges, and works with them", async ({ skip }) => {
    const { expectClean, page } = await opened("large", skip, largeGraph)
    await runQuery(page, "g.V().union(__.identity(), __.outE())")
    await page.getByText("300 vertices").waitFor()
    await page.getByRole("button", { name: "Draw all 9,700" }).click()
    await page.getByText("10,000 vertices, 30,000 edges").waitFor()
    await page.getByRole("listitem").filter({ hasText: "node10000" }).waitFor()
    expect(await page.getByRole("button", { name: /^Draw/ }).count()).toBe(0)
    // All of this while the layout moves the vertices.
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    await page.getByRole("heading", { name: "node" }).waitFor()
    await page.getByRole("button", { name: "out link" }).waitFor()
    for (const key of ["+", "+", "ArrowLeft"]) await page.keyboard.press(key)
    await page.keyboard.press("Delete")
    await page.getByText("9,999 vertices").waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("10,000 vertices, 30,000 edges").waitFor()
    const [png] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PNG" }).click()])
    expect(readFileSync(await png.path()).length).toBeGreaterThan(10_000)
    await page.getByLabel("Layout").selectOption("radial")
    await runQuery(page, "g.V().count()")
    await page.locator(".big-number", { hasText: "10,000" }).waitFor()
    expectClean()
  })

  it("stops an endless query on the server, and kills one of another client", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("runaway", skip)
    await runQuery(page, endless)
    await eventually(async () => (await running(authority)) === 1)
    await page.getByRole("button", { name: "Stop" }).click()
    await eventually(async () => (await running(authority)) === 0)
    await page.getByText("stopped").waitFor()
    const query = `${endless}.as('other')`
    const other = post(authority, query)
    await showView(page, "Live")
    await killButton(page, query).click()
    expect((await other).json["Exception-Class"]).toBe("EvaluationCancelled")
    await page.getByText("No query is running.").waitFor()
    expectClean()
  })

  it("changes the level of the server's log, and goes back to the configured one", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("level", skip)
    const level = async (): Promise<string> => (await http(authority, { path: "/log-level" })).json.level
    await showView(page, "Live")
    await page.getByLabel("Level").selectOption("debug")
    await eventually(async () => (await level()) === "debug")
    await page.getByRole("button", { name: "Back to info" }).click()
    await eventually(async () => (await level()) === "info")
    await page.getByRole("button", { name: "Back to info", disabled: true }).waitFor()
    expect(await page.getByLabel("Level").inputValue()).toBe("info")
    expectClean()
  })

  it("loads a sample graph and sees its labels", async ({ skip }) => {
    const { expectClean, page } = await opened("sample", skip, "1")
    await showView(page, "Data")
    await page.getByRole("button", { name: "air routes" }).click()
    await page.getByText("Loaded 32 vertices").waitFor()
    await showView(page, "Schema")
    await page.getByRole("row", { name: "airport 32" }).waitFor()
    await page.getByRole("img", { name: "airport route airport" }).waitFor()
    expectClean()
  })
})

describe("A query", () => {
  it("keeps its variables in a session, and is committed or rolled back by buttons", async ({ skip }) => {
    const browser = browserOf(skip)
    const { authority } = await start(place("session", both, { graph: onLmdb }))
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    await page.getByRole("checkbox", { name: "Session" }).check()
    await runQuery(page, "x = g.addV('kept').next(); 1")
    await page.getByText("A transaction may be open").waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([0])
    await page.getByRole("button", { name: "Commit" }).click()
    await page.getByText("A transaction may be open").waitFor({ state: "detached" })
    expect(await value(authority, "g.V().count()")).toEqual([1])
    await runQuery(page, "g.V(x).label()")
    await page.getByRole("cell", { name: "kept" }).waitFor()
    expectClean()
  })

  it("changes nothing while Read only is on, also inside of a text", async ({ skip }) => {
    const { authority, page } = await opened("reader", skip)
    await page.getByRole("checkbox", { name: "Read only" }).check()
    await runQuery(page, "g.addV('x')")
    await page.getByRole("alert").filter({ hasText: "Read only is on" }).waitFor()
    await runQuery(page, `"\${graph.addVertex()}"`)
    await page.getByRole("alert").filter({ hasText: "addVertex() can change" }).waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([6])
    await runQuery(page, "g.V().nothing()")
    await page.getByRole("alert").filter({ hasText: "Line 1, column 7" }).waitFor()
  })

  it("takes bindings, and is completed by the labels of the graph", async ({ skip }) => {
    const { expectClean, page } = await opened("bindings", skip)
    // This search by a key shows that the page knows the names of the graph. A list opens only when a letter is typed.
    await page.getByRole("button", { name: /TextP\.containing/ }).waitFor()
    await page.getByText("Bindings (0)").click()
    await page.getByRole("button", { name: "Add a binding" }).click()
    await page.getByLabel("Name", { exact: true }).fill("who")
    await page.getByLabel("Value as JSON").fill('"vadas"')
    await runQuery(page, "g.V().has('name', who).values('age')")
    await page.locator(".big-number", { hasText: "27" }).waitFor()
    await writeQuery(page, "g.V().hasLabel(")
    await page.keyboard.type("'soft")
    await page.getByRole("option", { name: /software/ }).waitFor()
    expectClean()
  })

  it("shows integers beyond 2^53 with all their digits", async ({ skip }) => {
    const long = "9007199254740993"
    const { expectClean, page } = await opened("digits", skip, `g.addV('n').property('big', ${long}L)`)
    await page.getByText("Bindings (0)").click()
    await page.getByRole("button", { name: "Add a binding" }).click()
    await page.getByLabel("Name", { exact: true }).fill("big")
    await page.getByLabel("Value as JSON").fill(long)
    await runQuery(page, "g.V().has('big', big)")
    await page.getByText("1 vertex, 0 edges").waitFor()
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    await page.getByRole("definition").filter({ hasText: long }).waitFor()
    await page.getByRole("button", { name: "Table", exact: true }).click()
    await page.getByRole("cell", { name: long }).waitFor()
    await page.getByRole("button", { name: "JSON", exact: true }).click()
    await page.getByText(`"big": ${long}`).waitFor()
    for (const format of ["csv", "json", "graphml"]) {
      const saved = page.waitForEvent("download")
      await page.getByLabel("Export").selectOption(format)
      expect(readFileSync(await (await saved).path(), "utf8")).toContain(long)
    }
    await runQuery(page, "g.V().values('big')")
    await page.getByRole("button", { name: "Chart", exact: true }).click()
    await page.locator(".big-number", { hasText: "9,007,199,254,740,993" }).waitFor()
    await runQuery(page, "g.inject(['a': big, 'b': 1])")
    await page.getByRole("img", { name: "a: 9,007,199,254,740,993" }).waitFor()
    expectClean()
  })

  it("is explained and profiled, with a full scan marked", async ({ skip }) => {
    const { page } = await opened("profile", skip)
    await writeQuery(page, "g.V().out().values('name').toList()")
    await page.getByRole("button", { name: "Profile" }).click()
    await page.locator("td.scan", { hasText: "full scan" }).waitFor()
    await page.getByText("Without profile()").waitFor()
    await page.getByRole("button", { name: "Explain" }).click()
    await page.getByRole("heading", { name: "Traversal as it runs" }).waitFor()
  })

  it("of a link is shown and never run by itself, and stays in the history", async ({ skip }) => {
    const { authority, page } = await opened("shared", skip)
    const query = "g.addV('from a link')"
    await page.goto("about:blank")
    await page.goto(`http://${authority}/console/#q=${encodeURIComponent(query)}`)
    await page.getByRole("textbox", { name: "Gremlin query" }).filter({ hasText: "from a link" }).waitFor()
    await showView(page, "Schema")
    await page.getByRole("row", { name: "person 4" }).waitFor()
    expect(await value(authority, "g.V().count()")).toEqual([6])
    await showView(page, "Query")
    await runQuery(page, "g.V().count()")
    await page.locator(".big-number", { hasText: "6" }).waitFor()
    await showView(page, "History")
    await page.getByRole("button", { name: "g.V().count()", exact: true }).waitFor()
  })

  it("of 100,000 results keeps the page responsive, also while they are sorted and filtered", async ({ skip }) => {
    const { expectClean, page } = await opened("many", skip)
    await watchTasks(page)
    await runQuery(
      page,
      "g.inject(1).repeat(__.union(__.identity(), __.identity())).times(17).limit(100000).project('a','b').by().by(constant('text'))"
    )
    await page.getByText("100,000 results").waitFor()
    await page.getByRole("button", { name: "Table" }).click()
    await page.getByRole("button", { name: "a", exact: true }).click()
    await page.getByRole("searchbox").fill("text")
    await page.locator("tr[aria-rowindex='2']").waitFor()
    // Elements are also drawn.
    await runQuery(page, "g.V().repeat(__.union(__.identity(), __.identity())).times(15).limit(100000)")
    await page.getByText("100,000 results").waitFor()
    for (const form of ["Graph", "Table", "JSON"]) await page.getByRole("button", { name: form, exact: true }).click()
    await expectShortTasks(page)
    expectClean()
  })
})

const withPassword = (handler: string): string =>
  `${both}authentication: {authenticator: ${handler}, config: {credentialsDb: users.properties, ` +
  "defaultUsername: stephen, defaultPassword: s3cret-word, hmacSecret: sixteen-letters-or-more}}\n"

describe("A user with a password", () => {
  for (const handler of ["SimpleAuthenticator", "SaslAndHMACAuthenticator"]) {
    it(`logs in with ${handler}, and no password stays in the browser`, async ({ skip }) => {
      const browser = browserOf(skip)
      const yaml =
        handler === "SimpleAuthenticator"
          ? withPassword(handler).replace(/, hmacSecret: [^}]*/, "")
          : withPassword(handler)
      const { authority } = await start(place(handler, yaml, { graph: tinkerGraph, users: onLmdb }))
      const { expectClean, page } = await openPage(browser, `http://${authority}/`)
      await logIn(page, "wrong")
      await page.getByRole("alert").waitFor()
      await logIn(page, "s3cret-word")
      await runQuery(page, "g.inject('logged in')")
      await page.getByRole("cell", { name: "logged in" }).waitFor()
      const kept = await page.evaluate(() =>
        JSON.stringify([localStorage, sessionStorage, location.href, document.cookie, history.state])
      )
      expect(kept).not.toMatch(/s3cret|stephen/)
      await page.reload()
      await page.getByRole("heading", { name: "Log in" }).waitFor()
      expectClean()
    })
  }
})

describe("A server without WebSockets", () => {
  it("answers queries over HTTP, and sessions are off with the reason", async ({ skip }) => {
    const browser = browserOf(skip)
    const { authority } = await start(place("plain", "channelizer: HttpChannelizer\n", { graph: tinkerGraph }))
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    await runQuery(page, "g.inject('by HTTP')")
    await page.getByRole("cell", { name: "by HTTP" }).waitFor()
    expect(await page.getByRole("checkbox", { name: "Session" }).isDisabled()).toBe(true)
    await page.getByText("Sessions need a WebSocket").waitFor()
    expectClean()
  })
})

describe("A query that is run before the page knows the server", () => {
  for (const channelizer of ["HttpChannelizer", "WsAndHttpChannelizer"]) {
    it(`waits until it does: ${channelizer}`, async ({ skip }) => {
      const browser = browserOf(skip)
      const yaml = `channelizer: ${channelizer}\n`
      const { authority } = await start(place(`early-${channelizer}`, yaml, { graph: tinkerGraph }))
      const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
      let answer = () => {}
      const isRun = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route("**/console/sources", async (route) => {
        await isRun
        await route.continue()
      })
      await page.reload()
      await runQuery(page, "g.inject('early')")
      await page.getByText("Running").waitFor()
      answer()
      await page.getByRole("cell", { name: "early" }).waitFor()
      expectClean()
    })
  }

  it("is answered after a login, and what the last user saw is gone", async ({ skip }) => {
    const browser = browserOf(skip)
    const yaml = withPassword("SimpleAuthenticator").replace(/, hmacSecret: [^}]*/, "")
    const { authority } = await start(place("leaving", yaml, { graph: tinkerGraph, users: onLmdb }))
    const { expectClean, page } = await openPage(browser, `http://${authority}/console/`)
    await logIn(page, "s3cret-word")
    await runQuery(page, "g.inject('for my eyes')")
    await page.getByRole("cell", { name: "for my eyes" }).waitFor()
    await page.getByRole("button", { name: "Log out" }).click()
    await logIn(page, "s3cret-word")
    await page.getByRole("textbox", { name: "Gremlin query" }).waitFor()
    expect(await page.getByRole("cell", { name: "for my eyes" }).count()).toBe(0)
    expectClean()
  })
})

describe("A query that replaces a running one", () => {
  it("runs on when the other has ended before it is cancelled", async ({ skip }) => {
    const { authority, expectClean, page } = await opened("replaced", skip)
    await page.route("**/gremlin/status/*", async (route) => {
      // The first query ends just before the page cancels it.
      await http(authority, { method: "DELETE", path: new URL(route.request().url()).pathname })
      await route.continue()
    })
    await runQuery(page, endless)
    await eventually(async () => (await running(authority)) === 1)
    const unknown = page.waitForResponse((response) => response.status() === 404)
    await runQuery(page, `${endless}.count()`)
    await unknown
    await page.unroute("**/gremlin/status/*")
    await eventually(async () => (await running(authority)) === 1)
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByText("stopped").waitFor()
    await eventually(async () => (await running(authority)) === 0)
    expectClean()
  })
})

const hostile = "<img src=x onerror=alert(1)>"

describe("A hostile text in the graph", () => {
  it("stays text in every view", async ({ skip }) => {
    const script = `g.addV('${hostile}').property('${hostile}', '${hostile}').as('a').addE('${hostile}').from('a').to('a')`
    const { expectClean, faults, page } = await opened("hostile", skip, script)
    page.on("dialog", (dialog) => {
      faults.push(dialog.message())
      void dialog.dismiss()
    })
    await runQuery(page, "g.V()")
    await page.getByText("1 vertex, 1 edge").waitFor()
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    await page.getByRole("heading", { name: hostile }).waitFor()
    const svg = page.waitForEvent("download")
    await page.getByRole("button", { name: "SVG" }).click()
    expect(readFileSync(await (await svg).path(), "utf8")).not.toContain("<img")
    for (const form of ["Table", "JSON"]) {
      await page.getByRole("button", { name: form, exact: true }).click()
      await page.getByText(hostile).first().waitFor()
    }
    await runQuery(page, "g.V().groupCount().by(label).unfold().fold()")
    await runQuery(page, `g.inject(['${hostile}': 1, 'b': 2])`)
    await page.getByRole("button", { name: "Chart", exact: true }).click()
    await page.getByRole("img", { name: `${hostile}: 1` }).waitFor()
    await writeQuery(page, `g.V().has('${hostile}', '${hostile}')`)
    for (const button of ["Explain", "Profile"]) {
      await page.getByRole("button", { name: button, exact: true }).click()
      await page.getByText(button === "Explain" ? "Traversal as written" : "Without profile()").waitFor()
      await page.getByText(hostile).first().waitFor()
    }
    expect(await page.locator("img").count()).toBe(0)
    await runQuery(page, `g.V().fail('${hostile}')`)
    await page.getByRole("alert").waitFor()
    const query = `${endless}.as('${hostile}')`
    const other = post(page.url().split("/")[2]!, query)
    for (const view of ["Schema", "Live", "Data", "History"]) {
      await showView(page, view)
      if (view !== "Data") await page.getByText(hostile).first().waitFor()
      expect(await page.locator("img").count()).toBe(0)
    }
    await showView(page, "Live")
    await killButton(page, query).click()
    await other
    await showView(page, "Data")
    const buffer = Buffer.from(`${hostile},b\n${hostile},1\n`)
    await page.locator("input[type=file]").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer })
    await page.getByRole("cell", { name: hostile }).first().waitFor()
    expect(await page.locator("img").count()).toBe(0)
    expectClean()
  })
})

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface AxeResult {
  readonly violations: ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string }> }>
}

/** The violations of the rules of axe-core, with the element. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // The policy of the page refuses a script element; the tools of the browser evaluate it without one.
  await page.evaluate(axe)
  const found = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: () => Promise<AxeResult> } }).axe.run()
  )
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

describe("A person with a disability", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    it(`meets no violation of the rules of axe-core: ${colorScheme}`, async ({ skip }) => {
      const browser = browserOf(skip)
      const { authority } = await start(place(`axe-${colorScheme}`, patientYaml, { graph: tinkerGraph }))
      await value(authority, toyGraph)
      const { page } = await openPage(browser, `http://${authority}/console/`, { colorScheme })
      const found: Array<string> = []
      const look = async (view: string): Promise<void> => {
        found.push(...(await violations(page)).map((violation) => `${view}: ${violation}`))
      }
      await page.getByRole("button", { name: "g.V().limit(25)" }).waitFor()
      await look("first")
      await runQuery(page, "g.V()")
      await page.getByText("6 vertices, 6 edges").waitFor()
      await page.locator("canvas").focus()
      await page.keyboard.press("n")
      await page
        .getByRole("button", { name: /^(?:in|out) / })
        .first()
        .waitFor()
      await page.getByText("Vertices", { exact: true }).click()
      for (const form of ["Graph", "Table", "JSON"]) {
        await page.getByRole("button", { name: form, exact: true }).click()
        await look(form)
      }
      await page.getByText("Bindings (0)").click()
      await page.getByRole("button", { name: "Add a binding" }).click()
      await page.getByRole("checkbox", { name: "Session" }).check()
      await runQuery(page, "g.V().groupCount().by(label)")
      await page.getByRole("button", { name: "Chart", exact: true }).click()
      await look("chart, bindings and session")
      for (const [button, shown] of [
        ["Explain", "Traversal as written"],
        ["Profile", "Without profile()"]
      ] as const) {
        await page.getByRole("button", { name: button, exact: true }).click()
        await page.getByText(shown).waitFor()
        await look(button)
      }
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await runQuery(page, "g.V().nothing()")
      await page.getByRole("alert").waitFor()
      await look("error")
      const other = post(authority, endless)
      for (const view of ["Schema", "Live", "Data", "History"]) {
        await showView(page, view)
        if (view === "Live") await killButton(page, endless).waitFor()
        await look(view)
      }
      await showView(page, "Live")
      await killButton(page, endless).click()
      await other
      await showView(page, "Data")
      const file = { name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("name,age\nAda,36\n") }
      await page.locator("input[type=file]").setInputFiles(file)
      await page.getByRole("cell", { name: "Ada" }).waitFor()
      await look("preview")
      expect(found).toEqual([])
    })
  }

  it("meets no violation in the login form", async ({ skip }) => {
    const browser = browserOf(skip)
    const yaml = withPassword("SimpleAuthenticator").replace(/, hmacSecret: [^}]*/, "")
    const { authority } = await start(place("axe-login", yaml, { graph: tinkerGraph, users: onLmdb }))
    const { page } = await openPage(browser, `http://${authority}/console/`)
    await logIn(page, "wrong")
    await page.getByRole("alert").waitFor()
    expect(await violations(page)).toEqual([])
  })

  it("reaches every view and every result by keyboard alone", async ({ skip }) => {
    const { page } = await opened("keyboard", skip)
    await page.keyboard.press("Control+a")
    await page.keyboard.type("g.V().has('name', 'marko')")
    await page.keyboard.press("Control+Enter")
    await page.getByText("1 vertex, 0 edges").waitFor()
    const names: Array<string> = []
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press("Tab")
      names.push(await page.evaluate(() => document.activeElement?.textContent ?? ""))
    }
    for (const name of ["Run", "Table", "PNG", "Query", "Schema", "History"]) expect(names).toContain(name)
    await page.getByRole("button", { name: "Query", exact: true }).focus()
    await page.keyboard.press("ArrowRight")
    await page.getByRole("row", { name: "person 4" }).waitFor()
  })
})
