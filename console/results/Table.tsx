import { useSignal } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { texts } from "../texts.ts"
import type { Value } from "../wire/Values.ts"
import { type Column, Columns, cellText, MAX_SHOWN_COLUMNS } from "./Columns.ts"
import { orderOf } from "./RowOrder.ts"

const ROW_PIXELS = 28
/** Rows that are drawn before and after the visible ones. */
const SPARE_ROWS = 12

interface Sorting {
  readonly column: Column | null
  readonly isDescending: boolean
}

/** Results as a table. Only the visible rows are in the page. */
export const Table = ({ count, values }: { readonly values: ReadonlyArray<Value>; readonly count: number }) => {
  const columns = useMemo(() => new Columns(values, MAX_SHOWN_COLUMNS), [values])
  const filter = useSignal("")
  const sorting = useSignal<Sorting>({ column: null, isDescending: false })
  const order = useSignal<Uint32Array | null>(null)
  const all = columns.all()
  const { column, isDescending } = sorting.value
  useEffect(() => {
    if (filter.value === "" && column === null) {
      order.value = null
      return
    }
    let isOutdated = false
    void orderOf(values, all, { filter: filter.value, by: column, isDescending }, () => isOutdated).then((found) => {
      if (found !== undefined && !isOutdated) order.value = found
    })
    return () => {
      isOutdated = true
    }
  }, [values, count, filter.value, column, isDescending])
  const shown = order.value?.length ?? count
  const at = (row: number): Value => values[order.value === null ? row : (order.value[row] ?? 0)] ?? null
  return (
    <div class="table-view">
      <div class="toolbar">
        <input
          type="search"
          aria-label={texts.results.filter}
          placeholder={texts.results.filter}
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value
          }}
        />
        {shown !== count && <span class="note">{texts.results.shown(shown, count)}</span>}
        {columns.left > 0 && <span class="note">{texts.results.columnsLeft(columns.left)}</span>}
      </div>
      <Rows
        columns={all}
        shown={shown}
        at={at}
        sorting={sorting.value}
        onSort={(next) => {
          const same = sorting.value.column?.id === next.id
          if (!same) sorting.value = { column: next, isDescending: false }
          else if (!isDescending) sorting.value = { column: next, isDescending: true }
          else sorting.value = { column: null, isDescending: false }
        }}
      />
    </div>
  )
}

interface RowsProps {
  readonly columns: ReadonlyArray<Column>
  readonly shown: number
  readonly at: (row: number) => Value
  readonly sorting: Sorting
  readonly onSort: (column: Column) => void
}

const Rows = ({ at, columns, onSort, shown, sorting }: RowsProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const height = scroller.current?.clientHeight ?? 600
  const first = Math.max(0, Math.floor(top.value / ROW_PIXELS) - SPARE_ROWS)
  const last = Math.min(shown, Math.ceil((top.value + height) / ROW_PIXELS) + SPARE_ROWS)
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  return (
    <section
      class="rows"
      ref={scroller}
      aria-label={texts.results.table}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop
      }}
    >
      <table aria-rowcount={shown + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={first} width={columns.length} />
          {rows.map((row) => (
            <tr key={row} aria-rowindex={row + 2}>
              {columns.map((column) => {
                const value = column.of(at(row))
                return (
                  <td key={column.id} class={typeof value === "number" ? "number" : undefined}>
                    {cellText(value)}
                  </td>
                )
              })}
            </tr>
          ))}
          <Spacer rows={shown - last} width={columns.length} />
        </tbody>
      </table>
    </section>
  )
}

const Heading = ({ column, onSort, sorting }: Pick<RowsProps, "onSort" | "sorting"> & { readonly column: Column }) => {
  const isSorted = sorting.column?.id === column.id
  const direction = sorting.isDescending ? "descending" : "ascending"
  return (
    <th scope="col" aria-sort={isSorted ? direction : undefined}>
      <button type="button" onClick={() => onSort(column)} title={texts.results.sort(column.name)}>
        {column.name}
        {isSorted ? (sorting.isDescending ? " ↓" : " ↑") : ""}
      </button>
    </th>
  )
}

const Spacer = ({ rows, width }: { readonly rows: number; readonly width: number }) =>
  rows <= 0 ? null : (
    <tr style={{ height: `${rows * ROW_PIXELS}px` }}>
      <td colSpan={Math.max(1, width)} />
    </tr>
  )
