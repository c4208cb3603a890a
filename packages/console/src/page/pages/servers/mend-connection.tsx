import type { ServerUpdates } from '@ostler/agent-api/manage'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ServerView } from '../../../api.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import type { Lack } from './lack.ts'
import { LogIn } from './log-in.tsx'

interface MendConnectionProps {
  readonly server: ServerView
  readonly lack: Lack
  readonly isBusy: boolean
  /** Saves the change and connects. The fields are gone then, because their values are secrets. */
  readonly onMend: (change: ServerUpdates) => Promise<void>
  readonly onLoggedIn: () => void
}

/** Asks for what a server lacks: a login, a key in a header, or variables. Servers of the agent file take a login only. */
export function MendConnection({ server, lack, onLoggedIn, ...saving }: MendConnectionProps) {
  if (lack.is === 'variables') return <Variables server={server} names={lack.names} {...saving} />
  return (
    <>
      {lack.is === 'login' && <LogIn server={server} onDone={onLoggedIn} />}
      {server.origin === 'stored' && <Key title={lack.is === 'login' ? 'Or enter a key' : 'Enter a key'} {...saving} />}
    </>
  )
}

type Saving = Pick<MendConnectionProps, 'isBusy' | 'onMend'>

function Key({ title, isBusy, onMend }: Saving & { readonly title: string }) {
  const [type, setType] = useState<'bearer' | 'api-key'>('bearer')
  const [header, setHeader] = useState('')
  const [key, setKey] = useState('')
  const auth = type === 'bearer' ? { type, token: key } : { type, key, ...(header.trim() !== '' && { header: header.trim() }) }
  return (
    <SaveForm title={title} isReady={key !== ''} isBusy={isBusy} onSave={() => void onMend({ entry: { auth } })}>
      <div class="form-row">
        <SelectField
          label="Send it as"
          value={type}
          options={[
            ['bearer', 'Bearer token'],
            ['api-key', 'Custom header'],
          ]}
          onChange={setType}
        />
        {type === 'api-key' && <TextField label="Header name" isMono value={header} placeholder="x-api-key" onInput={setHeader} />}
        <TextField label={type === 'bearer' ? 'Token' : 'Key'} type="password" isMono value={key} onInput={setKey} />
      </div>
    </SaveForm>
  )
}

function Variables({
  server,
  names,
  isBusy,
  onMend,
}: Saving & Pick<MendConnectionProps, 'server'> & { readonly names: readonly string[] }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const given = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== '' && names.includes(name)))
  const env = { ...(server.entry['env'] as Readonly<Record<string, string>> | undefined), ...given }
  return (
    <SaveForm
      title="Its output mentions these variables"
      isReady={Object.keys(given).length > 0}
      isBusy={isBusy}
      onSave={() => void onMend({ entry: { env }, secret: { env: Object.keys(given) } })}
    >
      {names.map((name) => (
        <TextField
          key={name}
          label={name}
          type="password"
          isMono
          value={values[name] ?? ''}
          onInput={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
    </SaveForm>
  )
}

interface SaveFormProps {
  readonly title: string
  readonly isReady: boolean
  readonly isBusy: boolean
  readonly onSave: () => void
  readonly children: ComponentChildren
}

function SaveForm({ title, isReady, isBusy, onSave, children }: SaveFormProps) {
  return (
    <Form isBusy={isBusy || !isReady} onSubmit={onSave}>
      <h3>{title}</h3>
      {children}
      <div class="actions">
        <BusyButton isBusy={isBusy} type="submit" disabled={!isReady}>
          Save and connect
        </BusyButton>
      </div>
    </Form>
  )
}
