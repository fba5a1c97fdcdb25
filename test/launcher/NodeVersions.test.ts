import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { newFolder } from "../Folders.ts"

const program = fileURLToPath(new URL("../../bin/engine-server.js", import.meta.url))

/** What the command writes to standard error, and its exit status, when Node.js says that it has a version. */
const started = (version: string): readonly [string, number | null] => {
  const text = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`
  const words = ["--import", `data:text/javascript,${encodeURIComponent(text)}`, program, "--version"]
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: newFolder(), encoding: "utf8" })
  return [stderr, status]
}

it.each(["18.20.8", "20.18.3"])("Node.js %s is too old", (version) => {
  expect(started(version)).toEqual([`Node.js 20.19 or later is needed; this is ${version}.\n`, 1])
})

it.each(["21.7.3", "22.0.0", "22.1.0"])("Node.js %s is refused, because it lacks a function", (version) => {
  const [text, status] = started(version)
  expect(text).toMatch(new RegExp(`^This is Node.js ${version}, which lacks .*crc32.* Use 22\\.2 or later`))
  expect(status).toBe(1)
})
