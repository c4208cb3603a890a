import type { ComponentChildren } from 'preact'
import type { AskedValue, FoundEntry } from '../../../api.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { counted } from '../../text/quantities.ts'
import { toSentence } from '../../text/to-sentence.ts'
import { transportNames } from './transport-names.ts'

/** The name and values that a person gave for a server that is to be added. */
export interface Given {
  readonly name: string
  readonly values: Readonly<Record<string, string>>
}

export function givenFor({ freeName }: FoundEntry): Given {
  return { name: freeName, values: {} }
}

/** True if all required values are present. */
export function isComplete({ asked }: FoundEntry, { name, values }: Given): boolean {
  return name.trim() !== '' && asked.every(({ id, isRequired, preset }) => !isRequired || (values[id] ?? preset ?? '') !== '')
}

/** The values to send: a preset counts as given. */
export function valuesOf({ asked }: FoundEntry, { values }: Given): Record<string, string> {
  return Object.fromEntries(asked.map(({ id, preset = '' }) => [id, values[id] ?? preset]))
}

/** A found server: its whole command line, and the values that it asks for. */
export function FoundDetails({ entry, given, onChange }: { entry: FoundEntry; given: Given; onChange: (given: Given) => void }) {
  const isCommand = entry.transport === 'stdio'
  return (
    <>
      <pre class="command" tabIndex={0} aria-label={isCommand ? `Command of ${entry.name}` : `Address of ${entry.name}`}>
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

function AskedField({ asked, value, onInput }: { asked: AskedValue; value: string | undefined; onInput: (value: string) => void }) {
  const { label, isSecret, isRequired, preset = '', description, choices } = asked
  const hint = [description && toSentence(description), isSecret && 'Kept in the secret store.'].filter(Boolean).join(' ') || undefined
  if (choices !== undefined && !isSecret) {
    return (
      <SelectField
        label={label}
        isRequired={isRequired}
        hint={hint}
        value={value ?? preset}
        options={[['', isRequired ? 'Choose…' : 'Not set'], ...choices.map((choice) => [choice, choice] as const)]}
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

/** A description in a few words. */
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
