import { useState } from 'preact/hooks'
import type { FoundEntry, ImportPreview } from '../../../api.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { counted } from '../../text/quantities.ts'
import { toSentence } from '../../text/to-sentence.ts'
import { FoundBadges, FoundDetails, givenFor, isComplete, type Given } from './found-entry.tsx'

interface FoundListProps {
  readonly title: string
  /** True if the title is shown by what surrounds the list. */
  readonly isTitled?: boolean
  readonly found: ImportPreview
  readonly isBusy: boolean
  /** Adds one server and connects it. */
  readonly onAdd: (entry: FoundEntry, given: Given) => void
  /** Adds servers without connecting them. */
  readonly onAddAll?: (entries: readonly FoundEntry[]) => void
}

/** The agent names an option of the command line. */
const insecure = 'it uses plain http to another machine. Use https, or fill in a form and allow unencrypted HTTP there'

/** Servers that were found together, each with its whole command line. */
export function FoundList({ title, isTitled = false, found: { servers, skipped, notes }, isBusy, onAdd, onAddAll }: FoundListProps) {
  const unasked = servers.filter(({ shortName, freeName, asked }) => shortName === freeName && asked.length === 0)
  return (
    <section class="column found" aria-label={title}>
      <header class="flow found-head">
        {!isTitled && <h3>{title}</h3>}
        {onAddAll !== undefined && unasked.length > 0 && servers.length > 1 && (
          <button type="button" class="button-small" disabled={isBusy} onClick={() => onAddAll(unasked)}>
            Add {unasked.length === servers.length ? 'all ' : ''}
            {counted(unasked.length, 'server')}
          </button>
        )}
      </header>
      {notes.map((note) => (
        <p key={note} class="note">
          {toSentence(note)}
        </p>
      ))}
      <ul class="rows" aria-label={`Servers: ${title}`}>
        {servers.map((entry) => (
          <FoundRow key={entry.name} entry={entry} isBusy={isBusy} onAdd={onAdd} />
        ))}
        {skipped.map(({ name, reason }) => (
          <li key={`skipped ${name}`} class="row">
            <strong>{name}</strong>
            <p class="server-warning">{toSentence(`Cannot be added: ${reason.includes('allowInsecureHttp') ? insecure : reason}`)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function FoundRow({ entry, isBusy, onAdd }: { readonly entry: FoundEntry } & Pick<FoundListProps, 'isBusy' | 'onAdd'>) {
  const [given, setGiven] = useState(() => givenFor(entry))
  return (
    <li class="row">
      <div class="row-main">
        <strong>{entry.name}</strong>
        <FoundBadges entry={entry} />
        <span class="spacer" />
        <BusyButton
          isBusy={isBusy}
          class="button-small"
          aria-label={`Add and connect ${entry.name}`}
          disabled={!isComplete(entry, given)}
          onClick={() => onAdd(entry, given)}
        >
          Add and connect
        </BusyButton>
      </div>
      {entry.description !== undefined && <p>{entry.description}</p>}
      <FoundDetails entry={entry} given={given} onChange={setGiven} />
    </li>
  )
}
