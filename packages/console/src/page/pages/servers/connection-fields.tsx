import { counted } from '@ostler/agent-api/browser'
import { splitCommandLine } from '@ostler/workbench/command-line'
import { useId } from 'preact/hooks'
import { SelectField, TextField } from '../../parts/form.tsx'
import { titleOf } from '../../route.ts'
import { formatArguments } from '../../text/argument-lines.ts'
import { loginWords, optionsOf } from '../../text/setting-words.ts'
import { DraftCheck, DraftText } from './draft-fields.tsx'
import { authSecret, keptHint, type Pair } from './draft.ts'
import type { FormPart } from './server-form.tsx'

export function ConnectionFields(part: FormPart) {
  return part.draft.type === 'stdio' ? <CommandFields {...part} /> : <AddressFields {...part} />
}

function CommandFields(part: FormPart) {
  return (
    <>
      <DraftText part={part} field="command" label="Command" isRequired isMono placeholder="npx" />
      <WholeLine {...part} />
      <DraftText
        part={part}
        field="args"
        label="Arguments"
        hint={`One per line, no quotes.${secretHint(part.draft.args)}`}
        isMono
        isList
      />
      <PairsField label="Environment variables" noun="variable" part={part} field="env" />
      <DraftText
        part={part}
        field="cwd"
        label="Working directory"
        hint="Leave empty to use your home directory."
        isMono
      />
    </>
  )
}

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
      This is a whole command line. The program is <code>{command}</code>, with{' '}
      {counted(args.length, 'argument')}
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
  const secretField = auth.type === 'none' || auth.type === 'oauth' ? undefined : authSecret[auth.type]
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
            ...(auth.other === undefined
              ? []
              : [['oauth', `OAuth (${String(auth.other['type'])})`] as const]),
          ]}
          onChange={(type) =>
            change({
              auth: { type, other: auth.other, header: auth.header, username: auth.username, secret: '' },
            })
          }
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
        {secretField !== undefined && (
          <TextField
            label={titleOf(secretField)}
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
  return /\$\{secret:[^-]/.test(text)
    ? ' \u0024{secret:…} is a stored secret. Leave it to keep the secret, or replace it.'
    : ''
}

interface PairsFieldProps {
  label: string
  noun: 'variable' | 'header'
  part: FormPart
  field: 'env' | 'headers'
}

const secretLike = /key|token|secret|passw|auth|credential|cookie|private/i

function looksSecret(name: string): boolean {
  return secretLike.test(name)
}

/** Names and values. A secret value can be set, but never read. */
function PairsField({
  label,
  noun,
  part: { draft, secrets, change, errorsOf, touch },
  field,
}: PairsFieldProps) {
  const id = useId()
  const pairs = draft[field]
  const errors = pairs.length === 0 ? errorsOf(field) : []
  const onChange = (next: readonly Pair[]) => change({ [field]: next })
  const onBlur = () => touch(field)
  const replace = (at: number, update: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...update } : pair)))
  return (
    <fieldset class="column pairs">
      <legend>{label}</legend>
      {pairs.map((pair, index) => {
        const hint = keptHint(pair.kept, secrets)
        const problems = pair.name === '' ? [] : errorsOf(field, pair.name)
        const number = index + 1
        // Preact types each input type separately, so a variable type needs a cast.
        const inputType = (pair.isSecret ? 'password' : 'text') as 'text'
        return (
          <div class="pair" key={index}>
            <input
              class="mono"
              aria-label={`Name of ${noun} ${number}`}
              placeholder="Name"
              value={pair.name}
              spellcheck={false}
              autocomplete="off"
              onBlur={onBlur}
              onInput={(event) => {
                const name = event.currentTarget.value
                replace(index, { name, isSecret: pair.isSecret || looksSecret(name) })
              }}
            />
            <input
              class="mono"
              type={inputType}
              aria-label={`Value of ${noun} ${number}`}
              aria-describedby={hint === undefined ? undefined : `${id}-${index}`}
              aria-invalid={problems.length > 0}
              placeholder={hint === undefined ? 'Value' : 'Kept'}
              value={pair.value}
              spellcheck={false}
              autocomplete={pair.isSecret ? 'new-password' : 'off'}
              onBlur={onBlur}
              onInput={(event) => replace(index, { value: event.currentTarget.value })}
            />
            <label class="bar pair-secret">
              <input
                type="checkbox"
                checked={pair.isSecret}
                disabled={pair.kept !== undefined}
                onChange={(event) => replace(index, { isSecret: event.currentTarget.checked })}
              />
              Secret
            </label>
            <button
              type="button"
              class="button-small"
              aria-label={`Remove ${noun} ${pair.name === '' ? number : pair.name}`}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              Remove
            </button>
            {hint !== undefined && (
              <p class="hint" id={`${id}-${index}`}>
                {hint}
              </p>
            )}
            {problems.length > 0 && <p class="field-error">{problems.join(' ')}</p>}
          </div>
        )
      })}
      {errors.length > 0 && <p class="field-error">{errors.join(' ')}</p>}
      <button
        type="button"
        class="button-small"
        onClick={() => onChange([...pairs, { name: '', value: '', isSecret: false }])}
      >
        Add {noun}
      </button>
    </fieldset>
  )
}
