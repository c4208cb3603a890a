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
  value: string
  known: Readonly<Record<string, string>>
  errors?: readonly string[]
  onInput: (value: string) => void
}

const askAfterMs = 150

export function SuggestedField({
  server,
  of,
  name,
  description,
  isRequired,
  value,
  known,
  errors = [],
  onInput,
}: SuggestedFieldProps) {
  const id = useId()
  const [values, setValues] = useState<readonly string[]>([])
  const asked: McpCompletion = { ...of, argument: name, value, known }
  useDelayed(JSON.stringify([server, asked]), askAfterMs, (signal) => {
    post<McpSuggestions>(serverApi(server, 'complete'), asked, signal)
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
        list={values.length > 0 ? id : undefined}
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
