import type { ComponentChildren } from 'preact'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import type { FormPart } from './server-form.tsx'

const inclusions = [
  ['always', 'Always: in every step'],
  ['manual', 'Manual: when a person adds them'],
  ['agent', 'Agent: when the search finds them'],
] as const

/** How its tools may be used, and how long and how often. */
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
              ['dynamic', 'Dynamic: every tool it offers'],
              ['strict', 'Strict: only tools in toolbox.tools'],
            ]}
            onChange={(mode) => change({ mode })}
          />
          <SelectField
            label="Offered to the model"
            value={draft.include}
            errors={errorsOf('include')}
            options={[['', 'As usual (always)'], ...inclusions]}
            onChange={(include) => change({ include })}
          />
        </div>
        <p class="section-hint">Default tool configuration: for tools that are not in toolbox.tools.</p>
        <div class="form-row">
          <TextField
            label="Calls at once, per tool"
            inputMode="numeric"
            placeholder="5"
            value={draft.toolMaxInstances}
            errors={errorsOf('defaultToolConfig', 'maxInstances')}
            onInput={(toolMaxInstances) => change({ toolMaxInstances })}
            onBlur={() => touch('defaultToolConfig')}
          />
          <TextField
            label="Call time-out"
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
              ['', 'As the agent’s mode says'],
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
            options={[['', 'As the server’s'], ...inclusions]}
            errors={errorsOf('defaultToolConfig', 'include')}
            onChange={(toolInclude) => change({ toolInclude })}
          />
        </div>
        <CheckField
          label="Trust what it says of its tools"
          hint="With the approval mode trusted-only, tools that it calls read-only are run without a question."
          isOn={draft.trusted}
          onChange={(trusted) => change({ trusted })}
        />
        <CheckField
          label="Choose which prompts become slash commands"
          hint="Otherwise all of them do."
          isOn={draft.choosesPrompts}
          onChange={(choosesPrompts) => change({ choosesPrompts })}
        />
        {draft.choosesPrompts && (
          <TextField
            label="Prompts"
            hint="One per line, by the names the server gives them. None: no slash commands."
            isMono
            rows={Math.min(8, Math.max(2, draft.prompts.split('\n').length))}
            value={draft.prompts}
            errors={errorsOf('prompts')}
            onInput={(prompts) => change({ prompts })}
            onBlur={() => touch('prompts')}
          />
        )}
      </Section>
      <Section title="Time and limits" isOpen={hasErrors}>
        <div class="form-row">
          <TextField
            label="Time-out"
            hint="For connecting: 1s to 5m."
            placeholder="30s"
            value={draft.timeout}
            errors={errorsOf('timeout')}
            onInput={(timeout) => change({ timeout })}
            onBlur={() => touch('timeout')}
          />
          <TextField
            label="Retries"
            hint="0 to 5 quick ones, then one a minute. 0: none at all."
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
          hint="The agent does not start without it."
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
