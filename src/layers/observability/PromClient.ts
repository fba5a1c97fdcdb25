/**
 * prom-client, for import() of this file: a bundler gives a CommonJS package only a default export when import() names it
 * directly.
 */
export { collectDefaultMetrics, Registry } from "prom-client"
