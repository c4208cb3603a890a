import type { Outcome } from '../../../api.ts'
import { approvalWords, explainRule } from '@ostler/agent-api/browser'

const words = { ...approvalWords, off: 'Not offered' } as const
const classes = {
  allow: 'badge badge-good',
  ask: 'badge',
  deny: 'badge badge-bad',
  off: 'badge badge-warn',
} as const

export function VerdictBadge({ verdict }: Pick<Outcome, 'verdict'>) {
  return <span class={classes[verdict]}>{words[verdict]}</span>
}

export function Verdict({ outcome: { verdict, rule, source, changes } }: { outcome: Outcome }) {
  return (
    <span class="verdict">
      <VerdictBadge verdict={verdict} />
      <span class="muted">
        {explainRule(rule)}
        {source !== undefined && (
          <>
            {' '}
            (<code>{source}</code>)
          </>
        )}
        {changes !== undefined && changes.length > 0 && `: ${changes.join(', ')}`}
      </span>
    </span>
  )
}
