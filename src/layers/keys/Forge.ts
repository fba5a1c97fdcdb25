/** node-forge, for import() of this file. See observability/PromClient.ts for the reason. */
export { default as forge } from "node-forge"
