import { signal } from "@preact/signals"

/** The forms in which results are shown. */
export type Form = "table" | "json" | "graph" | "chart" | "profile"

/** The form that the user chose last. It is used wherever it fits. */
export const chosen = signal<Form>("graph")
