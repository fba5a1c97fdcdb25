import { useSignal } from "@preact/signals"
import { useMemo, useRef } from "preact/hooks"
import { isReadOnly, start, text } from "../query/Query.ts"
import { type ExportFormat, exportResults } from "../results/Exports.ts"
import { chosen } from "../results/Form.ts"
import { collect, messageOf, source } from "../shell/Server.ts"
import { view } from "../shell/View.ts"
import { texts } from "../texts.ts"
import { readFile } from "./GraphFile.ts"
import { finish, hasSample, isFinished, load } from "./GraphImport.ts"
import type { ChosenTypes, ParsedFile } from "./ParsedFile.ts"
import { Preview } from "./Preview.tsx"
import { airRoutes, modern, samples } from "./Samples.ts"

const words = texts.data

/** What the page is doing, or has done. */
interface Progress {
  readonly made: number
  readonly all: number
  readonly note: string
  readonly problem: string
  readonly hasLoaded: boolean
  /** A sample that the graph of a traversal source has already. */
  readonly again: { readonly file: ParsedFile; readonly from: string } | null
}

const IDLE: Progress = { made: 0, all: 0, note: "", problem: "", hasLoaded: false, again: null }

const isBusy = ({ all, made, problem }: Progress): boolean => made < all && problem === ""

const sizeOf = ({ edges, vertices }: ParsedFile): number => vertices.length + edges.length

/** Sample graphs, import and export. */
export const DataPage = () => {
  const progress = useSignal(IDLE)
  /** False while another file is being loaded: two quick clicks would load a sample twice. */
  const begin = (file: ParsedFile): boolean => {
    if (isBusy(progress.value)) return false
    progress.value = { ...IDLE, all: sizeOf(file) }
    return true
  }
  const put = async (file: ParsedFile, endKey: string, from: string): Promise<boolean> =>
    begin(file) && loadAll(file, endKey, from)
  /** Returns whether the elements are in the graph. */
  const loadAll = async (file: ParsedFile, endKey: string, from: string): Promise<boolean> => {
    const all = sizeOf(file)
    const report = (made: number): void => {
      progress.value = { ...IDLE, all, made }
    }
    try {
      await load(file, endKey, report, from)
      const note = words.loaded(file.vertices.length, file.edges.length)
      progress.value = { ...progress.value, note, hasLoaded: true }
      return true
    } catch (error) {
      const { made } = progress.value
      const kept = made === 0 ? "" : `\n${words.kept(made, all)}`
      progress.value = { ...progress.value, problem: `${messageOf(error)}${kept}`, hasLoaded: made > 0 }
      return false
    }
  }
  const isClosed = isReadOnly.value || isBusy(progress.value)
  const sample = async (name: keyof typeof samples, file: ParsedFile): Promise<void> => {
    if (!begin(file)) return
    // The user may choose another source during the search. The sample belongs to the one of the click.
    const from = source.value
    if (await hasSample(samples[name], from)) {
      progress.value = { ...IDLE, note: words.sampleThere, again: { file, from } }
    } else await loadAll(file, "", from)
  }
  const { again } = progress.value
  return (
    <section class="page" aria-label={texts.views.data}>
      {isReadOnly.value && <p class="note">{words.readOnly}</p>}
      <h2>{words.samples}</h2>
      <div class="toolbar flush">
        <button type="button" disabled={isClosed} onClick={() => void sample("modern", modern)}>
          {words.modern}
        </button>
        <button type="button" disabled={isClosed} onClick={() => void sample("airRoutes", airRoutes())}>
          {words.routes}
        </button>
      </div>
      <Status progress={progress.value} />
      {again !== null && (
        <button type="button" disabled={isClosed} onClick={() => void put(again.file, "", again.from)}>
          {words.again}
        </button>
      )}
      <Import isClosed={isClosed} onImport={put} />
      <Export
        onDone={(end) => {
          progress.value = { ...IDLE, hasLoaded: progress.value.hasLoaded, ...end }
        }}
      />
    </section>
  )
}

/** The query that shows what an import has made. */
const SEEN = "g.V().limit(100)"

const Status = ({ progress: { all, hasLoaded, made, note, problem } }: { readonly progress: Progress }) => (
  <>
    {all > 0 && <progress aria-label={words.import} max={all} value={made} />}
    <p role="status" class="note">
      {note !== "" ? note : all > 0 ? words.progress(made, all) : ""}
    </p>
    {hasLoaded && (
      <button
        type="button"
        onClick={() => {
          text.value = SEEN
          chosen.value = "graph"
          view.value = "query"
          start()
        }}
      >
        {words.see}
      </button>
    )}
    {problem !== "" && (
      <p class="error" role="alert">
        {problem}
      </p>
    )}
  </>
)

interface Chosen {
  readonly name: string
  readonly text: string
  /** The file is not in UTF-8: some of its letters would be read as others. */
  readonly isForeign: boolean
}

/** Reads a file that the user has chosen. */
const chosenFile = async (file: File): Promise<Chosen> => {
  const bytes = await file.arrayBuffer()
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return { name: file.name, text, isForeign: false }
  } catch {
    return { name: file.name, text: "", isForeign: true }
  }
}

interface ImportProps {
  readonly isClosed: boolean
  readonly onImport: (file: ParsedFile, endKey: string, from: string) => Promise<boolean>
}

const parsed = (
  { isForeign, name, text }: Chosen,
  label: string,
  types: ChosenTypes
): { readonly file: ParsedFile } | { readonly problem: string } => {
  if (isForeign) return { problem: words.cannot(words.notUtf8) }
  try {
    return { file: readFile(name, text, label === "" ? "vertex" : label, types) }
  } catch (error) {
    return { problem: words.cannot(messageOf(error)) }
  }
}

/** What a chosen file has. The page is drawn after each batch of an import: a long file is not read again for that. */
const useParsed = (chosen: Chosen | null, label: string, types: ChosenTypes) => {
  const into = source.value
  const found = useMemo(() => (chosen === null ? undefined : parsed(chosen, label, types)), [chosen, label, types])
  const isRepeated = useMemo(() => chosen !== null && isFinished(chosen.text), [chosen, into])
  return { found, isRepeated }
}

const Import = ({ isClosed, onImport }: ImportProps) => {
  const chosen = useSignal<Chosen | null>(null)
  const label = useSignal("")
  const endKey = useSignal("")
  const types = useSignal<ChosenTypes>(new Map())
  const last = useRef<ParsedFile | null>(null)
  const isOver = useSignal(false)
  const take = async (file: File | null | undefined): Promise<void> => {
    isOver.value = false
    if (!file) return
    chosen.value = await chosenFile(file)
    label.value = file.name.replace(/\.[^.]*$/, "")
    types.value = new Map()
    endKey.value = ""
    last.current = null
  }
  const put = async (file: ParsedFile, { text }: Chosen): Promise<void> => {
    const from = source.value
    if (!(await onImport(file, endKey.value.trim(), from))) return
    finish(text, from)
    // A second press of the button would make all elements again.
    if (chosen.value?.text === text) chosen.value = null
  }
  const { found, isRepeated } = useParsed(chosen.value, label.value, types.value)
  // A type that does not fit leaves the preview, where the user can choose another one.
  if (found !== undefined && "file" in found) last.current = found.file
  const shown = found !== undefined && "problem" in found && types.value.size === 0 ? null : last.current
  return (
    <>
      <h2>{words.import}</h2>
      <label
        class={isOver.value ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault()
          isOver.value = true
        }}
        onDragLeave={() => {
          isOver.value = false
        }}
        onDrop={(event) => {
          event.preventDefault()
          void take(event.dataTransfer?.files[0])
        }}
      >
        {words.drop}
        <input
          type="file"
          accept=".csv,.json,.jsonl,.graphson,.graphml,.xml"
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0])
            // The same file may be chosen again.
            currentTarget.value = ""
          }}
        />
      </label>
      {found !== undefined && "problem" in found && (
        <p class="error" role="alert">
          {found.problem}
        </p>
      )}
      {shown !== null && chosen.value !== null && (
        <Preview
          name={chosen.value.name}
          isRepeated={isRepeated}
          file={shown}
          label={label}
          endKey={endKey}
          types={types}
          isClosed={isClosed || (found !== undefined && "problem" in found)}
          onImport={(file) => chosen.value !== null && void put(file, chosen.value)}
        />
      )}
    </>
  )
}

const Export = ({
  onDone
}: {
  readonly onDone: (end: { readonly note: string } | { readonly problem: string }) => void
}) => {
  const save = async (format: ExportFormat): Promise<void> => {
    try {
      const note = exportResults([...(await collect("g.V()")), ...(await collect("g.E()"))], format)
      onDone({ note })
    } catch (error) {
      onDone({ problem: messageOf(error) })
    }
  }
  return (
    <>
      <h2>{words.export}</h2>
      <div class="toolbar flush">
        {(["csv", "json", "graphml"] as const).map((format) => (
          <button type="button" key={format} onClick={() => void save(format)}>
            {{ csv: "CSV", json: "JSON", graphml: "GraphML" }[format]}
          </button>
        ))}
        <span class="note">{words.exportNote}</span>
      </div>
    </>
  )
}
