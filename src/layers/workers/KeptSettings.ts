import type { ServerSettings } from "../../services/Config.ts"
import type { WorkerRole } from "../commands/WorkerRole.ts"
import { settingsText } from "../commands/WorkerSettings.ts"
import { version } from "../config/OwnPackage.ts"
import type { WorkerReady } from "./Calls.ts"

/**
 * The settings of the last start or reload, which workers get that replace others: a configuration that is edited has no effect before a
 * reload, and does not keep a dead worker from being replaced.
 */
export class KeptSettings {
  /** Undefined before a worker has read them, and after a reload to an earlier version, whose workers do not report them. */
  #text: string | undefined
  /** The version of the program that has read them; undefined if they are not from a configuration file. */
  #version: string | undefined

  /** @param settings undefined if a configuration file has the settings. Otherwise they never change */
  constructor(settings: ServerSettings | undefined) {
    this.#text = settings === undefined ? undefined : settingsText(settings)
    this.#version = settings === undefined ? version() : undefined
  }

  /** The settings for a new worker; undefined if it reads the configuration. `isFresh`: it is the first one of a start or reload. */
  textFor(isFresh: boolean): string | undefined {
    return isFresh && this.#version !== undefined ? undefined : this.#text
  }

  /** What a new worker is told about its settings. */
  roleFor(isFresh: boolean): Pick<WorkerRole, "asksForSettings" | "settingsVersion"> {
    if (this.textFor(isFresh) === undefined) return { asksForSettings: false }
    return { asksForSettings: true, ...(this.#version === undefined ? {} : { settingsVersion: this.#version }) }
  }

  /** The first worker of a start or reload serves. Some of its settings are shares of its heap, which the primary process does not have. */
  read({ settings, version }: Pick<WorkerReady, "settings" | "version">): void {
    if (this.#version === undefined) return
    this.#text = settings
    this.#version = version ?? this.#version
  }
}
