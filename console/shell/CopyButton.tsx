import { useSignal } from "@preact/signals"
import { texts } from "../texts.ts"
import { copy } from "./Clipboard.ts"

const words = texts.results

/** Time for which the button says what it did, ms. */
const SHOWN_MS = 2_000

/** A button that copies a text, and says whether it did. `name` says what it copies, where there are several. */
export const CopyButton = ({ name, text }: { readonly text: () => string; readonly name?: string }) => {
  const said = useSignal("")
  const press = async (): Promise<void> => {
    said.value = (await copy(text())) ? words.copied : words.notCopied
    setTimeout(() => {
      said.value = ""
    }, SHOWN_MS)
  }
  return (
    <>
      <button
        type="button"
        aria-label={name === undefined ? undefined : `${words.copy}: ${name}`}
        onClick={() => void press()}
      >
        {words.copy}
      </button>
      <span class="note" role="status">
        {said.value}
      </span>
    </>
  )
}
