import type { AvailableCommand, SessionConfigOption, SessionUpdate } from '@agentclientprotocol/sdk'
import type { ApprovalMode, ChatSession, ModelChoice } from '@ostler/agent-api'
import { toAcpCommand } from './to-acp-commands.ts'
import { toAcpConfigOptions, toModelMenu } from './to-acp-config-options.ts'

/** What the editor believes of a session's title and settings, and how it learns of a change: once, and only of what it does not know yet. */
export interface EditorView {
  readonly configOptions: SessionConfigOption[]
  /** Sends what is new. Nothing happens when the editor knows it all. */
  sync(): void
  /** Settles when nothing is on its way to the editor any more. Never rejects. */
  synced(): Promise<void>
  /** The editor has just said so itself, by the one way or the other; the other still has to be told. */
  learnMode(mode: ApprovalMode): void
  learnConfig(settings: { readonly mode?: ApprovalMode; readonly model?: string }): void
}

export interface EditorViewOptions {
  readonly chat: Pick<ChatSession, 'title' | 'updatedAt' | 'mode' | 'model' | 'commands'>
  readonly models: readonly ModelChoice[]
  readonly send: (update: SessionUpdate) => Promise<void>
}

export function createEditorView({ chat, models, send }: EditorViewOptions): EditorView {
  const menu = toModelMenu(chat.model, models)
  const configOf = (settings: { readonly mode?: ApprovalMode; readonly model?: string } = {}) =>
    toAcpConfigOptions({ mode: chat.mode, model: chat.model, models: menu, ...settings })
  let title: string | undefined
  let mode = chat.mode
  let config = JSON.stringify(configOf())
  let commands: string | undefined
  let sending: Promise<void> | undefined

  return {
    get configOptions() {
      return configOf()
    },
    sync() {
      // One at a time: while the editor is slow, changes add up and only their sum is sent.
      sending ??= sendNews().finally(() => (sending = undefined))
    },
    async synced() {
      await sending
    },
    learnMode(value) {
      mode = value
    },
    learnConfig(settings) {
      config = JSON.stringify(configOf(settings))
    },
  }

  async function sendNews(): Promise<void> {
    try {
      for (let update = nextNews(); update !== undefined; update = nextNews()) await send(update)
    } catch {
      // The editor is gone, and whoever reads from it finds out.
    }
  }

  function nextNews(): SessionUpdate | undefined {
    const availableCommands: AvailableCommand[] = chat.commands.map(toAcpCommand)
    const configOptions = configOf()
    if (title !== (title = chat.title))
      return { sessionUpdate: 'session_info_update', title: chat.title ?? null, updatedAt: chat.updatedAt }
    if (commands !== (commands = JSON.stringify(availableCommands)))
      return { sessionUpdate: 'available_commands_update', availableCommands }
    if (mode !== (mode = chat.mode)) return { sessionUpdate: 'current_mode_update', currentModeId: chat.mode }
    if (config !== (config = JSON.stringify(configOptions))) return { sessionUpdate: 'config_option_update', configOptions }
    return undefined
  }
}
