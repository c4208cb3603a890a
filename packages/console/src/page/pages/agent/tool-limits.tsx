import type { ToolSetting } from '../../../api.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { inclusionWords, optionsOf } from '../../text/setting-words.ts'
import type { SettingsPart } from './agent-page.tsx'
import { entryOf, nameOfServer, withEntry, type ToolRow } from './tool-rows.ts'

interface ToolLimitsProps extends Pick<SettingsPart, 'settings' | 'change'> {
  readonly row: ToolRow
}

/** The other settings of a server's tool: an entry of `toolbox.tools`. */
export function ToolLimits({ row, settings, change }: ToolLimitsProps) {
  const { server, tool } = row
  const entry = entryOf(settings, row)
  const set = (field: 'include' | 'maxInstances' | 'timeout', text: string) => {
    const { [field]: _, ...rest } = entry ?? { name: tool, ...(server !== undefined && server !== null && { server }) }
    const value = field === 'include' || !/^\d+$/.test(text) ? text : Number(text)
    const next = (text === '' ? rest : { ...rest, [field]: value }) as ToolSetting
    const isEmpty = entry?.approval === undefined && Object.keys(next).every((name) => name === 'name' || name === 'server')
    change({ toolbox: withEntry(settings, row, isEmpty ? undefined : next).toolbox })
  }
  const of = `${nameOfServer(row)} / ${tool}`
  return (
    <fieldset class="tool-limits">
      <legend class="visually-hidden">More settings of {of}</legend>
      <SelectField
        label="When it is offered"
        value={entry?.include ?? ''}
        options={[['', 'Same as server'], ...optionsOf(inclusionWords)]}
        onChange={(include) => set('include', include)}
      />
      <TextField
        label="Parallel calls"
        inputMode="numeric"
        placeholder="5"
        value={String(entry?.maxInstances ?? '')}
        onInput={(text) => set('maxInstances', text.replaceAll(/\D/g, ''))}
      />
      <TextField label="Timeout" placeholder="30s" value={String(entry?.timeout ?? '')} onInput={(text) => set('timeout', text.trim())} />
    </fieldset>
  )
}
