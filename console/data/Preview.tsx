import { cellText } from "../results/Columns.ts"
import { texts } from "../texts.ts"
import type { Value } from "../wire/Values.ts"
import type { ChosenTypes, ParsedFile } from "./ParsedFile.ts"

const words = texts.data

interface PreviewProps {
  /** The name of the file. */
  readonly name: string
  /** A file with this content is in the graph already. */
  readonly isRepeated: boolean
  readonly isClosed: boolean
  readonly onImport: (file: ParsedFile) => void
  readonly file: ParsedFile
  readonly label: { value: string }
  /** The key by whose values edges name vertices of the graph. */
  readonly endKey: { value: string }
  readonly types: { value: ChosenTypes }
}

/** Elements that the preview shows. */
const PREVIEWED_ELEMENTS = 5

/** The first elements of a file, and the types of its columns, before it is imported. */
export const Preview = ({ endKey, file, isClosed, isRepeated, label, name, onImport, types }: PreviewProps) => {
  const rows = file.vertices.length > 0 ? file.vertices : file.edges
  return (
    <section class="panel" aria-label={words.preview}>
      <h3>{name}</h3>
      {isRepeated && <p class="note">{words.repeated}</p>}
      <div class="toolbar flush">
        <label class="check">
          {words.vertexLabel}
          <input
            value={label.value}
            onInput={(event) => {
              label.value = event.currentTarget.value
            }}
          />
        </label>
        {file.edges.length > 0 && file.vertices.length === 0 && (
          <label class="check">
            {words.endKey}
            <input
              value={endKey.value}
              onInput={(event) => {
                endKey.value = event.currentTarget.value
              }}
            />
          </label>
        )}
        <span class="note">{texts.graph.drawn(file.vertices.length, file.edges.length)}</span>
        <button type="button" class="primary" disabled={isClosed} onClick={() => onImport(file)}>
          {words.start}
        </button>
      </div>
      {file.vertices.length > 0 && file.columns.some(({ type }) => type === "id") && <p class="note">{words.idNote}</p>}
      {file.edges.length > 0 && file.vertices.length === 0 && <p class="note">{words.endNote}</p>}
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.graph.label}</th>
              {file.columns.map((column) => (
                <th scope="col" key={column.name}>
                  {column.name} <ColumnType column={column} types={types} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, PREVIEWED_ELEMENTS).map((row, at) => (
              <tr key={at}>
                <td>{row.label}</td>
                {file.columns.map(({ name, type }) => (
                  <td key={name}>{cellText(cellOf(row, name, type))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The type of a column. For a file that does not say it, the user may choose another one. */
const ColumnType = ({
  column: { choices, name, type },
  types
}: {
  readonly column: ParsedFile["columns"][number]
  readonly types: PreviewProps["types"]
}) =>
  choices === undefined ? (
    <span class="note">{type}</span>
  ) : (
    <select
      aria-label={words.typeOf(name)}
      value={types.value.get(name) ?? type}
      onChange={({ currentTarget: { value } }) => {
        types.value = new Map(types.value).set(name, value)
      }}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )

const cellOf = (
  row: ParsedFile["vertices"][number] | ParsedFile["edges"][number],
  name: string,
  role: string
): Value | undefined => {
  if (role === "label") return row.label
  if (role === "id" && "key" in row) return row.key
  if (role === "from" && "from" in row) return row.from
  if (role === "to" && "to" in row) return row.to
  return row.properties.find(({ key }) => key === name)?.value
}
