import { type ReadonlySignal, signal } from "@preact/signals"
import { useMemo } from "preact/hooks"

/** Time for which a notice is shown, ms. */
const SHOWN_MS = 2_000

/** A text that says for a short time what a button did. */
export class Notice {
  readonly #text = signal("")
  #timer: ReturnType<typeof setTimeout> | undefined

  /** The text; empty when its time is over. */
  get text(): ReadonlySignal<string> {
    return this.#text
  }

  /** Shows a text. It replaces the one before, whose time does not end that of this one. */
  say(text: string): void {
    clearTimeout(this.#timer)
    this.#text.value = text
    this.#timer = setTimeout(() => {
      this.#text.value = ""
    }, SHOWN_MS)
  }
}

/** The notice of a component. */
export const useNotice = (): Notice => useMemo(() => new Notice(), [])
