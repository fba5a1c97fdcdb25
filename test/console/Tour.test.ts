import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { packedPackage } from "../packed/Package.ts"
import { both, place, start, tinkerGraph, value } from "../packed/Programs.ts"
import { openPage, type Started, startBrowser } from "./Browser.ts"
import { runQuery, showView, toyGraph, writeQuery } from "./Pages.ts"

/** The folder for new pictures of the documentation: `CONSOLE_PICTURES=docs`. */
const pictures = process.env.CONSOLE_PICTURES

const PICTURE_DELAY_MS = 6_000

const MAX_GZIP_BYTES = 250_000

let started: Started = { reason: "not started" }

beforeAll(async () => {
  started = await startBrowser()
})
afterAll(async () => {
  if ("browser" in started) await started.browser.close()
})

/** The browser; skips the test with the reason where none starts. */
const browserOf = (skip: (note: string) => never): Browser =>
  "browser" in started ? started.browser : skip(started.reason)

describe("The console of the package", () => {
  it("is at most 250 kB of gzip, and its page names files of its own only", () => {
    const folder = join(packedPackage(), "dist", "console")
    const files = readdirSync(folder)
    const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
    expect(bytes).toBeLessThan(MAX_GZIP_BYTES)
    const page = readFileSync(join(folder, "index.html"), "utf8")
    const named = Array.from(page.matchAll(/(?:href|src)="([^"]+)"/g), ([, name]) => name!)
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((name) => !files.includes(name))).toEqual([])
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
  })

  it("has files that name no version of the server", () => {
    const folder = packedPackage()
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    for (const file of readdirSync(join(folder, "dist", "console"))) {
      const text = readFileSync(join(folder, "dist", "console", file), "utf8")
      expect([file, text.includes(version), text.includes(name)]).toEqual([file, false, false])
    }
  })

  it("looks as the pictures of the documentation show it", async ({ skip }) => {
    const folder = pictures ?? skip("CONSOLE_PICTURES names no folder for new pictures")
    const browser = browserOf(skip)
    const { authority } = await start(place("pictures", both, { graph: tinkerGraph }))
    const { page } = await openPage(browser, `http://${authority}/console/`)
    const shoot = (name: string): Promise<unknown> => page.screenshot({ path: join(folder, `${name}.png`) })
    await showView(page, "Data")
    await page.getByRole("button", { name: "modern" }).click()
    await page.getByText("Loaded 6 vertices and 6 edges.").waitFor()
    await showView(page, "Query")
    await runQuery(page, "g.V().outE().inV().path()")
    await page.getByText("6 vertices, 6 edges").waitFor()
    await page.locator("canvas").focus()
    await page.keyboard.press("n")
    await page.getByRole("button", { name: "out created" }).waitFor()
    // The places of the vertices settle.
    await page.waitForTimeout(PICTURE_DELAY_MS)
    await shoot("console-graph")
    await writeQuery(page, "g.V().hasLabel('person').out('created').values('name').dedup()")
    await page.getByRole("button", { name: "Profile" }).click()
    await page.getByText("Without profile()").waitFor()
    await shoot("console-profile")
  })

  it("shows a graph to a person who opens the address of a server", async ({ skip }) => {
    const browser = browserOf(skip)
    const server = await start(place("tour", both, { graph: tinkerGraph }))
    await value(server.authority, toyGraph)
    const { expectClean, page } = await openPage(browser, `http://${server.authority}/`)
    await page.getByRole("button", { name: "g.V().limit(25)" }).click()
    await page.getByText("6 vertices, 6 edges").waitFor()
    await runQuery(page, "g.V().values('name')")
    await page.getByRole("cell", { name: "marko" }).waitFor()
    await runQuery(page, "g.V().groupCount().by(label)")
    await page.getByRole("img", { name: "person: 4" }).waitFor()
    await runQuery(page, "g.V().out().count()")
    await page.locator(".big-number", { hasText: "6" }).waitFor()
    await runQuery(page, "g.V().nothing()")
    await page.getByRole("alert").filter({ hasText: "there is no step nothing()" }).waitFor()
    expectClean()
    await page.context().close()
  })
})
