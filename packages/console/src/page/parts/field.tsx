import type { ComponentChildren, TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly errors?: readonly string[]
  readonly isRequired?: boolean
  /** Attributes for the control, so that screen readers read its label, hint and errors. */
  readonly children: (control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ComponentChildren
}

function Field({ label, hint, errors = [], isRequired = false, children }: FieldProps) {
  const id = useId()
  const hasErrors = errors.length > 0
  const describedBy = [hint === undefined ? '' : `${id}-hint`, hasErrors ? `${id}-error` : ''].filter(Boolean).join(' ')
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
      {children({ id, 'aria-describedby': describedBy === '' ? undefined : describedBy, 'aria-invalid': hasErrors })}
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
  readonly value: string
  readonly onInput: (value: string) => void
  readonly onBlur?: () => void
  readonly type?: 'text' | 'password' | 'url'
  readonly placeholder?: string | undefined
  readonly isMono?: boolean
  readonly inputMode?: 'text' | 'numeric' | 'decimal'
  readonly rows?: number
  readonly isFocused?: boolean
  /** The ID of a `datalist` with suggestions. */
  readonly list?: string
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
          onInput: (event: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) => onInput(event.currentTarget.value),
        } as const
        // Preact types each input type separately, so a variable type needs a cast.
        const inputType = type as 'text'
        return rows === undefined ? <input type={inputType} {...props} /> : <textarea rows={rows} {...props} />
      }}
    </Field>
  )
}

interface SelectFieldProps<T extends string> extends Omit<FieldProps, 'children'> {
  readonly value: T
  readonly options: readonly (readonly [value: T, text: string])[]
  readonly onChange: (value: T) => void
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

export function Options({ of: options }: { readonly of: readonly Option[] }) {
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
