import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { type FormEntry, type FormIssue, initialEntry, isSameJson, join, partOf } from '../schema/entry.ts'
import type { FormField } from '../schema/field.ts'
import { jsonText } from '../text/visible.ts'
import { CheckField, SelectField, TextField } from './form.tsx'

interface SchemaFormProps {
  field: FormField
  entry: FormEntry
  path: string
  issues: readonly FormIssue[]
  onChange: (entry: FormEntry) => void
}

export function SchemaForm(form: SchemaFormProps) {
  const { field, path, issues, onChange } = form
  const entry = form.entry ?? none
  const about = {
    label: field.title === '' ? 'Arguments' : field.title,
    hint: [field.description, ...field.rules].filter(Boolean).join(' · ') || undefined,
    errors: issues.filter((issue) => issue.path === path).map(({ message }) => message),
    isRequired: field.isRequired && path !== '',
  }
  if (field.kind === 'json' || 'json' in entry)
    return (
      <TextField
        {...about}
        isMono
        rows={3}
        placeholder="JSON"
        value={'json' in entry ? entry.json : ''}
        onInput={(json) => onChange(json === '' ? undefined : { json })}
      />
    )
  switch (field.kind) {
    case 'text':
    case 'number': {
      const text = 'text' in entry ? entry.text : ''
      const isLong = field.kind === 'text' && (field.isLong || text.includes('\n') || text.length > 100)
      const isUnset = field.kind === 'number' || !field.isRequired
      return (
        <TextField
          {...about}
          value={text}
          rows={isLong ? 4 : undefined}
          inputMode={field.kind === 'text' ? undefined : field.isInteger ? 'numeric' : 'decimal'}
          onInput={(next) => onChange(next === '' && isUnset ? undefined : { text: next })}
        />
      )
    }
    case 'boolean':
      return (
        <SelectField
          {...about}
          value={'flag' in entry ? String(entry.flag) : ''}
          options={[
            ...(field.isRequired ? [] : [['', 'Not set'] as const]),
            ['false', 'No'],
            ['true', 'Yes'],
          ]}
          onChange={(next) => onChange(next === '' ? undefined : { flag: next === 'true' })}
        />
      )
    case 'choice': {
      const isChosen = (choice: unknown) => 'choice' in entry && isSameJson(choice, entry.choice)
      const at = field.choices.findIndex(isChosen)
      const texts = field.choices.map((_, index) => labelOf(field, index))
      return (
        <SelectField
          {...about}
          value={at < 0 ? '' : String(at)}
          options={numbered(field, texts)}
          onChange={(next) => onChange(next === '' ? undefined : { choice: field.choices[Number(next)] })}
        />
      )
    }
    case 'list': {
      const { item } = field
      const Fields =
        item.kind === 'choice' && item.choices.length <= checkedChoicesMax ? CheckedFields : ListFields
      return <Fields {...form} field={field} about={about} />
    }
    case 'variants':
      return <VariantFields {...form} field={field} about={about} />
    case 'object':
      return <ObjectFields {...form} field={field} about={about} />
  }
}

/** An entry of no kind, for a field that is empty. */
const none = { isEmpty: true }

function numbered({ isRequired }: FormField, texts: readonly string[]) {
  const options = texts.map((text, index) => [String(index), text] as const)
  return [['', isRequired ? 'Choose…' : 'Not set'] as const, ...options]
}

/** Lists of a few choices are check boxes. */
const checkedChoicesMax = 40

function labelOf({ choices, labels }: Extract<FormField, { kind: 'choice' }>, index: number): string {
  const choice = choices[index]
  return labels?.[index] ?? (typeof choice === 'string' ? choice : jsonText(choice))
}

interface GroupProps<K extends FormField['kind']> extends Omit<SchemaFormProps, 'field'> {
  field: Extract<FormField, { kind: K }>
  about: {
    label: string
    hint: string | undefined
    errors: readonly string[]
    isRequired: boolean
  }
}

function itemsOf(entry: FormEntry): readonly FormEntry[] {
  return entry !== undefined && 'items' in entry ? entry.items : []
}

function ListFields({ field, entry, path, issues, onChange, about }: GroupProps<'list'>) {
  const items = itemsOf(entry)
  const set = (next: readonly FormEntry[]) =>
    onChange(next.length === 0 && !field.isRequired ? undefined : { items: next })
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
        onClick={() =>
          set([...items, initialEntry({ ...field.item, isRequired: true }) ?? emptyItem(field.item)])
        }
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
  const items = itemsOf(entry)
  const isOn = (choice: unknown) =>
    items.some((one) => one !== undefined && 'choice' in one && isSameJson(one.choice, choice))
  const toggle = (choice: unknown) => {
    const next = item.choices.filter((other) => (isSameJson(other, choice) ? !isOn(choice) : isOn(other)))
    onChange(
      next.length === 0 && !field.isRequired ? undefined : { items: next.map((each) => ({ choice: each })) },
    )
  }
  return (
    <Group about={about}>
      {item.choices.map((choice, index) => (
        <CheckField
          key={index}
          label={labelOf(item, index)}
          isOn={isOn(choice)}
          onChange={() => toggle(choice)}
        />
      ))}
    </Group>
  )
}

function VariantFields({ field, entry, path, issues, onChange, about }: GroupProps<'variants'>) {
  const { variant: at = -1, entry: inner } = entry !== undefined && 'variant' in entry ? entry : {}
  const option = field.options[at]
  const choose = (next: string) => {
    const chosen = field.options[Number(next)]
    const isNone = next === '' || chosen === undefined
    onChange(isNone ? undefined : { variant: Number(next), entry: initialEntry(chosen) })
  }
  return (
    <Group about={{ ...about, errors: option === undefined ? about.errors : [] }}>
      <SelectField
        label="Kind"
        value={at < 0 ? '' : String(at)}
        options={numbered(
          field,
          field.options.map(({ title }) => title),
        )}
        onChange={choose}
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
  if (path === '')
    return body.length === 0 ? (
      <p class="muted">There is nothing to fill in.</p>
    ) : (
      <div class="form">{body}</div>
    )
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
        <button
          type="button"
          class="button-small"
          onClick={() => onChange(initialEntry({ ...field, isRequired: true }))}
        >
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
