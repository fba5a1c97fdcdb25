import { signal } from "@preact/signals"
import { texts } from "../texts.ts"

/** The pages of the console. */
export type View = keyof typeof texts.views

/** All pages, in the order of the navigation. */
export const views = Object.keys(texts.views) as ReadonlyArray<View>

/** The page that is shown. */
export const view = signal<View>("query")
