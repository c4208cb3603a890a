import { join } from 'node:path'
import type { ServerListFormat } from './server-list.ts'

export const listedPrograms = [
  'zed',
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'opencode',
  'goose',
] as const
export type ListedProgram = (typeof listedPrograms)[number]

/** Undefined if the text shows it. */
export function formatOfProgram(program: ListedProgram): ServerListFormat | undefined {
  return program === 'codex' || program === 'opencode' || program === 'goose' ? program : undefined
}

/** Need not be the current user. */
export interface UserHome {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Most likely first. Never files of a project, which others may have written. */
export function knownServerLists(program: ListedProgram, at: UserHome): readonly string[] {
  const { platform, home, env } = at
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  const applicationData = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env['APPDATA'] || join(home, 'AppData', 'Roaming'),
  }
  const data = platform === 'darwin' || platform === 'win32' ? applicationData[platform] : config
  switch (program) {
    case 'zed':
      return [
        platform === 'win32' ? join(data, 'Zed', 'settings.json') : join(config, 'zed', 'settings.json'),
        ...(platform === 'linux'
          ? [join(home, '.var', 'app', 'dev.zed.Zed', 'config', 'zed', 'settings.json')]
          : []),
      ]
    case 'claude-desktop':
      return [join(data, 'Claude', 'claude_desktop_config.json')]
    case 'claude-code':
      return [join(home, '.claude.json')]
    case 'cursor':
      return [join(home, '.cursor', 'mcp.json')]
    case 'codex':
      return [join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml')]
    case 'gemini':
      return [join(home, '.gemini', 'settings.json')]
    case 'opencode':
      return ['opencode.json', 'opencode.jsonc'].map((file) => join(config, 'opencode', file))
    case 'goose':
      return [
        platform === 'win32'
          ? join(data, 'Block', 'goose', 'config', 'config.yaml')
          : join(config, 'goose', 'config.yaml'),
      ]
    case 'vscode':
      return ['Code', 'Code - Insiders', 'VSCodium'].flatMap((name) =>
        ['mcp.json', 'settings.json'].map((file) => join(data, name, 'User', file)),
      )
  }
}
