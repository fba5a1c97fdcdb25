/** The version of the users, passwords and roles. */
export interface SharedVersion {
  /** What a cache has read is valid while this number is the same. */
  readonly current: () => number
  /** Something has changed: the caches of all workers are outdated. Call it before the change is acknowledged. */
  readonly changed: () => void
}
