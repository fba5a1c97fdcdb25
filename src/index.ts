export * from "./services/Config.ts"
