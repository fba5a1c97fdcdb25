/** The options of an import. */
export interface ImportOptions {
  /** Default label of elements of CSV. */
  readonly label: string | undefined
  /** Key under which vertices store the id that they have in the file. */
  readonly idProperty: string | undefined
  /** Imports files again that were imported before. */
  readonly again?: boolean | undefined
}
