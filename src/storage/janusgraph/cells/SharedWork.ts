/** Work that one of the processes that share a store does for all, such as the build of an index. */
export interface SharedWork {
  /**
   * Takes the work of a name. Returns a function that releases it, with the reason if the work failed; undefined while another process
   * that runs has it. Throws StorageFailure when the place of the store cannot be written.
   */
  take(name: string): ((failure?: string) => void) | undefined
  /** Why the last work of a name failed; undefined if it did not fail, or is being done again. */
  failure(name: string): string | undefined
}
