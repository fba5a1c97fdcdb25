#!/usr/bin/env node
/**
 * The command of the npm package and of a checkout. In a checkout, which has src/, the bundle is built when it is missing
 * or older than the sources. An installed package has only dist/.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { keepCompiledCode } from "./compile-cache.js"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node.js 20.19 or later is needed; this is ${process.versions.node}.`)
  process.exit(1)
}
if (major === 21 || (major === 22 && minor < 2)) {
  console.error(
    `This is Node.js ${process.versions.node}, which lacks a function that the server needs (crc32 of node:zlib). Use 22.2 or later, ` +
      "or 20.19 or a later 20."
  )
  process.exit(1)
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const main = join(root, "dist", "main.js")

/** The sources of a checkout, each with the time of its last change. */
const sources = () => {
  const folders = ["src", "console"].map((name) => join(root, name)).filter((folder) => existsSync(folder))
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  )
  return [...files, join(root, "package-lock.json")].map((file) => [file, statSync(file).mtimeMs])
}

const isCheckout = existsSync(join(root, "src", "main.ts")) && existsSync(join(root, "scripts", "build.js"))
// A source may be newer than each bundle of it, because the clock was set back or another machine has written it. This file then has the
// times of the sources of the last bundle.
const record = join(root, ".cache", "bundled-sources.json")
const recorded = () => (existsSync(record) ? readFileSync(record, "utf8") : "")
const isNewer = (found) => found.some(([, time]) => time > statSync(main).mtimeMs)
const isStale = (found) => !existsSync(main) || (isNewer(found) && recorded() !== JSON.stringify(found))

const found = isCheckout ? sources() : []
if (isCheckout && isStale(found)) {
  const { build } = await import("../scripts/build.js").catch((cause) => {
    console.error(`The server has to be built first, and that needs the development packages: run "npm ci".\n${cause}`)
    process.exit(1)
  })
  await build({ keepsChunks: true }).catch((cause) => {
    // esbuild has already printed the errors of the sources.
    console.error(`The server could not be built from src/.${"errors" in cause ? "" : `\n${cause}`}`)
    process.exit(1)
  })
  if (isNewer(found)) {
    mkdirSync(dirname(record), { recursive: true })
    writeFileSync(record, JSON.stringify(found))
  }
}

keepCompiledCode()
await import("../dist/main.js")
