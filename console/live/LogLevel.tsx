import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { about, changeJson, messageOf, readJson } from "../shell/Server.ts"
import { texts } from "../texts.ts"

const words = texts.live

/** What `/log-level` answers. */
interface Level {
  readonly level: string
  readonly configured: string
  readonly levels: ReadonlyArray<string>
}

/** The level of the server's log, and its change. Only for users who may operate the server. */
export const LogLevel = () => {
  const known = useSignal<Level | null>(null)
  const trouble = useSignal("")
  const ask = async (answer: Promise<unknown>): Promise<void> => {
    try {
      known.value = (await answer) as Level
      trouble.value = ""
    } catch (error) {
      trouble.value = messageOf(error)
    }
  }
  const operates = about.value?.operates === true
  useEffect(() => {
    if (operates) void ask(readJson("log-level"))
  }, [operates])
  if (!operates) return null
  return (
    <>
      <h2>{words.log}</h2>
      {known.value !== null && (
        <div class="toolbar flush">
          <label class="check">
            {words.level}
            <select
              value={known.value.level}
              onChange={({ currentTarget: { value } }) => void ask(changeJson("log-level", "PUT", { level: value }))}
            >
              {known.value.levels.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            disabled={known.value.level === known.value.configured}
            onClick={() => void ask(changeJson("log-level", "DELETE"))}
          >
            {words.backTo(known.value.configured)}
          </button>
          <span class="note">{words.levelNote}</span>
        </div>
      )}
      {trouble.value !== "" && <p class="note">{trouble.value}</p>}
    </>
  )
}
