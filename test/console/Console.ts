import { readFileSync } from "node:fs"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import { LONGEST_TURN_MS } from "../layers/support/Turns.ts"
import { both, place, start, tinkerGraph, value } from "../packed/Programs.ts"
import { openPage, type Started, startBrowser, type WatchedPage } from "./Browser.ts"
import { toyGraph } from "./Pages.ts"

/** Skips a test with the reason. */
export type Skip = (note: string) => never

/** What a test opens: a graph as lines of its properties file, a script that fills it, and options of the browser. */
interface Opening {
  readonly graph?: ReadonlyArray<string>
  readonly script?: string
  readonly yaml?: string
  readonly browser?: BrowserContextOptions
}

/** A page of the console with its server. */
export type OpenedConsole = WatchedPage & { readonly authority: string }

/** Both transports, and no time limit: a query runs until the test stops it, on a slow machine too. */
export const patientYaml = `${both}evaluationTimeout: 0\n`

/** The browser of a test file. Both functions skip the test with the reason where none starts. */
export const useBrowser = () => {
  let started: Started = { reason: "not started" }
  beforeAll(async () => {
    started = await startBrowser()
  })
  afterAll(async () => {
    if ("browser" in started) await started.browser.close()
  })
  const browserOf = (skip: Skip): Browser => ("browser" in started ? started.browser : skip(started.reason))
  const opened = async (name: string, skip: Skip, opening: Opening = {}): Promise<OpenedConsole> => {
    const { browser, graph = tinkerGraph, script = toyGraph, yaml = patientYaml } = opening
    const running = browserOf(skip)
    const { authority } = await start(place(name, yaml, { graph }))
    if (script !== "") await value(authority, script)
    return { ...(await openPage(running, `http://${authority}/console/`, browser)), authority }
  }
  return { browserOf, opened }
}

/** Counts the tasks of a page that are longer than 50 ms, from now on. */
export const watchTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const found: Array<number> = []
    Object.assign(globalThis, { longTasks: found })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) found.push(duration)
    }).observe({ type: "longtask" })
  })

/** Fails when a task since {@link watchTasks} was longer than 200 ms, or as much longer as the machine is slower. */
export const expectShortTasks = async (page: Page): Promise<void> => {
  const tasks = await page.evaluate(() => (globalThis as unknown as { longTasks: Array<number> }).longTasks)
  expect(Math.max(0, ...tasks)).toBeLessThan(10 * LONGEST_TURN_MS)
}

/** The text of a file that an action saves. */
export const savedBy = async (page: Page, act: () => Promise<unknown>): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent("download"), act()])
  return readFileSync(await download.path(), "utf8")
}

/** The value of the browser's clipboard. */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** Pages may use the clipboard, as for a user who allows it. */
export const withClipboard: BrowserContextOptions = { permissions: ["clipboard-read", "clipboard-write"] }
