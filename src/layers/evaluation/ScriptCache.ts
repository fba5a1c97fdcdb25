import type { Script } from "../../gremlin/Script.ts"
import { cacheRoom } from "../../process/compiler/CacheRoom.ts"

/** Longer scripts are not cached. */
const MAX_SCRIPT_CHARS = 16_384
/** Characters of one generation. Trees, templates and plans take about a hundred bytes for each. */
const GENERATION_CHARS = cacheRoom(1_048_576)
/** Cost of a script beside its text: its tree and its entry. */
const ENTRY_CHARS = 64

/**
 * Parsed scripts by their text. The cache is bounded, because clients fill it. It has two generations: a script that is not
 * used while a whole generation fills is dropped.
 */
export class ScriptCache {
  #young = new Map<string, Script>()
  #old: ReadonlyMap<string, Script> = new Map()
  #characters = 0

  get(text: string): Script | undefined {
    if (text.length > MAX_SCRIPT_CHARS) return undefined
    const young = this.#young.get(text)
    if (young !== undefined) return young
    const old = this.#old.get(text)
    if (old !== undefined) this.set(text, old)
    return old
  }

  set(text: string, script: Script): void {
    if (text.length > MAX_SCRIPT_CHARS) return
    if (this.#characters + text.length > GENERATION_CHARS) {
      this.#old = this.#young
      this.#young = new Map()
      this.#characters = 0
    }
    this.#young.set(text, script)
    this.#characters += text.length + ENTRY_CHARS
  }
}
