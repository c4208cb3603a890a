import { counted } from '@ostler/agent-api/browser'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { AskedValue, FoundEntry, ImportPreview } from '../../../api.ts'
import { BusyButton } from '../../parts/buttons.tsx'
import { SelectField, TextField } from '../../parts/form.tsx'
import { toSentence } from '../../text/to-sentence.ts'
import { transportNames } from './connection-words.ts'

interface FoundListProps {
  title: string
  isTitled?: boolean
  found: ImportPreview
  isBusy: boolean
  onAdd: (entry: FoundEntry, given: Given) => void
  onAddAll?: (entries: readonly FoundEntry[]) => void
}

export function FoundList({
  title,
  isTitled = false,
  found: { servers, skipped, notes },
  isBusy,
  onAdd,
  onAddAll,
}: FoundListProps) {
  const unasked = servers.filter(
    ({ shortName, freeName, asked }) => shortName === freeName && asked.length === 0,
  )
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
            <p class="server-warning">{toSentence(`Cannot be added: ${reason}`)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function FoundRow({
  entry,
  isBusy,
  onAdd,
}: { entry: FoundEntry } & Pick<FoundListProps, 'isBusy' | 'onAdd'>) {
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

export interface Given {
  readonly name: string
  readonly values: Readonly<Record<string, string>>
}

export function givenFor({ freeName }: FoundEntry): Given {
  return { name: freeName, values: {} }
}

export function isComplete({ asked }: FoundEntry, { name, values }: Given): boolean {
  return (
    name.trim() !== '' &&
    asked.every(({ id, isRequired, preset }) => !isRequired || (values[id] ?? preset ?? '') !== '')
  )
}

export function valuesOf({ asked }: FoundEntry, { values }: Given): Record<string, string> {
  return Object.fromEntries(asked.map(({ id, preset = '' }) => [id, values[id] ?? preset]))
}

export function FoundDetails({
  entry,
  given,
  onChange,
}: {
  entry: FoundEntry
  given: Given
  onChange: (given: Given) => void
}) {
  const isCommand = entry.transport === 'stdio'
  return (
    <>
      <pre
        class="command"
        tabIndex={0}
        aria-label={isCommand ? `Command of ${entry.name}` : `Address of ${entry.name}`}
      >
        {entry.commandLine}
      </pre>
      {entry.notes.map((note) => (
        <p key={note} class="note">
          {toSentence(note)}
        </p>
      ))}
      {entry.asked.map((value) => (
        <AskedField
          key={value.id}
          asked={value}
          value={given.values[value.id]}
          onInput={(text) => onChange({ ...given, values: { ...given.values, [value.id]: text } })}
        />
      ))}
    </>
  )
}

function AskedField({
  asked,
  value,
  onInput,
}: {
  asked: AskedValue
  value: string | undefined
  onInput: (value: string) => void
}) {
  const { label, isSecret, isRequired, preset = '', description, choices } = asked
  const hint =
    [description && toSentence(description), isSecret && 'Kept in the secret store.']
      .filter(Boolean)
      .join(' ') || undefined
  if (choices !== undefined && !isSecret) {
    return (
      <SelectField
        label={label}
        isRequired={isRequired}
        hint={hint}
        value={value ?? preset}
        options={[
          ['', isRequired ? 'Choose…' : 'Not set'],
          ...choices.map((choice) => [choice, choice] as const),
        ]}
        onChange={onInput}
      />
    )
  }
  return (
    <TextField
      label={label}
      type={isSecret ? 'password' : 'text'}
      isMono
      isRequired={isRequired}
      value={value ?? preset}
      hint={hint}
      onInput={onInput}
    />
  )
}

export function FoundBadges({ entry, children }: { entry: FoundEntry; children?: ComponentChildren }) {
  const { shortName, freeName, transport, secrets } = entry
  return (
    <>
      <span class="badge">{transportNames[transport as keyof typeof transportNames] ?? transport}</span>
      {freeName !== shortName && <span class="badge badge-warn">Name already in use</span>}
      {secrets.length > 0 && (
        <span class="badge" title={secrets.join(', ')}>
          {counted(secrets.length, 'secret')}
        </span>
      )}
      {children}
    </>
  )
}
