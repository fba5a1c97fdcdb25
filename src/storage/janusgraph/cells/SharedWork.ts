/**
 * The outcome of an attempt to take work: the function that releases it, with the reason if the work failed; why it failed in another
 * process; "elsewhere" while another process that runs has it; "busy" if it is unknown at the moment.
 */
export type WorkTaking =
  | { readonly release: (failure?: string) => void }
  | { readonly failure: string }
  | "elsewhere"
  | "busy"

/** Work that one of the processes that share a store does for all, such as the build of an index. */
export interface SharedWork {
  /**
   * Takes the work of a name. `follows`: not if the last work of this name failed. Throws StorageFailure when the place of the store
   * cannot be written.
   */
  take(name: string, follows: boolean): WorkTaking
  /** Why the last work of a name failed; undefined if it did not fail, or is being done again. */
  failure(name: string): string | undefined
}
