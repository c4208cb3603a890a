import type { LoginProgress, ServerUpdates, ServerView } from '../../../api.ts'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { serverApi } from '../../api/client.ts'
import { BusyButton } from '../../parts/buttons.tsx'
import { Form, SelectField, TextField } from '../../parts/form.tsx'
import { ForeignLink } from '../../parts/link.tsx'
import { Failure } from '../../parts/loading.tsx'
import { Status } from '../../parts/status.tsx'
import { useLines } from '../../parts/use-lines.ts'
import type { Lack } from './lack.ts'

interface MendConnectionProps {
  server: ServerView
  lack: Lack
  isBusy: boolean
  /** Saves the change and connects. The fields are gone then, because their values are secrets. */
  onMend: (change: ServerUpdates) => Promise<void>
  onLoggedIn: () => void
}

/** Asks for what a server lacks: a login, a key in a header, or variables. Servers of the agent file take a login only. */
export function MendConnection({ server, lack, onLoggedIn, ...saving }: MendConnectionProps) {
  if (lack.is === 'variables') return <Variables server={server} names={lack.names} {...saving} />
  return (
    <>
      {lack.is === 'login' && <LogIn server={server} onDone={onLoggedIn} />}
      {server.origin === 'stored' && (
        <Key title={lack.is === 'login' ? 'Or enter a key' : 'Enter a key'} {...saving} />
      )}
    </>
  )
}

type Saving = Pick<MendConnectionProps, 'isBusy' | 'onMend'>

function Key({ title, isBusy, onMend }: Saving & { title: string }) {
  const [type, setType] = useState<'bearer' | 'api-key'>('bearer')
  const [header, setHeader] = useState('')
  const [key, setKey] = useState('')
  const auth = type === 'bearer' ? { type, token: key } : { type, key, header: header.trim() || undefined }
  return (
    <SaveForm
      title={title}
      isReady={key !== ''}
      isBusy={isBusy}
      onSave={() => void onMend({ entry: { auth } })}
    >
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
        {type === 'api-key' && (
          <TextField label="Header name" isMono value={header} placeholder="x-api-key" onInput={setHeader} />
        )}
        <TextField
          label={type === 'bearer' ? 'Token' : 'Key'}
          type="password"
          isMono
          value={key}
          onInput={setKey}
        />
      </div>
    </SaveForm>
  )
}

function Variables({
  server,
  names,
  isBusy,
  onMend,
}: Saving & Pick<MendConnectionProps, 'server'> & { names: readonly string[] }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const given = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== '' && names.includes(name)),
  )
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
  title: string
  isReady: boolean
  isBusy: boolean
  onSave: () => void
  children: ComponentChildren
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

/** Logs in to a remote server with OAuth, in a new tab. The page continues when the login is finished. */
function LogIn({ server, onDone }: { server: Pick<ServerView, 'id' | 'name'>; onDone: () => void }) {
  const { state, run, cancel, dialog } = useLines<LoginProgress>('Log in')
  useEffect(() => {
    if (state.is === 'ended') onDone()
  }, [state.is])
  const url = state.is === 'running' ? state.last?.url : undefined
  return (
    <section class="form" aria-label={`Log in to ${server.name}`}>
      {state.is !== 'running' && (
        <div class="actions">
          <BusyButton
            isBusy={false}
            class="button-primary"
            onClick={() => void run(serverApi(server.id, 'login'))}
          >
            Log in
          </BusyButton>
        </div>
      )}
      {state.is === 'running' && (
        <>
          <div class="actions">
            {url !== undefined && (
              <ForeignLink url={url} href={url} class="button button-primary">
                Open {new URL(url).host}
              </ForeignLink>
            )}
            <button type="button" onClick={() => cancel()}>
              Cancel login
            </button>
          </div>
          <p role="status">
            <Status tone="busy">
              {url === undefined ? 'Asking the server how to log in' : 'Waiting for you to log in there'}
            </Status>
          </p>
        </>
      )}
      {state.is === 'failed' && <Failure failure={state.failure} />}
      {dialog}
    </section>
  )
}
