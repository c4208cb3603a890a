import { useId } from 'preact/hooks'
import type { AgentView } from '../../../api.ts'
import { SelectField, TextField } from '../../parts/form.tsx'
import type { SettingsPart } from './agent-page.tsx'
import { Panel } from './panel.tsx'

const noteOfVariables = '${NAME} stands for an environment variable.'

export function ModelSettings({ settings, view, change, remove }: SettingsPart) {
  const set = (field: 'model' | 'smallModel' | 'systemPrompt', text: string) =>
    text === '' ? remove(field) : change({ [field]: text })
  const id = useId()
  const { models } = view.models
  const levels = (
    settings.model === undefined ? models[0] : models.find((model) => model.id === settings.model)
  )?.thoughtLevels
  return (
    <Panel
      title="Model"
      overridden={view.overridden}
      paths={['model', 'models.small', 'thoughtLevel', 'systemPrompt']}
    >
      <div class="form-row">
        <TextField
          label="Model"
          isMono
          placeholder={models[0]?.id}
          list={id}
          hint={`${describeModel(settings.model, view.models)} You can change the model per session in your editor.`}
          value={settings.model ?? ''}
          onInput={(text) => set('model', text.trim())}
        />
        <TextField
          label="Small model"
          isMono
          list={id}
          hint="For titles and summaries. Leave empty to use the model above."
          value={settings.smallModel ?? ''}
          onInput={(text) => set('smallModel', text.trim())}
        />
        <SelectField
          label="Thinking"
          hint={
            levels &&
            (levels.length === 0
              ? 'This model has no levels.'
              : `Levels of this model: ${levels.join(', ')}.`)
          }
          value={settings.thoughtLevel ?? ''}
          options={[
            ['', 'The model decides'],
            ['off', 'Off'],
            ['low', 'Low'],
            ['medium', 'Medium'],
            ['high', 'High'],
            ...(settings.thoughtLevel === 'default' ? ([['default', 'Default']] as const) : []),
          ]}
          onChange={(level) => (level === '' ? remove('thoughtLevel') : change({ thoughtLevel: level }))}
        />
      </div>
      <datalist id={id}>
        {models.map((model) => (
          <option key={model.id} value={model.id} label={model.name} />
        ))}
      </datalist>
      <TextField
        label="System prompt"
        hint={`Who the agent is and how it works, for every session. ${noteOfVariables}`}
        rows={Math.min(20, Math.max(6, (settings.systemPrompt ?? '').split('\n').length + 1))}
        value={settings.systemPrompt ?? ''}
        onInput={(text) => set('systemPrompt', text)}
      />
    </Panel>
  )
}

/** Says whether the model's key is set. Agents may have other keys than the console. */
function describeModel(model: string | undefined, { models, providers }: AgentView['models']): string {
  if (model === undefined)
    return `Leave empty to use the provider whose key is set. With the keys of this console: ${models[0]?.id}.`
  const provider = providers.find(({ name }) => model.startsWith(`${name}/`))
  if (provider === undefined) return models.some(({ id }) => id === model) ? '' : 'There is no such provider.'
  if (provider.reason !== undefined) return `${provider.reason} Agents have the keys of their editor.`
  return provider.hasKey ? `${provider.keySource} is set for this console.` : 'It needs no key.'
}
