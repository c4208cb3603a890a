import type { AvailableCommand, SessionConfigOption, SessionUpdate } from '@agentclientprotocol/sdk'
import type { ApprovalMode, ChatSession } from '@ostler/agent-api'
import type { ModelChoice, ThoughtLevel, SlashCommand } from '@ostler/agent-api/internal'
import { toAcpConfigOptions, toModelMenu, type Settings } from './to-acp-config-options.ts'
import { toIconMeta } from './to-icon-meta.ts'

export type EditorView = ReturnType<typeof createEditorView>

type ChangedSettings = Partial<Pick<Settings, 'mode' | 'model' | 'thoughtLevel'>>

interface EditorViewOptions {
  readonly chat: Pick<ChatSession, 'title' | 'updatedAt' | 'mode' | 'model' | 'thoughtLevel' | 'commands'>
  readonly modes: () => readonly ApprovalMode[]
  readonly thoughtLevelsOf: (model: string) => readonly ThoughtLevel[]
  readonly models: () => readonly ModelChoice[]
  readonly send: (update: SessionUpdate) => Promise<void>
}

/** The state of a session as the editor knows it. Lists are stored as JSON. */
interface Known {
  readonly title: string | undefined
  readonly commands: string | undefined
  readonly mode: ApprovalMode
  readonly config: string
}

const toldInOrder = ['title', 'commands', 'mode', 'config'] as const

/** The editor's view of a session's title and settings. Sends each change once, and only what the editor does not know yet. */
export function createEditorView({ chat, modes, models, thoughtLevelsOf, send }: EditorViewOptions) {
  /** Models that the session had. They stay in the menu, which may not list them. */
  const used = new Set<string>()
  const configOf = (changed: ChangedSettings = {}) => {
    const { mode, model, thoughtLevel } = {
      mode: chat.mode,
      model: chat.model,
      thoughtLevel: chat.thoughtLevel,
      ...changed,
    }
    used.add(chat.model)
    return toAcpConfigOptions({
      mode,
      modes: modes(),
      model,
      models: toModelMenu(new Set([...used, model]), models()),
      thoughtLevel,
      thoughtLevels: thoughtLevelsOf(model),
    })
  }
  let known: Known = {
    title: undefined,
    commands: undefined,
    mode: chat.mode,
    config: JSON.stringify(configOf()),
  }
  let sending: Promise<void> | undefined

  return {
    get configOptions(): SessionConfigOption[] {
      return configOf()
    },
    sync(): void {
      // Sends one update at a time. While the editor is slow, changes accumulate and only the result is sent.
      sending ??= sendNews().finally(() => (sending = undefined))
    },
    /** Settles once nothing is being sent. Never rejects. */
    async synced(): Promise<void> {
      await sending
    },
    /** Records a change made by the editor through one of the two interfaces. The other one still has to be updated. */
    learnMode(value: ApprovalMode): void {
      known = { ...known, mode: value }
    },
    learnConfig(settings: ChangedSettings): void {
      known = { ...known, config: JSON.stringify(configOf(settings)) }
    },
  }

  async function sendNews(): Promise<void> {
    try {
      for (let update = nextNews(); update !== undefined; update = nextNews()) await send(update)
    } catch {
      // The editor is gone. The reader also notices that.
    }
  }

  /** Records one difference and returns the update that reports it. */
  function nextNews(): SessionUpdate | undefined {
    const availableCommands: AvailableCommand[] = chat.commands.map(toAcpCommand)
    const configOptions = configOf()
    const now: Known = {
      title: chat.title,
      commands: JSON.stringify(availableCommands),
      mode: chat.mode,
      config: JSON.stringify(configOptions),
    }
    const news = toldInOrder.find((what) => now[what] !== known[what])
    if (news === undefined) return undefined
    known = { ...known, [news]: now[news] }
    switch (news) {
      case 'title':
        return { sessionUpdate: 'session_info_update', title: chat.title ?? null, updatedAt: chat.updatedAt }
      case 'commands':
        return { sessionUpdate: 'available_commands_update', availableCommands }
      case 'mode':
        return { sessionUpdate: 'current_mode_update', currentModeId: chat.mode }
      case 'config':
        return { sessionUpdate: 'config_option_update', configOptions }
    }
  }
}

export function toAcpCommand({ name, description, hint, icons = [] }: SlashCommand): AvailableCommand {
  return { name, description, ...(hint !== undefined && { input: { hint } }), ...toIconMeta(icons) }
}
