import { useState } from 'preact/hooks'
import type { BuiltinToolSetting } from '../../../api.ts'
import { TextField } from '../../parts/form.tsx'
import type { SettingsPart } from './agent-page.tsx'
import { Panel } from './panel.tsx'

export function LimitSettings({ settings: { toolbox, toolBudget }, view, change }: SettingsPart) {
  return (
    <Panel title="Limits" overridden={view.overridden} paths={['toolbox.maxConcurrent', 'toolBudget']}>
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
    </Panel>
  )
}

function CountField({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (value: number) => void
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

type Field = Exclude<keyof BuiltinToolSetting, 'enabled' | 'approval'>

/** Commands and web pages. The built-in tools themselves are in the table of tools. */
export function WorkspaceSettings({ settings: { tools }, view, change }: SettingsPart) {
  const set = (tool: 'run_command' | 'fetch_url', field: Field, value: BuiltinToolSetting[Field]) => {
    const { [field]: _, ...rest } = tools[tool] ?? { enabled: true }
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    change({ tools: { ...tools, [tool]: isEmpty ? rest : { ...rest, [field]: value } } })
  }
  const { run_command: command, fetch_url: fetching } = tools
  return (
    <Panel
      title="Commands and web pages"
      overridden={view.overridden}
      paths={['tools.run_command', 'tools.fetch_url']}
    >
      <div class="form-row">
        <TextField
          label="Timeout of a command"
          placeholder="2m"
          value={String(command?.timeout ?? '')}
          onInput={(text) => set('run_command', 'timeout', text.trim())}
        />
        <TextField
          label="Longest timeout the model may choose"
          placeholder="10m"
          value={String(command?.timeoutMax ?? '')}
          onInput={(text) => set('run_command', 'timeoutMax', text.trim())}
        />
      </div>
      <TextField
        label="Variables passed to commands"
        hint="One name per line. Other variables that look like secrets are removed."
        isMono
        rows={3}
        value={(command?.keepVariables ?? []).join('\n')}
        onInput={(text) => set('run_command', 'keepVariables', toLines(text))}
      />
      <TextField
        label="Private hosts the agent may fetch"
        hint="One host name or address per line. Other private addresses are blocked."
        isMono
        rows={3}
        value={(fetching?.privateHosts ?? []).join('\n')}
        onInput={(text) => set('fetch_url', 'privateHosts', toLines(text))}
      />
    </Panel>
  )
}

/** A list in a text field. An empty last line is kept while typing. */
function toLines(text: string): string[] {
  return text === '' ? [] : text.split(/\r?\n/)
}
