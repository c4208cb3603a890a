import type { AgentSettings, ToolSetting } from '../../../api.ts'
import type { SettingsPart } from './agent-page.tsx'

/** Edits `toolbox.tools`, the settings per tool. */
export function ToolSettings({ settings: { toolbox }, view, change }: SettingsPart) {
  const { tools } = toolbox
  const set = (next: readonly ToolSetting[]) => change({ toolbox: { ...toolbox, tools: next } })
  const replace = (at: number, update: Partial<Record<keyof ToolSetting, string>>) =>
    set(tools.map((tool, index) => (index === at ? updated(tool, update) : tool)))
  return (
    <section class="panel" aria-labelledby="agent-tools">
      <div class="section-head">
        <h2 id="agent-tools">Tools</h2>
        <span class="count">Settings that override a tool’s server</span>
      </div>
      {tools.length === 0 ? (
        <p class="muted">No overrides. Strict servers offer only the tools listed here.</p>
      ) : (
        <div class="table-scroll" tabIndex={0} role="group" aria-label="Tool settings, scrollable">
          <table class="tool-settings">
            <thead>
              <tr>
                <th scope="col">Tool</th>
                <th scope="col">Server</th>
                <th scope="col">Approval</th>
                <th scope="col">Include</th>
                <th scope="col">Parallel calls</th>
                <th scope="col">Timeout</th>
                <th scope="col">
                  <span class="visually-hidden">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {tools.map((tool, index) => {
                const of = `of tool ${index + 1}`
                const input = (field: 'name' | 'maxInstances' | 'timeout', label: string, placeholder: string) => (
                  <td>
                    <input
                      class={field === 'name' ? 'mono' : 'short'}
                      aria-label={`${label} ${of}`}
                      placeholder={placeholder}
                      value={String(tool[field] ?? '')}
                      spellcheck={false}
                      autocomplete="off"
                      {...(field === 'maxInstances' ? { inputMode: 'numeric' } : {})}
                      onInput={(event) => {
                        const { value } = event.currentTarget
                        const text = field === 'maxInstances' ? value.replace(/\D/g, '') : value
                        event.currentTarget.value = text
                        replace(index, { [field]: text })
                      }}
                    />
                  </td>
                )
                const select = (field: 'server' | 'approval' | 'include', label: string, empty: string, options: readonly string[]) => (
                  <td>
                    <select
                      aria-label={`${label} ${of}`}
                      value={tool[field] ?? ''}
                      onChange={(event) => replace(index, { [field]: event.currentTarget.value })}
                    >
                      <option value="">{empty}</option>
                      {withCurrent(options, tool[field]).map((option) => (
                        <option key={option} value={option}>
                          {option}
                        </option>
                      ))}
                    </select>
                  </td>
                )
                return (
                  <tr key={index}>
                    {input('name', 'Name', 'tool_name')}
                    {select(
                      'server',
                      'Server',
                      'any server',
                      view.servers.map(({ name }) => name),
                    )}
                    {select('approval', 'Approval', 'use the approval mode', ['ask', 'allow', 'deny'])}
                    {select('include', 'Include', 'use the server’s setting', ['always', 'manual', 'agent'])}
                    {input('maxInstances', 'Parallel calls', '5')}
                    {input('timeout', 'Timeout', '30s')}
                    <td>
                      <button
                        type="button"
                        class="button-small"
                        aria-label={`Remove ${tool.name === '' ? `tool ${index + 1}` : tool.name}`}
                        onClick={() => set(tools.filter((_, at) => at !== index))}
                      >
                        Remove
                      </button>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      <button type="button" class="button-small" onClick={() => set([...tools, { name: '' }])}>
        Add tool
      </button>
    </section>
  )
}

/** Stores numbers as numbers, and drops empty fields. */
function updated(tool: ToolSetting, update: Partial<Record<keyof ToolSetting, string>>): AgentSettings['toolbox']['tools'][number] {
  const values = Object.entries(update).map(
    ([field, text]) => [field, field !== 'name' && field !== 'server' && /^\d+$/.test(text) ? Number(text) : text] as const,
  )
  const next = { ...tool, ...Object.fromEntries(values) }
  return Object.fromEntries(Object.entries(next).filter(([field, value]) => field === 'name' || value !== '')) as unknown as ToolSetting
}

function withCurrent(options: readonly string[], current: string | undefined): readonly string[] {
  return current === undefined || options.includes(current) ? [...new Set(options)] : [...options, current]
}
