import type { BuiltinToolSetting } from '../../../api.ts'
import { TextField } from '../../parts/field.tsx'
import type { SettingsPart } from './agent-page.tsx'
import { OriginNotes } from './origin-note.tsx'

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
    <section class="panel" aria-labelledby="agent-workspace">
      <h2 id="agent-workspace">Commands and web pages</h2>
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
      <OriginNotes origins={view.origins} paths={['tools.run_command', 'tools.fetch_url']} />
    </section>
  )
}

/** A list in a text field. An empty last line is kept while typing. */
function toLines(text: string): string[] {
  return text === '' ? [] : text.split(/\r?\n/)
}
