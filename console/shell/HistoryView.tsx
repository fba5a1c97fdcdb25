import { text } from "../query/Query.ts"
import { texts } from "../texts.ts"
import { clearRecent, type KeptQuery, recent, saved, unsave } from "./Storage.ts"
import { view } from "./View.ts"

const words = texts.history

/** Queries that the browser keeps. */
export const HistoryView = () => (
  <section class="page" aria-label={texts.views.history}>
    <h2>{words.saved}</h2>
    <Queries queries={saved.value} onRemove={unsave} />
    <h2>{words.recent}</h2>
    <Queries queries={recent.value} />
    {recent.value.length > 0 && (
      <button type="button" onClick={clearRecent}>
        {words.clear}
      </button>
    )}
    <p class="note">{words.local}</p>
  </section>
)

const Queries = ({
  onRemove,
  queries
}: {
  readonly queries: ReadonlyArray<KeptQuery>
  readonly onRemove?: (text: string) => void
}) =>
  queries.length === 0 ? (
    <p class="note">{words.none}</p>
  ) : (
    <ul class="kept">
      {queries.map(({ at, text: query }) => (
        <li key={query}>
          <button
            type="button"
            class="code"
            onClick={() => {
              text.value = query
              view.value = "query"
            }}
          >
            {query}
          </button>
          <span class="note">{new Date(at).toLocaleString("en")}</span>
          {onRemove !== undefined && (
            <button type="button" aria-label={`${words.remove}: ${query}`} onClick={() => onRemove(query)}>
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  )
