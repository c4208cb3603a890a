import { approvalWords, formatDuration, isRecord } from '@ostler/agent-api/browser'
import type { ServerView } from '../../../api.ts'
import { maskSecrets } from '../../text/command-line.ts'
import { inclusionWords, loginWords, modeWords, transportWords, wordFor } from '../../text/setting-words.ts'
import { jsonText } from '../../text/visible.ts'

const labels: Readonly<Record<string, string>> = {
  type: 'Transport',
  command: 'Command',
  args: 'Arguments',
  cwd: 'Working directory',
  env: 'Variables',
  url: 'URL',
  headers: 'Headers',
  auth: 'Authentication',
  allowInsecureHttp: 'Allow unencrypted HTTP',
  description: 'Description',
  mode: 'Mode',
  include: 'Offered to the model',
  trusted: 'Trust its read-only hints',
  required: 'Required',
  enabled: 'Enabled',
  timeout: 'Timeout',
  retryAttempts: 'Retries',
  prompts: 'Prompts that become slash commands',
  defaultToolConfig: 'Defaults for its tools',
  rateLimit: 'Rate limit',
}
const toolLabels: Readonly<Record<string, string>> = {
  maxInstances: 'Parallel calls per tool',
  timeout: 'Call timeout',
  include: 'Offered to the model',
  approval: 'Approval',
}

export interface SettingRow {
  readonly field: string
  readonly label: string
  readonly value: string
  /** True for a value that a program reads, such as a command. */
  readonly isCode: boolean
}

const codes = new Set(['command', 'args', 'cwd', 'env', 'url', 'headers', 'prompts'])

/** The settings of a server for a person, in the order in which they are written. */
export function toSettingRows({ entry, secrets }: Pick<ServerView, 'entry' | 'secrets'>): SettingRow[] {
  return Object.entries(entry).flatMap(([field, value]) => {
    const text = value === undefined || value === null ? '' : toText(field, value)
    if (text === '') return []
    return [
      {
        field,
        label: labels[field] ?? field,
        value: maskSecrets(text, secrets),
        isCode: codes.has(field) || !(field in labels),
      },
    ]
  })
}

function toText(field: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (field === 'type') return wordFor(transportWords, value)
  if (field === 'mode') return wordFor(modeWords, value)
  if (field === 'include') return wordFor(inclusionWords, value)
  if (field === 'timeout') return toDuration(value)
  if (isRecord(value)) return toLines(field, value)
  // Arguments are shown one per line, without quotes.
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n')
  return typeof value === 'string' ? value : jsonText(value)
}

function toLines(field: string, value: Readonly<Record<string, unknown>>): string {
  const each = (separator: string) =>
    Object.entries(value).map(
      ([name, part]) => `${name}${separator}${typeof part === 'string' ? part : jsonText(part)}`,
    )
  switch (field) {
    case 'env':
      return each('=').join('\n')
    case 'headers':
      return each(': ').join('\n')
    case 'rateLimit':
      return `${String(value['calls'])} calls per ${toDuration(value['per'])}`
    case 'auth': {
      const { type, ...rest } = value
      return [
        wordFor(loginWords, type),
        ...Object.entries(rest).map(([name, part]) => `${name}: ${String(part)}`),
      ].join('\n')
    }
    case 'defaultToolConfig':
      return Object.entries(value)
        .map(([name, part]) => `${wordFor(toolLabels, name)}: ${toolValue(name, part)}`)
        .join('\n')
    default:
      return jsonText(value)
  }
}

function toolValue(name: string, value: unknown): string {
  if (name === 'include') return wordFor(inclusionWords, value)
  if (name === 'approval') return wordFor(approvalWords, value)
  return name === 'timeout' ? toDuration(value) : String(value)
}

/** A number is in milliseconds. */
function toDuration(value: unknown): string {
  return typeof value === 'number' ? formatDuration(value) : String(value)
}
