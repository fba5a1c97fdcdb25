/** The version of TinkerPop whose language and protocol this server has. */
export const TINKERPOP_VERSION = "3.8.2"
