import type { Outcome } from '../../../api.ts'
import { explainRule } from '../calls/call-words.ts'

const words = { allow: 'Allow', ask: 'Ask', deny: 'Deny', off: 'Not offered' } as const
const classes = { allow: 'badge badge-good', ask: 'badge', deny: 'badge badge-bad', off: 'badge badge-warn' } as const

export function VerdictBadge({ verdict }: Pick<Outcome, 'verdict'>) {
  return <span class={classes[verdict]}>{words[verdict]}</span>
}

/** The verdict on a call, and its rule. */
export function Verdict({ outcome: { verdict, rule, source, changes } }: { readonly outcome: Outcome }) {
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
