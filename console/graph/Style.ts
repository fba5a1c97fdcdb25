import { signal } from "@preact/signals"
import { cellText } from "../results/Columns.ts"
import type { Vertex } from "../wire/Values.ts"

/** Colours that differ in lightness, too, so that people who see few colours can tell them apart. */
const PALETTE = [
  "#3b6fd4",
  "#d9772b",
  "#2f9e6e",
  "#b5489a",
  "#8a6d1f",
  "#5b5bd6",
  "#c43d3d",
  "#1f8a9e",
  "#6b7280",
  "#8fae1b"
]

/** Colour and caption that the user chose for a label. */
interface LabelStyle {
  readonly colour?: string
  /** A property key, `id` or `label`. */
  readonly caption?: string
}

/** What the user chose, by label. */
export const styles = signal<ReadonlyMap<string, LabelStyle>>(new Map())

/** Sets the colour or the caption of a label. */
export const setStyle = (label: string, style: LabelStyle): void => {
  styles.value = new Map(styles.value).set(label, { ...styles.value.get(label), ...style })
}

const assigned = new Map<string, string>()

/** The colour of a label. */
export const colourOf = (label: string): string => {
  const chosen = styles.value.get(label)?.colour
  if (chosen !== undefined) return chosen
  const known = assigned.get(label)
  if (known !== undefined) return known
  const colour = PALETTE[assigned.size % PALETTE.length] ?? "#3b6fd4"
  assigned.set(label, colour)
  return colour
}

/** Keys that usually name a thing, in this order. */
export const NAMING_KEYS = ["name", "title", "code", "label", "username", "email", "key"]
const MAX_CAPTION_CHARS = 24

/** The text under a vertex. */
export const captionOf = ({ id, label, properties }: Vertex): string => {
  const chosen = styles.value.get(label)?.caption
  const key = chosen ?? NAMING_KEYS.find((name) => properties.has(name)) ?? "id"
  const value = key === "label" ? label : key === "id" ? id.text : cellText(properties.get(key)?.[0]?.value)
  const text = value === "" ? id.text : value
  return text.length > MAX_CAPTION_CHARS ? `${text.slice(0, MAX_CAPTION_CHARS - 1)}…` : text
}
