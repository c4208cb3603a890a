import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { knownServerLists, type UserHome } from '@ostler/workbench'
import {
  emacsFile,
  emacsText,
  lispMark,
  luaMark,
  neovimModule,
  neovimText,
  type CommandLine,
} from './editor-texts.ts'

type Json = Readonly<Record<string, unknown>>

/** An editor: where its settings are, and what Ostler adds to them. */
export interface Editor {
  readonly name: string
  /** The place to which a person adds the text. */
  readonly place: string
  readonly toText: (commandLine: CommandLine) => string
  readonly target: SettingsTarget | FileTarget
}

/** A JSON settings file that belongs to the person. Fields are added, and everything else is kept. */
export interface SettingsTarget {
  readonly kind: 'settings'
  /** Possible files, most likely first. */
  readonly files: (at: UserHome) => readonly string[]
  /** The object that holds the agents. */
  readonly agents: string
  /** The fields of the agent. Others that it has are kept. */
  readonly toFields: (commandLine: CommandLine) => Json
  /** Fields at the top that are added if they are missing. */
  readonly others: Json
}

/** A file that belongs to Ostler. The person's own settings load it with a line. */
export interface FileTarget {
  readonly kind: 'file'
  readonly files: (at: UserHome) => readonly string[]
  readonly toContent: (commandLine: CommandLine) => string
  /** The first line of a file that may be replaced. */
  readonly mark: string
  /** The line that a person adds to their own settings, once. */
  readonly nextStep: string
}

const settings = (name: string, place: string, target: Omit<SettingsTarget, 'kind'>): Editor => ({
  name,
  place,
  toText: (commandLine) =>
    JSON.stringify({ ...target.others, [target.agents]: { Ostler: target.toFields(commandLine) } }, null, 2),
  target: { kind: 'settings', ...target },
})

const withoutType = ([command, ...args]: CommandLine): Json => ({ command, args, env: {} })

export const editors: readonly Editor[] = [
  settings('zed', "Zed's settings.json (command palette: zed: open settings file)", {
    files: (at) => knownServerLists('zed', at),
    agents: 'agent_servers',
    toFields: (commandLine) => ({ type: 'custom', ...withoutType(commandLine) }),
    others: {},
  }),
  settings('jetbrains', '~/.jetbrains/acp.json', {
    files: ({ home }) => [join(home, '.jetbrains', 'acp.json')],
    agents: 'agent_servers',
    toFields: withoutType,
    others: { default_mcp_settings: { use_custom_mcp: true, use_idea_mcp: true } },
  }),
  {
    name: 'neovim',
    place: 'your Neovim configuration, in the setup of CodeCompanion',
    toText: neovimText,
    target: {
      kind: 'file',
      files: (at) => [join(neovimDirectory(at), 'lua', 'ostler.lua')],
      toContent: neovimModule,
      mark: luaMark,
      nextStep: `Add this to the setup of CodeCompanion, once:
  adapters = { acp = { ostler = require("ostler") } },
  interactions = { chat = { adapter = "ostler" } }, -- up to version 17: strategies`,
    },
  },
  {
    name: 'emacs',
    place: 'your init.el, in the setup of agent-shell',
    toText: emacsText,
    target: {
      kind: 'file',
      files: emacsFiles,
      toContent: emacsFile,
      mark: lispMark,
      nextStep: `Add this to your init.el, once:
  (load (locate-user-emacs-file "ostler"))`,
    },
  },
  settings('vscode', "VS Code's settings.json, for the extension ACP Client (formulahendry.acp-client)", {
    files: (at) => knownServerLists('vscode', at).filter((file) => file.endsWith('settings.json')),
    agents: 'acp.agents',
    toFields: withoutType,
    others: {},
  }),
]

export const editorNames: readonly string[] = editors.map(({ name }) => name)

/** The file to write: the first that exists, or else the first whose directory does. */
export function chooseFile({ target }: Editor, at: UserHome): string {
  const files = target.files(at)
  return (
    files.find((file) => existsSync(file)) ??
    files.find((file) => existsSync(dirname(file))) ??
    files[0] ??
    ''
  )
}

function neovimDirectory({ platform, home, env }: UserHome): string {
  const name = env['NVIM_APPNAME'] || 'nvim'
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), name)
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), name)
}

/** Emacs uses the first of these directories that exists. */
function emacsFiles({ home, env }: UserHome): readonly string[] {
  return [join(home, '.emacs.d'), join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'emacs')].map(
    (path) => join(path, 'ostler.el'),
  )
}
