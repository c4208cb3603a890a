import { useMemo, useState } from 'preact/hooks'
import { checkPatterns } from '../schema/check-patterns.ts'
import { type FormIssue, initialEntry, toValue } from '../schema/entry.ts'
import { toField } from '../schema/field.ts'
import { Answers } from './answers.tsx'
import { BusyButton } from './busy-button.tsx'
import { DeclineButtons } from './decline-buttons.tsx'
import { Form } from './form.tsx'
import { focusInvalid } from './move-focus.ts'
import { SchemaForm } from './schema-form.tsx'

interface ElicitationFormProps {
  readonly schema: Readonly<Record<string, unknown>>
  readonly isBusy: boolean
  readonly onAnswer: (answer: ElicitationFormAnswer) => void
}

type ElicitationFormAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' }

/** The form of a server's question. The answer matches its schema. */
export function ElicitationForm({ schema, isBusy, onAnswer }: ElicitationFormProps) {
  const field = useMemo(() => toField(schema), [schema])
  const [entry, setEntry] = useState(() => initialEntry(field))
  const [issues, setIssues] = useState<readonly FormIssue[]>([])
  const submit = async (form: HTMLFormElement) => {
    const { value, issues: found, patterns } = toValue(field, entry)
    const all = [...found, ...(await checkPatterns(patterns))]
    setIssues(all)
    if (all.length === 0) onAnswer({ action: 'accept', content: (value ?? {}) as Readonly<Record<string, unknown>> })
    else focusInvalid(form)
  }
  return (
    <Form isBusy={isBusy} onSubmit={(form) => void submit(form)}>
      <SchemaForm
        field={field}
        entry={entry}
        path=""
        issues={issues}
        onChange={(next) => {
          setEntry(next)
          setIssues([])
        }}
      />
      <Answers>
        <BusyButton isBusy={isBusy} type="submit" class="button-primary">
          Send answer
        </BusyButton>
        <DeclineButtons onAnswer={onAnswer} />
      </Answers>
    </Form>
  )
}
