import type { LoopbackVendor, ScriptedToolCall } from '../../support/loopback-model/index.ts'

/** An agent as data: what is installed, how it is started, and how it finds the model. */
export interface Peer {
  readonly name: string
  /** From npm, in an exact version. Undefined for the command of this clone. */
  readonly package?: { readonly name: string; readonly version: string }
  /** The file that is started, inside the package's `node_modules`, or absolute. */
  readonly program: string
  readonly args: readonly string[]
  /** The format that its model speaks. */
  readonly vendor: LoopbackVendor
  /** The call with which its model finds the tool of server0, where tools are not offered at once. */
  readonly search?: ScriptedToolCall
  /** `modelUrl` is where the model listens, without a path. */
  readonly setUp: (modelUrl: string) => SetUp
}

export interface SetUp {
  readonly env?: Readonly<Record<string, string>>
  /** Files of the home that are written before the first start, by path. */
  readonly files?: Readonly<Record<string, string>>
}

/** A peer that can be started. */
export interface Installed {
  readonly peer: Peer
  readonly command: string
  readonly args: readonly string[]
}
