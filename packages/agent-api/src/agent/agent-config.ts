import type { Logger } from '../base/logger.ts'
import type { Timing } from '../base/timing.ts'
import type { Retention } from '../config/retention.ts'
import type { Logins } from '../mcp/oauth/logins.ts'
import type { AgentServer, SessionServerPolicy } from '../policy/agent-server.ts'
import type { ReadApproval } from '../policy/approval.ts'
import type { ApprovalMode } from '../policy/approval-mode.ts'
import type { LocalTools } from '../policy/local-tools.ts'
import type { ConfiguredTool, DefinitionHeed } from '../policy/tool-config.ts'
import type { ProviderConfig } from '../provider/model.ts'
import type { ThoughtChoice } from '../provider/thought-level.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { ElicitModes } from '../servers/shared-questions.ts'
import type { CustomCommand } from '../session/project.ts'
import type { RemoteImages } from '../session/remote-images.ts'
import type { State } from '../state/state.ts'
import type { BuiltinSettings } from '../workspace/builtin-tools.ts'

/** The settings of an agent. All are optional: without any, it has the built-in tools, and asks before each call that does more than read. */
export interface AgentConfig {
  /** The name under which its grants, sessions and calls are stored. */
  readonly name?: string
  readonly systemPrompt?: string
  /** `provider/model`. Defaults to `OSTLER_MODEL`, then the first vendor with a key, then `offline`. */
  readonly model?: string
  /** `provider/model` for side work, such as titles and summaries. Defaults to the session's model. */
  readonly smallModel?: string
  /** The thinking level of new sessions. By default, the model decides. */
  readonly thoughtLevel?: ThoughtChoice
  readonly providers?: Readonly<Record<string, ProviderConfig>>
  /** The source of keys and base URLs. Defaults to the process environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The folder in which the agent's own servers start. Defaults to the home directory, because the working directory may be somebody else's project. */
  readonly cwd?: string
  /** The agent's own servers, shared by its sessions. */
  readonly mcpServers?: readonly AgentServer[]
  /**
   * Kinds of questions for the person of every session: `form`, `url`. The agent's own servers are told so.
   * Nothing by default.
   */
  readonly elicitModes?: ElicitModes
  readonly tools?: LocalTools
  /** Settings of the built-in tools by name. False: none of them is offered. */
  readonly builtinTools?: BuiltinSettings | false
  /** Files that define the agent. Built-in tools ask before they read or change them. */
  readonly ownFiles?: readonly string[]
  readonly toolbox?: { readonly maxConcurrent?: number; readonly tools?: readonly ConfiguredTool[] }
  /** Names of unused servers that `toolbox.tools` may still refer to. */
  readonly knownServers?: readonly string[]
  /** Names of session tools that `toolbox.tools` may refer to. */
  readonly sessionTools?: readonly string[]
  /** Number of searchable tools that are offered for one prompt. */
  readonly toolBudget?: number
  /** The part of the context window that may be filled before older messages are left out. Between 0 and 1; 0.8 by default. */
  readonly compactAt?: number
  /** Whether the model reads the instructions of the project, such as `AGENTS.md`. True by default. */
  readonly projectInstructions?: boolean
  /** Whether the skills of the project and of the home directory are offered. True by default. */
  readonly skills?: boolean
  /** Further slash commands. */
  readonly commands?: readonly CustomCommand[]
  /** Decides about servers that do not say it themselves. By default, what acts is asked about, and the rest is told. */
  readonly definitionChanges?: DefinitionHeed | undefined
  readonly sessionServers?: Partial<SessionServerPolicy>
  /** The lock of the servers, as `ostler mcp lock` writes it. What differs from it is left out. It need not exist. */
  readonly lockFile?: string
  readonly mode?: ApprovalMode
  readonly trustedTools?: readonly string[]
  /** Whether reading inside the session's directories needs approval. Defaults to `allow`. */
  readonly reads?: ReadApproval
  /** The folder for sessions, calls, grants and the vendors' lists of models. In memory if undefined. */
  readonly stateDir?: string
  /** An open history, instead of one in `stateDir`. It stays open when the agent ends. */
  readonly history?: State
  /** Limits on stored data, if `history` is undefined. */
  readonly retention?: Retention
  readonly maxSteps?: number
  /** Presentation of remote images. Defaults to `text`, which shows their address. */
  readonly remoteImages?: RemoteImages
  /** Maximum time that the first step of a prompt waits for connecting servers. A session waits for each start of a server once. */
  readonly connectWaitMs?: number
  /** Logins as made by `ostler mcp login`. Without them, a server that requires one fails. */
  readonly logins?: Logins
  /** For tests. */
  readonly timing?: Partial<Timing>
  readonly logger?: Logger
  readonly redactor?: Redactor
}
