/** How CSV is read. */
export interface CsvReading {
  /** The character between fields. Default: a comma. */
  readonly delimiter?: string | undefined
  /** New columns by the names of the files, as `name` or `name:Type`. */
  readonly columns?: ReadonlyMap<string, string> | undefined
}

/** Labels of elements of CSV and GraphML that have none. */
export interface DefaultLabels {
  readonly label?: string | undefined
  /** This and `edgeLabel` precede `label`. */
  readonly vertexLabel?: string | undefined
  /** It also replaces the label `edge` of a file of any format if the graph does not accept it. */
  readonly edgeLabel?: string | undefined
}

/** The options of an import. */
export interface ImportOptions extends CsvReading, DefaultLabels {
  /** Key under which vertices store the id that they have in the file. */
  readonly idProperty: string | undefined
  /** A vertex whose id the graph has under `idProperty` is changed, and not added. */
  readonly upsert?: boolean | undefined
  /** Imports files again that were imported before. */
  readonly again?: boolean | undefined
}
