import type { ComponentChildren } from 'preact'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import type { FormPart } from './server-form.tsx'

const inclusions = [
  ['always', 'Always'],
  ['manual', 'Manual: when you add them'],
  ['agent', 'On demand: when tool search finds them'],
] as const

/** Settings for tools, timeouts and limits. */
export function LimitFields({ draft, change, errorsOf, touch }: FormPart) {
  const fields = ['defaultToolConfig', 'timeout', 'retryAttempts', 'rateLimit', 'include']
  const hasErrors = fields.some((field) => errorsOf(field).length > 0)
  return (
    <>
      <Section title="Tools" isOpen={errorsOf('mode').length + errorsOf('defaultToolConfig').length + errorsOf('prompts').length > 0}>
        <div class="form-row">
          <SelectField
            label="Mode"
            value={draft.mode}
            errors={errorsOf('mode')}
            options={[
              ['dynamic', 'Dynamic: all its tools'],
              ['strict', 'Strict: only tools in toolbox.tools'],
            ]}
            onChange={(mode) => change({ mode })}
          />
          <SelectField
            label="Offered to the model"
            value={draft.include}
            errors={errorsOf('include')}
            options={[['', 'Default (always)'], ...inclusions]}
            onChange={(include) => change({ include })}
          />
        </div>
        <p class="section-hint">Defaults for tools without their own settings</p>
        <div class="form-row">
          <TextField
            label="Parallel calls per tool"
            inputMode="numeric"
            placeholder="5"
            value={draft.toolMaxInstances}
            errors={errorsOf('defaultToolConfig', 'maxInstances')}
            onInput={(toolMaxInstances) => change({ toolMaxInstances })}
            onBlur={() => touch('defaultToolConfig')}
          />
          <TextField
            label="Call timeout"
            placeholder="30s"
            value={draft.toolTimeout}
            errors={errorsOf('defaultToolConfig', 'timeout')}
            onInput={(toolTimeout) => change({ toolTimeout })}
            onBlur={() => touch('defaultToolConfig')}
          />
          <SelectField
            label="Approval"
            value={draft.toolApproval}
            options={[
              ['', 'Use the approval mode'],
              ['ask', 'Ask'],
              ['allow', 'Allow'],
              ['deny', 'Deny'],
            ]}
            errors={errorsOf('defaultToolConfig', 'approval')}
            onChange={(toolApproval) => change({ toolApproval })}
          />
          <SelectField
            label="Inclusion"
            value={draft.toolInclude}
            options={[['', 'Same as server'], ...inclusions]}
            errors={errorsOf('defaultToolConfig', 'include')}
            onChange={(toolInclude) => change({ toolInclude })}
          />
        </div>
        <CheckField
          label="Trust this server’s read-only hints"
          hint="In “Trusted only” mode, tools it marks read-only run without asking."
          isOn={draft.trusted}
          onChange={(trusted) => change({ trusted })}
        />
        <CheckField
          label="Choose which prompts become slash commands"
          hint="Otherwise, all prompts do."
          isOn={draft.choosesPrompts}
          onChange={(choosesPrompts) => change({ choosesPrompts })}
        />
        {draft.choosesPrompts && (
          <TextField
            label="Prompts"
            hint="One per line, by the server’s names. Leave empty for no slash commands."
            isMono
            rows={Math.min(8, Math.max(2, draft.prompts.split('\n').length))}
            value={draft.prompts}
            errors={errorsOf('prompts')}
            onInput={(prompts) => change({ prompts })}
            onBlur={() => touch('prompts')}
          />
        )}
      </Section>
      <Section title="Timeouts and limits" isOpen={hasErrors}>
        <div class="form-row">
          <TextField
            label="Timeout"
            hint="To connect: 1s to 5m."
            placeholder="30s"
            value={draft.timeout}
            errors={errorsOf('timeout')}
            onInput={(timeout) => change({ timeout })}
            onBlur={() => touch('timeout')}
          />
          <TextField
            label="Retries"
            hint="0 to 5 quick retries, then one per minute. 0: only on demand."
            inputMode="numeric"
            placeholder="3"
            value={draft.retryAttempts}
            errors={errorsOf('retryAttempts')}
            onInput={(retryAttempts) => change({ retryAttempts })}
            onBlur={() => touch('retryAttempts')}
          />
          <TextField
            label="Rate limit: calls"
            inputMode="numeric"
            placeholder="No limit"
            value={draft.rateCalls}
            errors={errorsOf('rateLimit', 'calls')}
            onInput={(rateCalls) => change({ rateCalls })}
            onBlur={() => touch('rateLimit')}
          />
          <TextField
            label="Rate limit: per"
            placeholder="1m"
            value={draft.ratePer}
            errors={errorsOf('rateLimit', 'per')}
            onInput={(ratePer) => change({ ratePer })}
            onBlur={() => touch('rateLimit')}
          />
        </div>
        <CheckField
          label="Required"
          hint="The agent does not start without this server."
          isOn={draft.required}
          onChange={(required) => change({ required })}
        />
      </Section>
    </>
  )
}

function Section({ title, isOpen, children }: { title: string; isOpen: boolean; children: ComponentChildren }) {
  return (
    <details class="form-section" open={isOpen}>
      <summary>{title}</summary>
      <div class="form-section-body">{children}</div>
    </details>
  )
}
