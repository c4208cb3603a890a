import { counted } from '@ostler/agent-api/browser'
import type { Replay, ReplayDifference, Verdicts } from '../../../api.ts'
import { Loading } from '../../parts/loading.tsx'
import { Link } from '../../parts/link.tsx'
import { ScrollTable } from '../../parts/scroll-table.tsx'
import { Time } from '../../parts/time.tsx'
import { toPath } from '../../route.ts'
import { formatCount } from '../../text/quantities.ts'
import type { Judged } from './use-policy.ts'
import { VerdictBadge, Verdict } from './verdict.tsx'

export function ReplayView({ replay }: { replay: Judged<Replay> }) {
  return (
    <section class="panel" aria-labelledby="agent-replay">
      <h2 id="agent-replay">Last week’s calls</h2>
      <Loading of={replay}>{(data) => <Found replay={data} />}</Loading>
    </section>
  )
}

function Found({ replay }: { replay: Replay }) {
  const { calls, isPart, since, before, now, after, differences, others } = replay
  if (calls === 0) return <p class="muted">No agent has made a call in the last seven days.</p>
  const rows = [
    ['What happened', before],
    ['Under the current rules', now],
    ...(after === undefined ? [] : [['After your changes', after] as const]),
  ] as const
  return (
    <>
      <p class="muted">
        {counted(calls, 'call')} by the model
        {isPart && since !== undefined && (
          <>
            {', the newest since '}
            <Time at={since} />
            {'; older ones were not checked'}
          </>
        )}
        . This check does not follow symbolic links. Tools of servers that are not running are matched by
        name.
      </p>
      <ScrollTable label="Counts" class="replay" head={['', 'Allowed', 'Asked', 'Denied', 'Not offered']}>
        {rows.map(([name, verdicts]) => (
          <Counts key={name} name={name} verdicts={verdicts} />
        ))}
      </ScrollTable>
      {differences.length === 0 ? (
        <p class="muted">
          {after === undefined
            ? 'The current rules would have decided all of them the same way.'
            : 'Your changes would have made no difference to them.'}
        </p>
      ) : (
        <details class="differences">
          <summary>
            {counted(
              differences.reduce((sum, { calls: own }) => sum + own, 0),
              'call',
            )}{' '}
            would be decided differently
            {after === undefined ? ' now' : ' after your changes'}
          </summary>
          <ul class="rows" aria-label="Differences">
            {differences.map((difference, index) => (
              <Difference key={index} difference={difference} />
            ))}
          </ul>
          {others > 0 && <p class="muted">{formatCount(others)} more groups of calls are not shown.</p>}
        </details>
      )}
    </>
  )
}

function Counts({ name, verdicts }: { name: string; verdicts: Verdicts }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {(['allow', 'ask', 'deny', 'off'] as const).map((verdict) => (
        <td key={verdict} class={verdicts[verdict] === 0 ? 'muted' : undefined}>
          {formatCount(verdicts[verdict])}
        </td>
      ))}
    </tr>
  )
}

function Difference({
  difference: { server, tool, from, to, calls, examples },
}: {
  difference: ReplayDifference
}) {
  return (
    <li class="row">
      <div class="row-main">
        <strong>{server === null ? tool : `${server} / ${tool}`}</strong>
        <span class="muted">{counted(calls, 'call')}:</span>
        <VerdictBadge verdict={from.verdict} />
        <span aria-hidden="true">→</span>
        <span class="visually-hidden">becomes</span>
        <Verdict outcome={to} />
      </div>
      <ul class="column examples">
        {examples.map(({ id, startedAt, about }) => (
          <li key={id}>
            <Link to={toPath('/calls', { id })} label={`Call of ${tool} at ${startedAt}`}>
              <Time at={startedAt} />
            </Link>{' '}
            {about !== undefined && <code>{about}</code>}
          </li>
        ))}
        {calls > examples.length && <li class="muted">and {formatCount(calls - examples.length)} more</li>}
      </ul>
    </li>
  )
}
