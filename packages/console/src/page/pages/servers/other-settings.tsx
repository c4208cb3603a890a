import { DraftText } from './draft-fields.tsx'
import { otherFields, otherSettings } from './draft.ts'
import type { FormPart } from './server-form.tsx'

/** The fields that few servers need. */
export function OtherSettings(part: FormPart) {
  return (
    <details class="form-section" open={part.errorsOf(otherSettings).length > 0}>
      <summary>Other settings</summary>
      <div class="column form-section-body">
        <DraftText
          part={part}
          field="others"
          at={[otherSettings]}
          label="Other settings"
          hint={`A JSON object with fields of the agent file: ${otherFields.join(', ')}.`}
          placeholder={'{ "mode": "strict", "timeout": "10s" }'}
          isMono
          isList
        />
      </div>
    </details>
  )
}
