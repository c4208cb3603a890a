import { SelectField, TextField } from '../../parts/field.tsx'
import type { SettingsPart } from './agent-page.tsx'
import { OriginNotes } from './origin-note.tsx'

const noteOfVariables = '${NAME} stands for an environment variable.'

/** The models, and the prompt that they get. */
export function ModelSettings({ settings, view, change, remove }: SettingsPart) {
  const set = (field: 'model' | 'smallModel' | 'systemPrompt', text: string) => (text === '' ? remove(field) : change({ [field]: text }))
  return (
    <section class="panel" aria-labelledby="agent-model">
      <h2 id="agent-model">Model</h2>
      <div class="form-row">
        <TextField
          label="Model"
          isMono
          placeholder="provider/model"
          hint="Leave empty to use the provider whose key is set. You can change it per session in your editor."
          value={settings.model ?? ''}
          onInput={(text) => set('model', text.trim())}
        />
        <TextField
          label="Small model"
          isMono
          placeholder="provider/model"
          hint="For titles and summaries. Leave empty to use the model above."
          value={settings.smallModel ?? ''}
          onInput={(text) => set('smallModel', text.trim())}
        />
        <SelectField
          label="Thinking"
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
      <TextField
        label="System prompt"
        hint={`Who the agent is and how it works, for every session. ${noteOfVariables}`}
        rows={Math.min(20, Math.max(6, (settings.systemPrompt ?? '').split('\n').length + 1))}
        value={settings.systemPrompt ?? ''}
        onInput={(text) => set('systemPrompt', text)}
      />
      <OriginNotes origins={view.origins} paths={['model', 'models.small', 'thoughtLevel', 'systemPrompt']} />
    </section>
  )
}
