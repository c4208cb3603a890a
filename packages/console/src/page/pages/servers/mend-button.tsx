import { useState } from 'preact/hooks'
import type { LiveServer, ServerView } from '../../../api.ts'
import { focusAfterDialog } from '../../parts/move-focus.ts'
import { ConnectStep } from './connect-step.tsx'
import { type Lack, lackOf } from './lack.ts'

const words: Readonly<Record<Lack['is'], string>> = { login: 'Log in', key: 'Enter key', variables: 'Enter variables' }

/** Shown if a server lacks something that a person can give: a login, a key or variables. */
export function MendButton({ server, used }: { readonly server: ServerView; readonly used: readonly LiveServer[] }) {
  const [open, setOpen] = useState<Lack | undefined>()
  const lack = lackOf(server, used)
  return (
    <>
      {lack !== undefined && (
        <button type="button" class="button-small button-primary" onClick={() => setOpen(lack)}>
          {words[lack.is]}
        </button>
      )}
      {open !== undefined && (
        <ConnectStep
          server={server}
          lack={open}
          onClose={() => setOpen(undefined)}
          onConnected={() => {
            setOpen(undefined)
            focusAfterDialog('h1')
          }}
        />
      )}
    </>
  )
}
