import { approvalWords } from '@ostler/agent-api/browser'
import type { ComponentChildren } from 'preact'
import { inclusionWords, modeWords, optionsOf } from '../../text/setting-words.ts'
import { DraftCheck, DraftSelect, DraftText } from './draft-fields.tsx'
import type { FormPart } from './server-form.tsx'

const inclusions = optionsOf(inclusionWords)

export function ToolFields(part: FormPart) {
  return (
    <Section title="Tools" part={part} fields={['mode', 'defaultToolConfig', 'prompts']}>
      <div class="form-row">
        <DraftSelect part={part} field="mode" label="Mode" options={optionsOf(modeWords)} />
        <DraftSelect
          part={part}
          field="include"
          label="Offered to the model"
          options={[['', 'Default (always)'], ...inclusions]}
        />
      </div>
      <p class="hint">Defaults for tools without their own settings</p>
      <div class="form-row">
        <DraftText
          part={part}
          field="toolMaxInstances"
          at={['defaultToolConfig', 'maxInstances']}
          label="Parallel calls per tool"
          inputMode="numeric"
          placeholder="5"
        />
        <DraftText
          part={part}
          field="toolTimeout"
          at={['defaultToolConfig', 'timeout']}
          label="Call timeout"
          placeholder="30s"
        />
        <DraftSelect
          part={part}
          field="toolApproval"
          at={['defaultToolConfig', 'approval']}
          label="Approval"
          options={[['', 'Use the approval mode'], ...optionsOf(approvalWords)]}
        />
        <DraftSelect
          part={part}
          field="toolInclude"
          at={['defaultToolConfig', 'include']}
          label="Offered to the model by default"
          options={[['', 'Same as server'], ...inclusions]}
        />
      </div>
      <DraftCheck
        part={part}
        field="trusted"
        label="Trust this server’s read-only hints"
        hint="In “Trusted only” mode, tools it marks read-only run without asking."
      />
      <DraftCheck
        part={part}
        field="choosesPrompts"
        label="Choose which prompts become slash commands"
        hint="Otherwise, all prompts do."
      />
      {part.draft.choosesPrompts && (
        <DraftText
          part={part}
          field="prompts"
          label="Prompts"
          hint="One per line, by the server’s names. Leave empty for no slash commands."
          isMono
          isList
        />
      )}
    </Section>
  )
}

export function LimitFields(part: FormPart) {
  return (
    <Section
      title="Timeouts and limits"
      part={part}
      fields={['defaultToolConfig', 'timeout', 'retryAttempts', 'rateLimit', 'include']}
    >
      <div class="form-row">
        <DraftText
          part={part}
          field="timeout"
          label="Timeout"
          hint="How long connecting may take: 1s to 5m."
          placeholder="30s"
        />
        <DraftText
          part={part}
          field="retryAttempts"
          label="Retries"
          hint="0 to 5 quick retries, then one per minute. With 0, it reconnects only when it is needed."
          inputMode="numeric"
          placeholder="3"
        />
        <DraftText
          part={part}
          field="rateCalls"
          at={['rateLimit', 'calls']}
          label="Rate limit: calls"
          inputMode="numeric"
          placeholder="No limit"
        />
        <DraftText
          part={part}
          field="ratePer"
          at={['rateLimit', 'per']}
          label="Rate limit: per"
          placeholder="1m"
        />
      </div>
    </Section>
  )
}

interface SectionProps {
  title: string
  part: FormPart
  /** The section opens when one of these has errors. */
  fields: readonly string[]
  children: ComponentChildren
}

function Section({ title, part, fields, children }: SectionProps) {
  return (
    <details class="form-section" open={fields.some((field) => part.errorsOf(field).length > 0)}>
      <summary>{title}</summary>
      <div class="column form-section-body">{children}</div>
    </details>
  )
}
