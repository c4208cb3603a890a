import type { ComponentChildren, ComponentProps, TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  isBusy?: boolean
  onSubmit: (form: HTMLFormElement) => void
}

/** The page checks the fields itself, because the browser's messages say less. Ctrl+Enter presses its button. Nothing is submitted while busy. */
export function Form({ isBusy = false, onSubmit, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      class="form"
      noValidate
      onKeyDown={({ key, ctrlKey, metaKey, repeat, currentTarget }) => {
        if (key !== 'Enter' || !(ctrlKey || metaKey) || repeat) return
        const isButton = (element: Element) =>
          element instanceof HTMLButtonElement && element.type === 'submit'
        const button = [...currentTarget.elements].find(isButton) as HTMLButtonElement | undefined
        button?.click()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit(event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}

interface FieldProps {
  label: string
  hint?: string
  errors?: readonly string[]
  isRequired?: boolean
  /** Attributes for the control, so that screen readers read its label, hint and errors. */
  children: (control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean
  }) => ComponentChildren
}

function Field({ label, hint, errors = [], isRequired = false, children }: FieldProps) {
  const id = useId()
  const hasErrors = errors.length > 0
  const describedBy = [hint === undefined ? '' : `${id}-hint`, hasErrors ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isRequired && (
          <span class="required" title="Required">
            <span aria-hidden="true"> *</span>
            <span class="visually-hidden"> (required)</span>
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': hasErrors,
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {hasErrors && (
        <p class="field-error" id={`${id}-error`}>
          {errors.join(' ')}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  onInput: (value: string) => void
  onBlur?: () => void
  type?: 'text' | 'password' | 'url'
  placeholder?: string
  isMono?: boolean
  inputMode?: 'text' | 'numeric' | 'decimal'
  rows?: number
  isFocused?: boolean
  list?: string
}

export function TextField({
  value,
  onInput,
  onBlur,
  type = 'text',
  placeholder,
  isMono = false,
  inputMode,
  rows,
  isFocused,
  list,
  ...field
}: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => {
        const props = {
          ...control,
          value,
          placeholder,
          inputMode,
          onBlur,
          autofocus: isFocused,
          list,
          spellcheck: false,
          autocomplete: type === 'password' ? 'new-password' : 'off',
          class: isMono ? 'mono' : undefined,
          onInput: (event: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            onInput(event.currentTarget.value),
        } as const
        // Preact types each input type separately, so a variable type needs a cast.
        const inputType = type as 'text'
        return rows === undefined ? (
          <input type={inputType} {...props} />
        ) : (
          <textarea rows={rows} {...props} />
        )
      }}
    </Field>
  )
}

interface SelectFieldProps<T extends string> extends Omit<FieldProps, 'children'> {
  value: T
  options: readonly (readonly [value: T, text: string])[]
  onChange: (value: T) => void
}

export function SelectField<T extends string>({ value, options, onChange, ...field }: SelectFieldProps<T>) {
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
          <Options of={options} />
        </select>
      )}
    </Field>
  )
}

type Option = readonly [value: string, text: string]

export function Options({ of: options }: { of: readonly Option[] }) {
  return options.map(([option, text]) => (
    <option key={option} value={option}>
      {text}
    </option>
  ))
}

export function CheckField({
  label,
  hint,
  isOn,
  onChange,
}: {
  label: string
  hint?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  const id = useId()
  return (
    <div class="field field-check">
      <label>
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby={hint === undefined ? undefined : id}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && (
        <p class="hint" id={id}>
          {hint}
        </p>
      )}
    </div>
  )
}
