import type { AskedValue } from '../import/asked-values.ts'

/** Reading it starts nothing. */
export interface RegistryList {
  readonly servers: readonly RegistryServer[]
  /** They could not be read at all. Entries that were read but cannot be run are servers with refusals. */
  readonly skipped: readonly SkippedEntry[]
}

export interface SkippedEntry {
  readonly name: string
  readonly reason: string
}

/** Its texts have no hidden characters, and a limited length. */
export interface RegistryServer {
  /** `io.github.user/weather` */
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description: string
  readonly websiteUrl?: string
  readonly repositoryUrl?: string
  readonly status: 'active' | 'deprecated' | 'deleted'
  readonly statusMessage?: string
  /** Remote servers first, because they start nothing on this machine. */
  readonly ways: readonly RegistryWay[]
  readonly refused: readonly RefusedWay[]
}

export interface RefusedWay {
  readonly label: string
  readonly reason: string
}

export interface RegistryWay {
  /** Unique within its server: `http`, `npm`, `oci-2`. */
  readonly id: string
  /** For a person: `npm @example/weather@1.0.2`. */
  readonly label: string
  readonly launch: Launch
  /** Their ids are unique within the way: `env.API_KEY`, `header.Authorization.token`, `arg.--port`, `url.tenant`. */
  readonly inputs: readonly AskedValue[]
  readonly notes: readonly string[]
}

type Launch =
  | {
      readonly type: 'stdio'
      readonly command: string
      readonly args: readonly ArgumentTemplate[]
      readonly env: readonly PairTemplate[]
    }
  | { readonly type: 'http' | 'sse'; readonly url: Template; readonly headers: readonly PairTemplate[] }

export type Template = readonly (string | InputPlace)[]

export interface InputPlace {
  readonly input: string
}

/** Words of a command line. Omitted if an input that they refer to, or need, is empty. */
export interface ArgumentTemplate {
  readonly words: readonly Template[]
  readonly needs?: readonly string[]
}

/** Omitted if an input it refers to is empty. */
export interface PairTemplate {
  readonly name: string
  readonly value: Template
}

/** A value, or the name of a variable of the environment in which the agent starts. */
export type RegistryAnswer = string | { readonly variable: string }

/** Answers by the id of their input. An empty text does not count as an answer. */
export type RegistryAnswers = Readonly<Record<string, RegistryAnswer>>
