/** What whoever imports files may say. */
export interface ImportOptions {
  /** Label of elements of CSV that have none. */
  readonly label: string | undefined
  /** Key under which vertices keep the id that they have in the file. */
  readonly idProperty: string | undefined
  /** Files are imported also where they were before. */
  readonly again?: boolean | undefined
}
