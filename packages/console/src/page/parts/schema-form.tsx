import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { type FormEntry, type FormIssue, initialEntry, join, partOf } from '../schema/entry.ts'
import type { FormField } from '../schema/field.ts'
import { isSameJson } from '../schema/is-same-json.ts'
import { jsonText } from '../text/visible.ts'
import { CheckField, SelectField, TextField } from './field.tsx'

interface SchemaFormProps {
  readonly field: FormField
  readonly entry: FormEntry
  readonly path: string
  readonly issues: readonly FormIssue[]
  readonly onChange: (entry: FormEntry) => void
}

/** The fields of a value and its nested values. */
export function SchemaForm({ field, entry, path, issues, onChange }: SchemaFormProps) {
  const label = field.title === '' ? 'Arguments' : field.title
  const about = {
    label,
    hint: [field.description, ...field.rules].filter((text) => text !== undefined && text !== '').join(' · ') || undefined,
    errors: issues.filter((issue) => issue.path === path).map(({ message }) => message),
    isRequired: field.isRequired && path !== '',
  }
  if (field.kind === 'json' || (entry !== undefined && 'json' in entry)) {
    const text = entry !== undefined && 'json' in entry ? entry.json : ''
    return (
      <TextField
        {...about}
        isMono
        rows={3}
        placeholder="JSON"
        value={text}
        onInput={(json) => onChange(json === '' ? undefined : { json })}
      />
    )
  }
  switch (field.kind) {
    case 'text':
    case 'number': {
      const text = entry !== undefined && 'text' in entry ? entry.text : ''
      const isLong = field.kind === 'text' && (field.isLong || text.includes('\n') || text.length > 100)
      return (
        <TextField
          {...about}
          value={text}
          {...(isLong ? { rows: 4 } : {})}
          {...(field.kind === 'number' ? { inputMode: field.isInteger ? 'numeric' : 'decimal' } : {})}
          onInput={(next) => onChange(next === '' && (field.kind === 'number' || !field.isRequired) ? undefined : { text: next })}
        />
      )
    }
    case 'boolean': {
      const value = entry !== undefined && 'flag' in entry ? String(entry.flag) : ''
      return (
        <SelectField
          {...about}
          value={value}
          options={[...(field.isRequired ? [] : [['', 'Not set'] as const]), ['false', 'No'], ['true', 'Yes']]}
          onChange={(next) => onChange(next === '' ? undefined : { flag: next === 'true' })}
        />
      )
    }
    case 'choice': {
      const at = entry !== undefined && 'choice' in entry ? field.choices.findIndex((choice) => isSameJson(choice, entry.choice)) : -1
      const options = field.choices.map((_, index) => [String(index), labelOf(field, index)] as const)
      return (
        <SelectField
          {...about}
          value={at < 0 ? '' : String(at)}
          options={[['', field.isRequired ? 'Choose…' : 'Not set'], ...options]}
          onChange={(next) => onChange(next === '' ? undefined : { choice: field.choices[Number(next)] })}
        />
      )
    }
    case 'list': {
      const { item } = field
      const Fields = item.kind === 'choice' && item.choices.length <= checkedChoicesMax ? CheckedFields : ListFields
      return <Fields field={field} entry={entry} path={path} issues={issues} onChange={onChange} about={about} />
    }
    case 'variants':
      return <VariantFields field={field} entry={entry} path={path} issues={issues} onChange={onChange} about={about} />
    case 'object':
      return <ObjectFields field={field} entry={entry} path={path} issues={issues} onChange={onChange} about={about} />
  }
}

/** Lists of a few choices are check boxes. */
const checkedChoicesMax = 40

function labelOf({ choices, labels }: Extract<FormField, { kind: 'choice' }>, index: number): string {
  const choice = choices[index]
  return labels?.[index] ?? (typeof choice === 'string' ? choice : jsonText(choice))
}

interface GroupProps<K extends FormField['kind']> extends Omit<SchemaFormProps, 'field'> {
  readonly field: Extract<FormField, { kind: K }>
  readonly about: {
    readonly label: string
    readonly hint: string | undefined
    readonly errors: readonly string[]
    readonly isRequired: boolean
  }
}

function ListFields({ field, entry, path, issues, onChange, about }: GroupProps<'list'>) {
  const items = entry !== undefined && 'items' in entry ? entry.items : []
  const set = (next: readonly FormEntry[]) => onChange(next.length === 0 && !field.isRequired ? undefined : { items: next })
  return (
    <Group about={about}>
      {items.map((item, index) => (
        <div class="list-item" key={index}>
          <SchemaForm
            field={{ ...field.item, title: `Item ${index + 1}` }}
            entry={item}
            path={join(path, String(index))}
            issues={issues}
            onChange={(next) => set(items.map((other, at) => (at === index ? next : other)))}
          />
          <button
            type="button"
            class="button-small"
            aria-label={`Remove item ${index + 1} of ${about.label}`}
            onClick={() => set(items.filter((_, at) => at !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button-small"
        onClick={() => set([...items, initialEntry({ ...field.item, isRequired: true }) ?? emptyItem(field.item)])}
      >
        Add an item
      </button>
    </Group>
  )
}

/** Every choice can be taken once. */
function CheckedFields({ field, entry, onChange, about }: GroupProps<'list'>) {
  const { item } = field
  if (item.kind !== 'choice') return null
  const items = entry !== undefined && 'items' in entry ? entry.items : []
  const isOn = (choice: unknown) => items.some((one) => one !== undefined && 'choice' in one && isSameJson(one.choice, choice))
  const toggle = (choice: unknown) => {
    const next = item.choices.filter((other) => (isSameJson(other, choice) ? !isOn(choice) : isOn(other)))
    onChange(next.length === 0 && !field.isRequired ? undefined : { items: next.map((each) => ({ choice: each })) })
  }
  return (
    <Group about={about}>
      {item.choices.map((choice, index) => (
        <CheckField key={index} label={labelOf(item, index)} isOn={isOn(choice)} onChange={() => toggle(choice)} />
      ))}
    </Group>
  )
}

/** A choice between several forms. */
function VariantFields({ field, entry, path, issues, onChange, about }: GroupProps<'variants'>) {
  const at = entry !== undefined && 'variant' in entry ? entry.variant : -1
  const option = field.options[at]
  const inner = entry !== undefined && 'variant' in entry ? entry.entry : undefined
  return (
    <Group about={{ ...about, errors: option === undefined ? about.errors : [] }}>
      <SelectField
        label="Kind"
        value={at < 0 ? '' : String(at)}
        options={[
          ['', field.isRequired ? 'Choose…' : 'Not set'],
          ...field.options.map(({ title }, index) => [String(index), title] as const),
        ]}
        onChange={(next) => {
          const chosen = field.options[Number(next)]
          onChange(next === '' || chosen === undefined ? undefined : { variant: Number(next), entry: initialEntry(chosen) })
        }}
      />
      {option !== undefined && (
        <SchemaForm
          field={{ ...option, title: option.kind === 'object' ? option.title : 'Value' }}
          entry={inner}
          path={path}
          issues={issues}
          onChange={(next) => onChange({ variant: at, entry: next })}
        />
      )}
    </Group>
  )
}

function ObjectFields({ field, entry, path, issues, onChange, about }: GroupProps<'object'>) {
  const isThere = entry !== undefined && 'fields' in entry
  const { fields, rest } = isThere ? entry : { fields: {}, rest: {} }
  const body = field.fields.map((part) => (
    <SchemaForm
      key={part.name}
      field={part}
      entry={partOf(fields, part.name)}
      path={join(path, part.name)}
      issues={issues}
      onChange={(next) => onChange({ fields: { ...fields, [part.name]: next }, rest })}
    />
  ))
  if (path === '') return body.length === 0 ? <p class="muted">There is nothing to fill in.</p> : <div class="form">{body}</div>
  return (
    <Group about={about}>
      {isThere || field.isRequired ? (
        <>
          {body}
          {!field.isRequired && (
            <button type="button" class="button-small" onClick={() => onChange(undefined)}>
              Remove {about.label}
            </button>
          )}
        </>
      ) : (
        <button type="button" class="button-small" onClick={() => onChange(initialEntry({ ...field, isRequired: true }))}>
          Set {about.label}
        </button>
      )}
    </Group>
  )
}

function Group({
  about: { label, hint, errors, isRequired },
  children,
}: {
  about: GroupProps<'list'>['about']
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <fieldset class="column group-field" aria-describedby={hint === undefined ? undefined : id}>
      <legend>
        {label}
        {isRequired && <span class="required"> *</span>}
      </legend>
      {hint !== undefined && (
        <p class="hint" id={id}>
          {hint}
        </p>
      )}
      {children}
      {errors.length > 0 && <p class="field-error">{errors.join(' ')}</p>}
    </fieldset>
  )
}

function emptyItem(field: FormField): FormEntry {
  return field.kind === 'text' ? { text: '' } : undefined
}
