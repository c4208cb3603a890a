import { useState } from 'preact/hooks'
import { TextField } from '../../parts/field.tsx'
import type { SettingsPart } from './agent-page.tsx'
import { OriginNotes } from './origin-note.tsx'

export function LimitSettings({ settings: { toolbox, toolBudget }, view, change }: SettingsPart) {
  return (
    <section class="panel" aria-labelledby="agent-limits">
      <h2 id="agent-limits">Limits</h2>
      <div class="form-row">
        <CountField
          key={`max ${view.settings.toolbox.maxConcurrent}`}
          label="Maximum parallel calls"
          value={toolbox.maxConcurrent}
          onChange={(maxConcurrent) => change({ toolbox: { ...toolbox, maxConcurrent } })}
        />
        <CountField
          key={`budget ${view.settings.toolBudget}`}
          label="Tools offered without tool search"
          value={toolBudget}
          onChange={(count) => change({ toolBudget: count })}
        />
      </div>
      <OriginNotes origins={view.origins} paths={['toolbox.maxConcurrent', 'toolBudget']} />
    </section>
  )
}

function CountField({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}) {
  const [text, setText] = useState(String(value))
  const isValid = /^[1-9]\d*$/.test(text.trim())
  // Discarding changes resets the value, but not the text.
  const shown = isValid && Number(text) !== value ? String(value) : text
  return (
    <TextField
      label={label}
      inputMode="numeric"
      value={shown}
      errors={isValid ? [] : ['Must be a whole number, 1 or more.']}
      onInput={(next) => {
        setText(next)
        if (/^[1-9]\d*$/.test(next.trim())) onChange(Number(next))
      }}
    />
  )
}
