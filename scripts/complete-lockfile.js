/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out.
 *
 * npm records a package for another platform only if the registry offers it. A registry that mirrors one platform therefore
 * makes an incomplete lock file, which `npm ci` rejects on every platform. Run this script after a change of dependencies with
 * such a registry. It takes the versions that the packages pin; npm verifies them when it installs them.
 */
import { readFileSync, writeFileSync } from "node:fs"

const file = new URL("../package-lock.json", import.meta.url)
const lock = JSON.parse(readFileSync(file, "utf8"))

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"]
const processors = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"]

/** The platform of a package, read from its name. */
const platform = (name) => {
  const words = name.split(/[/-]/)
  const libc = words.some((word) => word.startsWith("musl"))
    ? "musl"
    : words.some((word) => /^g(nu|libc)/.test(word))
      ? "glibc"
      : undefined
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor))
  if (os === undefined || cpu === undefined) throw new Error(`${name} does not name its platform`)
  return { os: [os], cpu: [cpu], ...(libc !== undefined && os === "linux" ? { libc: [libc] } : {}) }
}

const added = []
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`
    if (lock.packages[path] !== undefined) continue
    if (!/^\d/.test(version)) throw new Error(`${name} is not pinned to a version but to ${version}`)
    const { os, cpu, libc } = platform(name)
    lock.packages[path] = {
      version,
      cpu,
      ...(parent.dev === true ? { dev: true } : {}),
      ...(libc === undefined ? {} : { libc }),
      optional: true,
      os
    }
    added.push(name)
  }
}

const [[root, own], ...rest] = Object.entries(lock.packages)
const byPath = ([a], [b]) => a.localeCompare(b, "en")
lock.packages = Object.fromEntries([[root, own], ...rest.sort(byPath)])
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(added.length === 0 ? "package-lock.json is complete" : `added ${added.join(", ")}`)
