import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { bracketMatching } from "@codemirror/language"
import { type Diagnostic, linter, lintKeymap } from "@codemirror/lint"
import { EditorState, Prec } from "@codemirror/state"
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view"
import { effect } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { texts } from "../texts.ts"
import { complete } from "./Completion.ts"
import { highlighting, language } from "./Language.ts"
import { start, text } from "./Query.ts"
import { mistakeOf } from "./Script.ts"

/** Time after a key until mistakes are looked for, ms. */
const LINT_DELAY_MS = 250

const mistakes = linter(
  ({ state }): ReadonlyArray<Diagnostic> => {
    const mistake = mistakeOf(state.doc.toString())
    if (mistake === undefined) return []
    const from = Math.min(mistake.at, Math.max(0, state.doc.length - 1))
    const word = /^[\w$]+/.exec(state.sliceDoc(from, from + 100))?.[0].length ?? 1
    return [{ from, to: Math.min(state.doc.length, from + word), severity: "error", message: mistake.message }]
  },
  { delay: LINT_DELAY_MS }
)

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", backgroundColor: "var(--field)", color: "var(--text)" },
  // The page marks the focus: the numbers of the lines would cover a part of it here.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--field)", color: "var(--muted)", border: "none" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail": { color: "var(--on-accent)" },
  ".cm-lintRange-error": { backgroundImage: "none", borderBottom: "2px solid var(--danger)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" }
})

const runKeys = Prec.highest(
  keymap.of([
    {
      key: "Mod-Enter",
      run: () => {
        start()
        return true
      }
    }
  ])
)

/**
 * Replaces a selection. The browser would copy the style of the replaced text into an attribute, which the policy of the page
 * refuses.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput: ({ data, inputType }, view) => {
    const { empty, from, to } = view.state.selection.main
    if (empty || inputType !== "insertText" || data === null || view.composing) return false
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type" })
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert))
    if (!isHandled) view.dispatch(insert())
    return true
  }
})

const extensions = [
  replaceSelection,
  runKeys,
  lineNumbers(),
  history(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ override: [complete] }),
  language,
  highlighting,
  mistakes,
  theme,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": texts.query.editor }),
  // Tab leaves the editor, as in every other field: people without a mouse are not caught in it.
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
  EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) text.value = state.doc.toString()
  })
]

/** The editor. It is in a shadow root, where its styles are style sheets that the policy of the page allows. */
export const Editor = () => {
  const host = useRef<HTMLDivElement>(null)
  // The editor takes keys as soon as it is visible: an effect after the drawing would lose the first ones.
  useLayoutEffect(() => {
    const place = host.current
    if (place === null) return
    const root = place.shadowRoot ?? place.attachShadow({ mode: "open" })
    const view = new EditorView({ root, parent: root, state: EditorState.create({ doc: text.peek(), extensions }) })
    const stopFollowing = effect(() => {
      const wanted = text.value
      const present = view.state.doc.toString()
      if (wanted !== present) view.dispatch({ changes: { from: 0, to: present.length, insert: wanted } })
    })
    view.focus()
    return () => {
      stopFollowing()
      view.destroy()
    }
  }, [])
  return <div class="editor" ref={host} />
}
