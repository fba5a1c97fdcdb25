import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { DataPage } from "../data/DataPage.tsx"
import { LiveView } from "../live/LiveView.tsx"
import { QueryView } from "../query/QueryView.tsx"
import { mayHaveChanged } from "../query/Session.ts"
import { SchemaView } from "../schema/SchemaView.tsx"
import { texts } from "../texts.ts"
import { HistoryView } from "./HistoryView.tsx"
import { Login } from "./Login.tsx"
import { about, logout, needsLogin, trouble } from "./Server.ts"
import { type View, view, views } from "./View.ts"

const pages: Readonly<Record<View, () => ComponentChildren>> = {
  query: () => <QueryView />,
  schema: () => <SchemaView />,
  live: () => <LiveView />,
  data: () => <DataPage />,
  history: () => <HistoryView />
}

/** The whole page. */
export const App = () => (
  <div class="app">
    <header>
      <h1>{texts.title}</h1>
      {!needsLogin.value && <Navigation />}
      <span class="space" />
      {about.value !== null && about.value.user !== "" && (
        <>
          <span>{about.value.user}</span>
          <button type="button" onClick={() => (!mayHaveChanged.value || confirm(texts.login.leave)) && logout()}>
            {texts.login.logout}
          </button>
        </>
      )}
    </header>
    {trouble.value !== "" && (
      <p class="error" role="alert">
        {trouble.value}
      </p>
    )}
    <main>{needsLogin.value ? <Login /> : pages[view.value]()}</main>
  </div>
)

const Navigation = () => {
  const list = useRef<HTMLElement>(null)
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (step === 0) return
    const at = (views.indexOf(view.value) + step + views.length) % views.length
    view.value = views[at] ?? "query"
    list.current?.querySelectorAll("button")[at]?.focus()
    event.preventDefault()
  }
  return (
    <nav aria-label={texts.views_label} ref={list} onKeyDown={move}>
      {views.map((name) => (
        <button
          type="button"
          key={name}
          aria-current={view.value === name ? "page" : undefined}
          onClick={() => {
            view.value = name
          }}
        >
          {texts.views[name]}
        </button>
      ))}
    </nav>
  )
}
