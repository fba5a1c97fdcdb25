/**
 * Whether the same request succeeds later. "passes": it does. "mayStay": it may succeed later, or never. "stays": it fails until an
 * operator acts.
 */
export type Outlook = "passes" | "mayStay" | "stays"
