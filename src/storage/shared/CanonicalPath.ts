import { readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"

/** The target of a symbolic link, which may not exist; undefined for other files. */
const target = (link: string): string | undefined => {
  try {
    // A relative text begins at the folder that has the link, which a link may lead to as well.
    return resolve(realpathSync(dirname(link)), readlinkSync(link))
  } catch {
    return undefined
  }
}

/** Maximum length of a chain of symbolic links, as in Linux. */
const MAX_LINKS = 40

/** The path with symbolic links resolved. Parts that do not exist yet are kept. */
export const canonical = (path: string, links = MAX_LINKS): string => {
  try {
    return realpathSync(path)
  } catch {
    const next = links > 0 ? target(path) : undefined
    if (next !== undefined) return canonical(next, links - 1)
    const parent = dirname(path)
    return parent === path ? path : join(canonical(parent, links), basename(path))
  }
}
