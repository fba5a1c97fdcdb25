import { useSignal } from "@preact/signals"
import { texts } from "../texts.ts"
import { JSON_INDENT, writeJson } from "../wire/Decode.ts"
import { plainOf, type Value } from "../wire/Values.ts"

/** Results that are drawn first, and added by each click. */
const RESULTS_PER_CLICK = 200

/** Results as JSON. */
export const Json = ({ count, values }: { readonly values: ReadonlyArray<Value>; readonly count: number }) => {
  const shown = useSignal(RESULTS_PER_CLICK)
  const text = values
    .slice(0, shown.value)
    .map((value) => writeJson(plainOf(value), JSON_INDENT))
    .join(",\n")
  return (
    <section
      class="json"
      aria-label={texts.results.json}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <pre>{text}</pre>
      {count > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += RESULTS_PER_CLICK
          }}
        >
          {texts.results.more}
        </button>
      )}
    </section>
  )
}
