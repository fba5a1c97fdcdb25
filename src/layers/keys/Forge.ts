/** node-forge, for import() of this file; see observability/PromClient.ts. */
export { default as forge } from "node-forge"
