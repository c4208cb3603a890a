import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ServerView } from '../../../api.ts'
import { request, serverApi } from '../../api/client.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import type { Lack } from './lack.ts'
import { LogIn } from './log-in.tsx'

interface MendConnectionProps {
  readonly server: ServerView
  readonly lack: Lack
  /** Called when the server may work now. */
  readonly onMended: (server: ServerView) => void
}

/** Asks for what a server lacks: a login, a key in a header, or variables. Servers of the agent file take a login only. */
export function MendConnection({ server, lack, onMended }: MendConnectionProps) {
  if (lack.is === 'variables') return <Variables server={server} names={lack.names} onMended={onMended} />
  return (
    <>
      {lack.is === 'login' && <LogIn server={server} onDone={() => onMended(server)} />}
      {server.origin === 'stored' && (
        <Key title={lack.is === 'login' ? 'Or enter a key' : 'Enter a key'} server={server} onMended={onMended} />
      )}
    </>
  )
}

function Key({ title, server, onMended }: Omit<MendConnectionProps, 'lack'> & { readonly title: string }) {
  const [type, setType] = useState<'bearer' | 'api-key'>('bearer')
  const [header, setHeader] = useState('')
  const [key, setKey] = useState('')
  const { save, ...saving } = useSaving(server, (saved) => {
    setKey('')
    onMended(saved)
  })
  const auth = type === 'bearer' ? { type, token: key } : { type, key, ...(header.trim() !== '' && { header: header.trim() }) }
  return (
    <SaveForm title={title} isReady={key !== ''} onSave={() => void save({ auth })} {...saving}>
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

function Variables({ server, names, onMended }: Omit<MendConnectionProps, 'lack'> & { readonly names: readonly string[] }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const { save, ...saving } = useSaving(server, (saved) => {
    setValues({})
    onMended(saved)
  })
  const given = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== '' && names.includes(name)))
  const env = { ...(server.entry['env'] as Readonly<Record<string, string>> | undefined), ...given }
  return (
    <SaveForm
      title="Its output mentions these variables"
      isReady={Object.keys(given).length > 0}
      onSave={() => void save({ env }, { env: Object.keys(given) })}
      {...saving}
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

interface SaveFormProps extends Pick<ReturnType<typeof useSaving>, 'failure' | 'isBusy' | 'dialog'> {
  readonly title: string
  readonly isReady: boolean
  readonly onSave: () => void
  readonly children: ComponentChildren
}

function SaveForm({ title, isReady, onSave, failure, isBusy, dialog, children }: SaveFormProps) {
  return (
    <Form isBusy={isBusy || !isReady} onSubmit={onSave}>
      <h3>{title}</h3>
      {children}
      {failure !== undefined && <Failure failure={failure} />}
      <div class="actions">
        <BusyButton isBusy={isBusy} type="submit" disabled={!isReady}>
          Save and connect
        </BusyButton>
      </div>
      {dialog}
    </Form>
  )
}

/** Changes a server's entry. The values are secrets, so they are forgotten as soon as they are saved. */
function useSaving(server: ServerView, onSaved: (saved: ServerView) => void) {
  const { attempt, withConfirmation, failure, isBusy, dialog } = useAttempt()
  const save = async (entry: object, secret?: object) => {
    const change = { entry, ...(secret !== undefined && { secret }) }
    const saved = await attempt(() =>
      withConfirmation('Run and connect', (confirmed) =>
        request<ServerView>(serverApi(server.id), { method: 'PATCH', body: { ...change, ...confirmed } }),
      ),
    )
    if (saved !== undefined) onSaved(saved)
  }
  return { save, failure, isBusy, dialog }
}
