import { useId, useState } from 'preact/hooks'
import type { Complete, Suggestions } from '../../../api.ts'
import { post, serverApi } from '../../api/client.ts'
import { TextField } from '../../parts/field.tsx'
import { useDelayed } from '../../parts/use-delayed.ts'

interface SuggestedFieldProps {
  readonly server: string
  /** The prompt or template that has the argument. */
  readonly of: { readonly prompt: string } | { readonly template: string }
  readonly name: string
  readonly description?: string | undefined
  readonly isRequired: boolean
  readonly value: string
  /** The other values that are filled in. */
  readonly known: Readonly<Record<string, string>>
  readonly errors?: readonly string[]
  readonly onInput: (value: string) => void
}

const askAfterMs = 150

/** A field with the values that the server suggests. */
export function SuggestedField({ server, of, name, description, isRequired, value, known, errors = [], onInput }: SuggestedFieldProps) {
  const id = useId()
  const [values, setValues] = useState<readonly string[]>([])
  const asked: Complete = { ...of, argument: name, value, known }
  useDelayed(JSON.stringify([server, asked]), askAfterMs, (signal) => {
    post<Suggestions>(serverApi(server, 'complete'), asked, signal)
      .then((suggested) => setValues(suggested.values))
      // A server need not suggest anything.
      .catch(() => undefined)
  })
  return (
    <>
      <TextField
        label={name}
        isRequired={isRequired}
        hint={description}
        errors={errors}
        value={value}
        {...(values.length > 0 && { list: id })}
        onInput={onInput}
      />
      <datalist id={id}>
        {values.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}
