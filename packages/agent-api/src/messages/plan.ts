/** Same values as in ACP. */
export interface PlanEntry {
  readonly content: string
  readonly status: PlanEntryStatus
  readonly priority: PlanEntryPriority
}

export const planEntryStatuses = ['pending', 'in_progress', 'completed'] as const
type PlanEntryStatus = (typeof planEntryStatuses)[number]

export const planEntryPriorities = ['high', 'medium', 'low'] as const
type PlanEntryPriority = (typeof planEntryPriorities)[number]

export function planText(entries: readonly PlanEntry[]): string {
  return entries.map(({ content, status }) => `${marks[status]} ${content}`).join('\n')
}

const marks: Readonly<Record<PlanEntryStatus, string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
}
