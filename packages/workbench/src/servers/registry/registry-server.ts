/** A page of servers from a registry, or the one of a `server.json`. Reading it starts nothing. */
export interface RegistryList {
  readonly servers: readonly RegistryServer[]
  /** Entries that could not be read at all. Entries that were read but cannot be run are servers with refusals. */
  readonly skipped: readonly SkippedEntry[]
  /** The beginning of the next page. */
  readonly nextCursor?: string
}

export interface SkippedEntry {
  readonly name: string
  readonly reason: string
}

/** A version of a server. Its texts have no hidden characters, and a limited length. */
export interface RegistryServer {
  /** `io.github.user/weather` */
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description: string
  readonly websiteUrl?: string
  readonly repositoryUrl?: string
  readonly status: 'active' | 'deprecated' | 'deleted'
  /** The reason for its status. */
  readonly statusMessage?: string
  readonly isLatest?: boolean
  /** Ways to run it: remote servers first, because they start nothing on this machine. */
  readonly ways: readonly RegistryWay[]
  /** Ways that Ostler does not support, and why. */
  readonly refused: readonly RefusedWay[]
}

export interface RefusedWay {
  readonly label: string
  readonly reason: string
}

/** A way to run a server. */
export interface RegistryWay {
  /** Unique within its server: `http`, `npm`, `oci-2`. */
  readonly id: string
  /** The package or address, for a person: `npm @example/weather@1.0.2`. */
  readonly label: string
  readonly launch: Launch
  /** Values to ask for, in their order. */
  readonly inputs: readonly RegistryInput[]
  readonly notes: readonly string[]
}

export type Launch =
  | {
      readonly type: 'stdio'
      readonly command: string
      readonly args: readonly ArgumentTemplate[]
      readonly env: readonly PairTemplate[]
    }
  | { readonly type: 'http' | 'sse'; readonly url: Template; readonly headers: readonly PairTemplate[] }

/** A text with places for answers. */
export type Template = readonly (string | InputPlace)[]

export interface InputPlace {
  /** The id of an input. */
  readonly input: string
}

/** Words of a command line. They are left out if an input of theirs has no value. */
export interface ArgumentTemplate {
  readonly words: readonly Template[]
  /** The words are repeated for each answer of a list. */
  readonly isRepeated?: boolean
  /** A flag without a value: present if this input is `true`. */
  readonly flagOf?: string
  /** Further inputs. Without their values, the words are left out. */
  readonly needs?: readonly string[]
}

/** An environment variable or a header. Left out if an input of its value has no value. */
export interface PairTemplate {
  readonly name: string
  readonly value: Template
}

export interface RegistryInput {
  /** Unique within its way: `env.API_KEY`, `header.Authorization.token`, `arg.--port`, `url.tenant`. */
  readonly id: string
  readonly kind: 'env' | 'header' | 'arg' | 'url'
  /** The name that the author gave it: `API_KEY`, `token`, `--port`. */
  readonly name: string
  readonly description?: string
  readonly isRequired: boolean
  /** Not to be shown while it is typed. */
  readonly isSecret: boolean
  readonly default?: string
  readonly choices?: readonly string[]
  readonly placeholder?: string
  readonly format: 'string' | 'number' | 'boolean' | 'filepath'
  /** True if an answer may be a list. */
  readonly isRepeated: boolean
}

/** A value, several for a repeated argument, or the name of a variable of the environment in which the agent starts. */
export type RegistryAnswer = string | readonly string[] | { readonly variable: string }

/** Answers by the id of their input. An empty text does not count as an answer. */
export type RegistryAnswers = Readonly<Record<string, RegistryAnswer>>
