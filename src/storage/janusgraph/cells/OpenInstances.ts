/** The registry of the processes that have a store open. */
export interface OpenInstances {
  /** The name of this process. */
  readonly name: string
  /** All registered processes. `started` is the time of registration (ISO 8601), where it is known. */
  list(): Promise<ReadonlyArray<{ readonly name: string; readonly started: string | undefined }>>
  /** True for this process and for the other running workers of its server. */
  isOfServer(name: string): boolean
  /**
   * Removes a process that crashed. Fails with StorageFailure for one of this server, for a process that is not registered,
   * and for one that registered after `asked` (microseconds since the epoch).
   */
  forceClose(name: string, asked: bigint): Promise<void>
}
