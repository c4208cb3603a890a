import { useMemo } from 'preact/hooks'
import { toField } from '../schema/field.ts'
import { Answers } from './answers.tsx'
import { useArguments } from './arguments-editor.tsx'
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
  const editor = useArguments(field)
  const submit = async (form: HTMLFormElement) => {
    const content = await editor.read()
    if (content === undefined) focusInvalid(form)
    else onAnswer({ action: 'accept', content })
  }
  return (
    <Form isBusy={isBusy} onSubmit={(form) => void submit(form)}>
      <SchemaForm field={field} entry={editor.entry} path="" issues={editor.issues} onChange={editor.setEntry} />
      <Answers>
        <BusyButton isBusy={isBusy} type="submit" class="button-primary">
          Send answer
        </BusyButton>
        <DeclineButtons onAnswer={onAnswer} />
      </Answers>
    </Form>
  )
}
