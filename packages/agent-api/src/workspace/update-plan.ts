import { stripHiddenLine } from '../base/strip-hidden.ts'
import { planEntryPriorities, planEntryStatuses, type PlanEntry } from '../messages/plan.ts'
import { objectSchema, textResult, type Tool, type ToolArguments } from '../messages/tool.ts'

const entriesMax = 50
const contentCharsMax = 500

/** Shows the model's plan to the person. The list replaces the previous one, so the model sends all of it each time. */
export const updatePlan: Tool = {
  ref: { server: null, tool: 'update_plan' },
  title: 'Update plan',
  description: 'Shows your plan to the person. Send all of it each time, with one entry in_progress.',
  kind: 'think',
  inputSchema: objectSchema(['entries'], {
    entries: {
      type: 'array',
      maxItems: entriesMax,
      items: objectSchema(['content', 'status'], {
        content: { type: 'string', minLength: 1, maxLength: contentCharsMax },
        status: { type: 'string', enum: [...planEntryStatuses] },
        priority: { type: 'string', enum: [...planEntryPriorities] },
      }),
    },
  }),
  annotations: { readOnlyHint: true },
  plan: (args) => Promise.resolve({ title: titleOf(toEntries(args)), effect: 'none' }),
  execute(args) {
    const plan = toEntries(args)
    return Promise.resolve({
      ...textResult(plan.length === 0 ? 'The plan is removed.' : 'The plan is shown.'),
      plan,
    })
  },
}

function titleOf(entries: readonly PlanEntry[]): string {
  if (entries.length === 0) return 'Remove the plan'
  const done = entries.filter(({ status }) => status === 'completed').length
  return `Update the plan (${done} of ${entries.length} done)`
}

/** The arguments fit the schema. */
function toEntries({ entries }: ToolArguments): readonly PlanEntry[] {
  return (entries as readonly (Omit<PlanEntry, 'priority'> & Partial<PlanEntry>)[]).map(
    ({ content, status, priority = 'medium' }) => ({
      content: stripHiddenLine(content),
      status,
      priority,
    }),
  )
}
