import { counted } from '@ostler/agent-api/browser'
import type { LeftOut, ToolOffer } from '../../../api.ts'
import { changesOf, reasonText } from './offers.ts'

export function ToolOffers({ offers }: { offers: readonly ToolOffer[] }) {
  const [first, ...later] = offers
  const last = offers.at(-1)
  if (first === undefined || last === undefined) return null
  const leftCount = last.left.reduce((sum, { count }) => sum + count, 0)
  return (
    <details class="turn-offers">
      <summary>
        {counted(last.count, 'tool')} offered to the model{leftCount > 0 && `, ${leftCount} left out`}
      </summary>
      <div class="column turn-offers-body">
        <Names names={first.tools} count={first.count} />
        <Left left={first.left} />
        {later.map((offer, index) => (
          <Change key={`${offer.turn}.${offer.step}`} offer={offer} before={offers[index] ?? first} />
        ))}
      </div>
    </details>
  )
}

function Change({ offer, before }: { offer: ToolOffer; before: ToolOffer }) {
  const { added, removed } = changesOf(offer, before)
  return (
    <>
      <h3>From step {offer.step} on</h3>
      {added.length > 0 && (
        <p>
          Also offered: <Names names={added} count={added.length} />
        </p>
      )}
      {removed.length > 0 && (
        <p>
          No longer offered: <Names names={removed} count={removed.length} />
        </p>
      )}
      <Left left={offer.left} />
    </>
  )
}

function Left({ left }: { left: readonly LeftOut[] }) {
  if (left.length === 0) return null
  return (
    <ul class="column turn-left">
      {left.map(({ reason, names, count }) => (
        <li key={reason}>
          Not offered: {reasonText(reason, count)}. <Names names={names} count={count} />
        </li>
      ))}
    </ul>
  )
}

function Names({ names, count }: { names: readonly string[]; count: number }) {
  return (
    <span class="names">
      {names.map((name) => (
        <code key={name}>{name}</code>
      ))}
      {count > names.length && <span class="muted">and {count - names.length} more</span>}
    </span>
  )
}
