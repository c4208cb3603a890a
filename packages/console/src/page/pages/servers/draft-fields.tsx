import { CheckField, TextField } from '../../parts/form.tsx'
import type { Draft } from './draft.ts'
import type { FormPart } from './server-form.tsx'

type TextOf = { [K in keyof Draft]: string extends Draft[K] ? K : never }[keyof Draft]
type FlagOf = { [K in keyof Draft]: Draft[K] extends boolean ? K : never }[keyof Draft]

interface Bound<K> {
  readonly part: FormPart
  readonly field: K
  /** The path of the value in the server's entry. Defaults to the field. */
  readonly at?: readonly [string, ...string[]]
}

type Given<C extends (props: never) => unknown> = Omit<
  Parameters<C>[0],
  'value' | 'errors' | 'isOn' | 'onInput' | 'onChange' | 'onBlur'
>

export function DraftText({
  part: { draft, change, errorsOf, touch },
  field,
  at = [field],
  isList = false,
  ...shown
}: Bound<TextOf> & Given<typeof TextField> & { isList?: boolean }) {
  const lines = draft[field].split('\n').length
  return (
    <TextField
      {...shown}
      rows={isList ? Math.min(8, Math.max(2, lines)) : undefined}
      value={draft[field]}
      errors={errorsOf(...at)}
      onInput={(value) => change({ [field]: value })}
      onBlur={() => touch(at[0])}
    />
  )
}

export function DraftCheck({
  part: { draft, change },
  field,
  ...shown
}: Bound<FlagOf> & Given<typeof CheckField>) {
  return <CheckField {...shown} isOn={draft[field]} onChange={(value) => change({ [field]: value })} />
}
