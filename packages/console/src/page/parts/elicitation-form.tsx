import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { toField } from '../schema/field.ts'
import { Answers } from './answers.tsx'
import { useArguments } from './arguments-editor.tsx'
import { BusyButton } from './buttons.tsx'
import { Form } from './form.tsx'
import { focusInvalid } from './move-focus.ts'
import { SchemaForm } from './schema-form.tsx'

interface ElicitationFormProps {
  schema: Readonly<Record<string, unknown>>
  isBusy: boolean
  send: string
  onSend: (content: Readonly<Record<string, unknown>>) => void
  above?: ComponentChildren
  children: ComponentChildren
}

export function ElicitationForm({ schema, isBusy, send, onSend, above, children }: ElicitationFormProps) {
  const field = useMemo(() => toField(schema), [schema])
  const { read, entry, issues, setEntry } = useArguments(field)
  const submit = async (form: HTMLFormElement) => {
    const content = await read()
    if (content === undefined) focusInvalid(form)
    else onSend(content)
  }
  return (
    <Form isBusy={isBusy} onSubmit={(form) => void submit(form)}>
      <SchemaForm field={field} entry={entry} path="" issues={issues} onChange={setEntry} />
      {above}
      <Answers>
        <BusyButton isBusy={isBusy} type="submit" class="button-primary">
          {send}
        </BusyButton>
        {children}
      </Answers>
    </Form>
  )
}

/** The two ways to send a server nothing: a refusal, or no answer. */
export function DeclineButtons({
  onAnswer,
}: {
  onAnswer: (answer: { action: 'decline' | 'cancel' }) => void
}) {
  return (
    <>
      <button type="button" onClick={() => onAnswer({ action: 'decline' })}>
        Decline
      </button>
      <button type="button" onClick={() => onAnswer({ action: 'cancel' })}>
        Cancel
      </button>
    </>
  )
}
