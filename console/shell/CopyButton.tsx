import { texts } from "../texts.ts"
import { copy } from "./Clipboard.ts"
import { useNotice } from "./Notice.ts"

const words = texts.results

/** A button that copies a text, and says whether it did. `name` says what it copies, where there are several. */
export const CopyButton = ({ name, text }: { readonly text: () => string; readonly name?: string }) => {
  const notice = useNotice()
  const press = async (): Promise<void> => notice.say((await copy(text())) ? words.copied : words.notCopied)
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
        {notice.text.value}
      </span>
    </>
  )
}
