import type { Script } from "../../gremlin/Script.ts"
import { cacheRoom } from "../../process/compiler/CacheRoom.ts"

/** Scripts longer than this are parsed each time they come. */
const LONGEST = 16_384
/** Characters of one generation; with the trees, templates and plans made of them a hundred times as many bytes. */
const CHARACTERS = cacheRoom(1_048_576)

/**
 * Parsed scripts by their text, in two generations: what is used stays, what is not used while a whole generation fills
 * up goes. Bounded, because clients fill it.
 */
export class ScriptCache {
  #young = new Map<string, Script>()
  #old: ReadonlyMap<string, Script> = new Map()
  #characters = 0

  get(text: string): Script | undefined {
    const young = this.#young.get(text)
    if (young !== undefined) return young
    const old = this.#old.get(text)
    if (old !== undefined) this.set(text, old)
    return old
  }

  set(text: string, script: Script): void {
    if (text.length > LONGEST) return
    if (this.#characters + text.length > CHARACTERS) {
      this.#old = this.#young
      this.#young = new Map()
      this.#characters = 0
    }
    this.#young.set(text, script)
    // A short text still costs its tree and its entry.
    this.#characters += text.length + 64
  }
}
