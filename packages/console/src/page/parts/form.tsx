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

interface Control {
  id?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

interface FieldProps {
  label: string
  hint?: string
  errors?: readonly string[]
  isRequired?: boolean
  /** Attributes for the control, so that screen readers read its label, hint and errors. */
  children: (control: Control) => ComponentChildren
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

interface Choice<T extends string> {
  value: T
  options: readonly (readonly [value: T, text: string])[]
  onChange: (value: T) => void
}

export function SelectField<T extends string>({
  value,
  options,
  onChange,
  ...field
}: Choice<T> & Omit<FieldProps, 'children'>) {
  return (
    <Field {...field}>
      {(control) => <Select {...control} value={value} options={options} onChange={onChange} />}
    </Field>
  )
}

interface SelectProps extends Control {
  class?: string
  'aria-label'?: string
}

export function Select<T extends string>({ options, onChange, ...rest }: Choice<T> & SelectProps) {
  return (
    <select {...rest} onChange={(event) => onChange(event.currentTarget.value as T)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
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

interface SegmentsProps<T extends string> extends Choice<T> {
  label: string
  isLabelHidden?: boolean
}

export function Segments<T extends string>({
  label,
  value,
  options,
  isLabelHidden = false,
  onChange,
}: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset class="segments">
      <legend class={isLabelHidden ? 'visually-hidden' : undefined}>{label}</legend>
      <div>
        {options.map(([option, text]) => (
          <label key={option}>
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface SwitchProps {
  label: string
  isOn: boolean
  isDisabled?: boolean
  describedBy?: string
  onChange: (isOn: boolean) => void
}

export function Switch({ label, isOn, isDisabled = false, describedBy, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onChange={(event) => {
          // The switch moves only after the server has confirmed the change.
          event.currentTarget.checked = isOn
          onChange(!isOn)
        }}
      />
      <span class="switch-track" aria-hidden="true" />
      <span>{label}</span>
    </label>
  )
}

interface SearchFieldProps {
  label: string
  value: string
  onInput: (value: string) => void
}

export function SearchField({ label, value, onInput }: SearchFieldProps) {
  return (
    <div class="search">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.5" />
        <path d="M10.5 10.5L14 14" />
      </svg>
      <input
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.preventDefault()
          onInput('')
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}
