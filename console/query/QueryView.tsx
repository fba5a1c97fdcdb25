import { ResultView } from "../results/ResultView.tsx"
import { copy } from "../shell/Clipboard.ts"
import { useNotice } from "../shell/Notice.ts"
import { about, source } from "../shell/Server.ts"
import { save } from "../shell/Storage.ts"
import { texts } from "../texts.ts"
import { Editor } from "./Editor.tsx"
import { FirstRun, NextTry } from "./FirstRun.tsx"
import { bindings, control, isReadOnly, run, shareAddress, start, stop, text } from "./Query.ts"
import {
  chooseSource,
  hasLostSession,
  isDirty,
  lostTransaction,
  mayHaveChanged,
  session,
  toggleSession,
  warning
} from "./Session.ts"

const words = texts.query

/** The page where a query is written, and its results. */
export const QueryView = () => (
  <section class="query" aria-label={texts.views.query}>
    <div class="query-top">
      <Editor />
      <Toolbar />
      {hasLostSession.value && (
        <p class="error" role="alert">
          {words.sessionLost}
        </p>
      )}
      {lostTransaction.value !== "" && (
        <p class="error" role="alert">
          {words.transactionLost(lostTransaction.value)}
        </p>
      )}
      {warning.value !== "" && (
        <p class="note" role="status">
          {warning.value}
        </p>
      )}
      <Bindings />
    </div>
    {run.value !== null && <NextTry />}
    {run.value === null ? <FirstRun /> : <ResultView />}
  </section>
)

const Toolbar = () => {
  const isRunning = run.value?.state === "running"
  return (
    <div class="toolbar" role="toolbar" aria-label={texts.views.query}>
      <button type="button" class="primary" onClick={() => start()} title={words.hint}>
        {words.run}
      </button>
      <button type="button" disabled={!isRunning} onClick={stop}>
        {words.stop}
      </button>
      <button type="button" onClick={() => start("explain")}>
        {words.explain}
      </button>
      <button type="button" onClick={() => start("profile")}>
        {words.profile}
      </button>
      <SourceChoice />
      <label class="check">
        <input
          type="checkbox"
          checked={isReadOnly.value}
          onChange={(event) => {
            isReadOnly.value = event.currentTarget.checked
          }}
        />
        {words.readOnly}
      </label>
      <SessionControls />
      <span class="space" />
      <Keeping />
    </div>
  )
}

/** Whether the session has a transaction with changes, or a query that may begin one. The choices then stay those of its begin. */
const isHeld = (): boolean => session.value !== null && (mayHaveChanged.value || run.value?.state === "running")

const SourceChoice = () => {
  const sources = about.value?.sources ?? []
  return (
    <label class="check" title={isHeld() ? words.settleFirst : ""}>
      g =
      <select
        disabled={isHeld()}
        aria-label={texts.source}
        value={source.value}
        onChange={(event) => {
          chooseSource(event.currentTarget.value)
        }}
      >
        {sources.map(({ graph, name }) => (
          <option key={name} value={name}>
            {name === graph ? name : `${name} (${graph})`}
          </option>
        ))}
      </select>
    </label>
  )
}

const SessionControls = () => {
  const hasSessions = about.value?.webSocket === true
  const isWithout = about.value?.webSocket === false
  const isOpen = session.value !== null
  return (
    <>
      <label class="check" title={isWithout ? words.noSessions : isHeld() ? words.settleFirst : ""}>
        <input type="checkbox" disabled={!hasSessions || isHeld()} checked={isOpen} onChange={toggleSession} />
        {words.session}
      </label>
      {isWithout && <span class="note">{words.noSessions}</span>}
      {isOpen && (
        <span class="session">
          <button type="button" disabled={isDirty.value} onClick={() => control("begin")}>
            {words.begin}
          </button>
          <button type="button" disabled={lostTransaction.value !== ""} onClick={() => control("commit")}>
            {words.commit}
          </button>
          <button type="button" onClick={() => control("rollback")}>
            {words.rollback}
          </button>
          <span class="note" role="status">
            {isDirty.value ? words.sessionOpen : words.sessionClosed}
          </span>
        </span>
      )}
    </>
  )
}

const Keeping = () => {
  const notice = useNotice()
  return (
    <>
      <span class="note" role="status">
        {notice.text.value}
      </span>
      <button
        type="button"
        onClick={() => {
          history.replaceState(null, "", shareAddress())
          void copy(shareAddress()).then((isCopied) => notice.say(isCopied ? words.shared : words.notShared))
        }}
      >
        {words.share}
      </button>
      <button
        type="button"
        onClick={() => {
          notice.say(save(text.value) ? words.saved : words.notSaved)
        }}
      >
        {words.save}
      </button>
    </>
  )
}

const Bindings = () => {
  const change = (at: number, part: { readonly name?: string; readonly value?: string }): void => {
    bindings.value = bindings.value.map((binding, index) => (index === at ? { ...binding, ...part } : binding))
  }
  return (
    <details class="bindings">
      <summary>
        {words.bindings} ({bindings.value.length})
      </summary>
      {bindings.value.map(({ name, value }, at) => (
        <div class="binding" key={at}>
          <input
            aria-label={words.bindingName}
            placeholder={words.bindingName}
            value={name}
            onInput={(event) => change(at, { name: event.currentTarget.value })}
          />
          <input
            aria-label={words.bindingValue}
            placeholder={words.bindingValue}
            value={value}
            onInput={(event) => change(at, { value: event.currentTarget.value })}
          />
          <button
            type="button"
            aria-label={words.removeBinding}
            onClick={() => {
              bindings.value = bindings.value.filter((_, index) => index !== at)
            }}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        onClick={() => {
          bindings.value = [...bindings.value, { name: "", value: "" }]
        }}
      >
        {words.addBinding}
      </button>
    </details>
  )
}
