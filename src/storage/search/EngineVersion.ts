/** The first version of Elasticsearch that refuses the parameters of trees for the fields of new indexes. */
const FIRST_WITHOUT_TREES = 8

/** What an engine says about itself, as far as it matters. */
interface Described {
  readonly version?: { readonly number?: string; readonly distribution?: string }
}

/**
 * Whether an engine takes fields of shapes as prefix trees: OpenSearch does, and Elasticsearch before version 8. An engine that is not
 * understood counts as one that does.
 *
 * @param json the engine's answer to `GET /`
 */
export const takesTrees = (json: string): boolean => {
  try {
    const { version } = JSON.parse(json) as Described
    // Elasticsearch names no distribution.
    if (version?.distribution !== undefined) return true
    return !(Number.parseInt(version?.number ?? "", 10) >= FIRST_WITHOUT_TREES)
  } catch {
    return true
  }
}
