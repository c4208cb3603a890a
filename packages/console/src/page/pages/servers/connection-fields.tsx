import { splitCommandLine } from '@ostler/agent-api/command-line'
import { SelectField, TextField } from '../../parts/field.tsx'
import { DraftCheck, DraftText } from './draft-fields.tsx'
import { formatArguments } from '../../text/argument-lines.ts'
import { counted } from '../../text/quantities.ts'
import { loginWords, optionsOf } from '../../text/setting-words.ts'
import { keptHint } from './draft.ts'
import { looksSecret, PairsField } from './pairs-field.tsx'
import type { FormPart } from './server-form.tsx'

/** The fields that depend on the transport. */
export function ConnectionFields(part: FormPart) {
  return part.draft.type === 'stdio' ? <CommandFields {...part} /> : <AddressFields {...part} />
}

function CommandFields(part: FormPart) {
  return (
    <>
      <DraftText part={part} field="command" label="Command" isRequired isMono placeholder="npx" />
      <WholeLine {...part} />
      <DraftText part={part} field="args" label="Arguments" hint={`One per line, no quotes.${secretHint(part.draft.args)}`} isMono isList />
      <PairsField label="Environment variables" noun="variable" part={part} field="env" />
      <DraftText part={part} field="cwd" label="Working directory" hint="Leave empty to use your home directory." isMono />
    </>
  )
}

/** A line as documentation prints it goes into its fields. */
function WholeLine({ draft, change }: FormPart) {
  const parts = draft.args === '' ? splitCommandLine(draft.command) : undefined
  if (parts === undefined) return null
  const { command, args, env } = parts
  const names = new Set(env.map(([name]) => name))
  const split = () =>
    change({
      command,
      args: formatArguments(args),
      env: [
        ...draft.env.filter(({ name }) => !names.has(name)),
        ...env.map(([name, value]) => ({ name, value, isSecret: looksSecret(name) })),
      ],
    })
  return (
    <p class="note">
      This is a whole command line. The program is <code>{command}</code>, with {counted(args.length, 'argument')}
      {env.length > 0 && ` and ${counted(env.length, 'variable')}`}.{' '}
      <button type="button" class="button-small" onClick={split}>
        Split it
      </button>
    </p>
  )
}

function AddressFields(part: FormPart) {
  const { draft, secrets, change, errorsOf, touch } = part
  const { auth } = draft
  const setAuth = (next: Partial<typeof auth>) => change({ auth: { ...auth, ...next } })
  const secretLabel = { none: '', bearer: 'Token', 'api-key': 'Key', basic: 'Password', oauth: '' }[auth.type]
  const secretField = { none: '', bearer: 'token', 'api-key': 'key', basic: 'password', oauth: '' }[auth.type]
  return (
    <>
      <DraftText
        part={part}
        field="url"
        label="URL"
        type="url"
        isRequired
        isMono
        placeholder="https://example.com/mcp"
        hint={secretHint(draft.url).trim() || undefined}
      />
      <div class="form-row">
        <SelectField
          label="Authentication"
          value={auth.type}
          errors={errorsOf('auth', 'type')}
          options={[
            ...optionsOf(loginWords),
            ...(auth.other === undefined ? [] : [['oauth', `OAuth (${String(auth.other['type'])})`] as const]),
          ]}
          onChange={(type) => change({ auth: { type, other: auth.other, header: auth.header, username: auth.username, secret: '' } })}
        />
        {auth.type === 'api-key' && (
          <TextField
            label="Header name"
            isMono
            value={auth.header}
            placeholder="x-api-key"
            errors={errorsOf('auth', 'header')}
            onInput={(header) => setAuth({ header })}
            onBlur={() => touch('auth')}
          />
        )}
        {auth.type === 'basic' && (
          <TextField
            label="User name"
            isRequired
            value={auth.username}
            errors={errorsOf('auth', 'username')}
            onInput={(username) => setAuth({ username })}
            onBlur={() => touch('auth')}
          />
        )}
        {secretLabel !== '' && (
          <TextField
            label={secretLabel}
            type="password"
            isMono
            isRequired={auth.kept === undefined}
            value={auth.secret}
            hint={keptHint(auth.kept, secrets)}
            errors={errorsOf('auth', secretField)}
            onInput={(secret) => setAuth({ secret })}
            onBlur={() => touch('auth')}
          />
        )}
      </div>
      <PairsField label="Headers" noun="header" part={part} field="headers" />
      {draft.url.startsWith('http://') && (
        <DraftCheck
          part={part}
          field="allowInsecureHttp"
          label="Allow unencrypted HTTP"
          hint="Only needed for other machines. Others on the network can read and change what is sent."
        />
      )}
    </>
  )
}

function secretHint(text: string): string {
  return /\$\{secret:[^-]/.test(text) ? ' \u0024{secret:…} is a stored secret. Leave it to keep the secret, or replace it.' : ''
}
