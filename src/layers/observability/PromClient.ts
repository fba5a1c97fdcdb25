/**
 * prom-client, for import() of this file: a bundler gives a CommonJS package that import() names directly a default
 * export only, and none of its names.
 */
export { collectDefaultMetrics, Registry } from "prom-client"
