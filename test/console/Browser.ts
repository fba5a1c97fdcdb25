import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { expect } from "vitest"
import { USUAL_MS } from "../Limits.ts"

/** Places of a Chromium that the system has. */
const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Chromium runs as root, and without a GPU. No flag relaxes the rules for pages. */
const flags = ["--no-sandbox", "--disable-setuid-sandbox", "--no-zygote", "--disable-gpu", "--font-render-hinting=none"]

/**
 * A folder that is made once, and is whole as soon as it exists: processes that need it at the same time each make one of
 * their own, and one of these gets its name.
 */
export const madeWhole = async (folder: string, make: (made: string) => Promise<void>): Promise<string> => {
  if (existsSync(folder)) return folder
  const made = mkdtempSync(`${folder}-`)
  try {
    await make(made)
    renameSync(made, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  return folder
}

/** Unpacks Chromium and its fonts into a folder, whose name is to become `folder`. */
const unpack = async (made: string, folder: string): Promise<void> => {
  const { default: packed } = await import("@sparticuz/chromium")
  const { TMPDIR } = process.env
  // The package takes the folder for temporary files, before it waits for anything. It takes a file that is there for a whole one.
  process.env.TMPDIR = made
  const unpacked = packed.executablePath()
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  await unpacked
  const fonts = join(made, "fonts", "fonts.conf")
  if (existsSync(fonts)) writeFileSync(fonts, readFileSync(fonts, "utf8").replaceAll(">/tmp/", `>${folder}/`))
}

/** The Chromium of the system, or that of the package @sparticuz/chromium, which brings its own libraries and fonts. */
const executable = async (): Promise<string> => {
  const found = installed.find((path) => existsSync(path))
  if (found !== undefined) return found
  const about = new URL("../../node_modules/@sparticuz/chromium/package.json", import.meta.url)
  const { version } = JSON.parse(readFileSync(about, "utf8")) as { readonly version: string }
  const place = join(tmpdir(), `engine-server-chromium-${version}`)
  return join(await madeWhole(place, (made) => unpack(made, place)), "chromium")
}

/** A started browser, or the reason why none starts here. */
export type Started = { readonly browser: Browser } | { readonly reason: string }

/** Milliseconds that a test waits for what a page shows; longer on a slow machine. */
const PAGE_TIMEOUT_MS = USUAL_MS

/** What the system says of a program that is none for it, or whose libraries it does not have. */
const NOT_FOR_THIS_SYSTEM = /error while loading shared libraries|cannot execute|ENOEXEC|Unknown system error -8|ENOENT/

/** Starts Chromium. With CI in the environment, it fails unless the system lacks what Chromium needs. */
export const startBrowser = async (): Promise<Started> => {
  try {
    const path = await executable()
    const folder = join(path, "..")
    const fonts = join(folder, "fonts")
    const env = {
      ...process.env,
      LD_LIBRARY_PATH: [join(folder, "al2023", "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":"),
      ...(existsSync(join(fonts, "fonts.conf")) ? { FONTCONFIG_PATH: fonts } : {})
    }
    return { browser: await chromium.launch({ executablePath: path, args: flags, headless: true, env }) }
  } catch (error) {
    if (process.env.CI !== undefined && !NOT_FOR_THIS_SYSTEM.test(String(error))) throw error
    return { reason: `Chromium does not start: ${String(error).split("\n", 1)[0]}` }
  }
}

/** A page that records what must not happen: uncaught errors, violations of the policy, requests to other hosts. */
export interface WatchedPage {
  readonly page: Page
  /** Fails when something of that kind happened. */
  readonly expectClean: () => void
  readonly faults: Array<string>
}

/** Opens a page of the console. */
export const openPage = async (
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {}
): Promise<WatchedPage> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(PAGE_TIMEOUT_MS)
  const faults: Array<string> = []
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`))
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(`policy: ${message.text()}`)
  })
  page.on("request", (request) => {
    const url = new URL(request.url())
    const isLocal = url.protocol === "data:" || url.protocol === "blob:"
    if (!isLocal && url.host !== new URL(address).host) faults.push(`foreign request: ${request.url()}`)
  })
  await page.goto(address)
  return { page, faults, expectClean: () => expect(faults).toEqual([]) }
}
