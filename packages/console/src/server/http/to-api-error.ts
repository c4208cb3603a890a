import { OstlerError } from '@ostler/agent-api'
import type { ServerIssue } from '@ostler/agent-api/internal'
import type { ApiError } from '../../api.ts'

const statuses: Readonly<Record<string, number>> = {
  'config.invalid': 422,
  'config.unreadable': 422,
  'config.changed': 409,
  'import.invalid': 422,
  'import.no_servers': 422,
  'servers.unknown': 404,
  'servers.read_only': 409,
  'servers.name_taken': 409,
  'servers.changed': 409,
  'servers.question_closed': 409,
  'servers.answer_invalid': 422,
  'servers.message_gone': 404,
  'servers.no_replay': 409,
}

const areaStatuses: Readonly<Record<string, number>> = {
  config: 422,
  import: 422,
  registry: 422,
  mcp: 502,
  secrets: 503,
  history: 503,
}

const unexpected: ApiError = {
  code: 'console.unexpected',
  message: 'An internal error occurred. See the output of `ostler console` for details.',
}

/** The public part of an error and its status. Only `OstlerError` messages are public. */
export function toApiError(error: unknown): { readonly status: number; readonly body: ApiError } {
  if (!(error instanceof OstlerError)) return { status: 500, body: unexpected }
  const { code, message, data } = error
  const { status, issues, reason, output, confirm } = data
  return {
    // The status of another server's reply says nothing about this one.
    status:
      typeof status === 'number' && code.startsWith('console.')
        ? status
        : (statuses[code] ?? areaStatuses[code.split('.')[0] ?? ''] ?? 400),
    body: {
      code,
      // The page shows the server's output separately from the reason.
      message: typeof reason === 'string' && typeof output === 'string' ? reason : message,
      ...(Array.isArray(issues) && { issues: issues as ServerIssue[] }),
      ...(typeof output === 'string' && output !== '' && { output }),
      ...(typeof confirm === 'object' && confirm !== null && { confirm: confirm as ApiError['confirm'] }),
    },
  }
}
