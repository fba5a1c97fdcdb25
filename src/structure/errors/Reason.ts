/** The message of a thrown value, for a sentence that says why something failed. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
