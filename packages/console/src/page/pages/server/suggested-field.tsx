import { useId, useState } from 'preact/hooks'
import type { McpCompletion, McpSuggestions } from '../../../api.ts'
import { post, serverApi } from '../../api/client.ts'
import { TextField } from '../../parts/form.tsx'
import { useDelayed } from '../../parts/use-delayed.ts'

interface SuggestedFieldProps {
  server: string
  of: { prompt: string } | { template: string }
  name: string
  description?: string
  isRequired: boolean
  /** Of all fields. The server suggests what fits the others. */
  values: Readonly<Record<string, string>>
  errors?: readonly string[]
  onChange: (values: Readonly<Record<string, string>>) => void
}

const askAfterMs = 150

export function SuggestedField({
  server,
  of,
  name,
  description,
  isRequired,
  values,
  errors = [],
  onChange,
}: SuggestedFieldProps) {
  const id = useId()
  const [suggestions, setSuggestions] = useState<readonly string[]>([])
  const { [name]: value = '', ...others } = values
  const asked: McpCompletion = { ...of, argument: name, value, known: filledIn(others) }
  useDelayed(JSON.stringify([server, asked]), askAfterMs, (signal) => {
    post<McpSuggestions>(serverApi(server, 'complete'), asked, signal)
      .then((suggested) => setSuggestions(suggested.values))
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
        list={suggestions.length > 0 ? id : undefined}
        onInput={(next) => onChange({ ...values, [name]: next })}
      />
      <datalist id={id}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}

export function filledIn(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}
