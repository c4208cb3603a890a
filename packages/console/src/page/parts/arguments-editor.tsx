import { useState } from 'preact/hooks'
import { TextField, Segments } from './form.tsx'
import { SchemaForm } from './schema-form.tsx'
import {
  type FormEntry,
  type FormIssue,
  initialEntry,
  parseArgumentsJson,
  type PatternCheck,
  toEntry,
  toValue,
} from '../schema/entry.ts'
import type { FormField } from '../schema/field.ts'
import { jsonText } from '../text/visible.ts'
import type { CheckedPatterns } from '../../api.ts'
import { post } from '../api/client.ts'

export type ArgumentsEditorState = ReturnType<typeof useArguments>

/** Arguments as a form or as JSON. Switching carries the values over. */
export function useArguments(field: FormField) {
  const [entry, setEntry] = useState<FormEntry>(() => initialEntry(field))
  const [json, setJson] = useState('')
  const [isJson, setIsJson] = useState(false)
  const [issues, setIssues] = useState<readonly FormIssue[]>([])

  const toForm = (): Readonly<Record<string, unknown>> | undefined => {
    const parsed = parseArgumentsJson(json)
    setIssues(parsed.issues)
    if (parsed.value !== undefined) setEntry(toEntry(field, parsed.value))
    return parsed.value
  }
  return {
    entry,
    json,
    isJson,
    issues,
    setEntry: (next: FormEntry) => {
      setEntry(next)
      setIssues([])
    },
    setJson,
    show: (mode: 'form' | 'json') => {
      if (mode === 'json') setJson(jsonText(toValue(field, entry).value ?? {}))
      if (mode === 'json' || toForm() !== undefined) setIsJson(mode === 'json')
    },
    fill: (value: unknown) => {
      setEntry(toEntry(field, value))
      setJson(jsonText(value))
      setIssues([])
    },
    /** The arguments as they are, complete or not. Undefined if they are not valid JSON. */
    draft: () =>
      isJson
        ? parseArgumentsJson(json).value
        : ((toValue(field, entry).value ?? {}) as Readonly<Record<string, unknown>>),
    /** The arguments. Undefined if they are invalid; then the errors are shown. */
    read: async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
      if (isJson) return toForm()
      const { value, issues: found, patterns } = toValue(field, entry)
      const issues = [...found, ...(await checkPatterns(patterns))]
      setIssues(issues)
      return issues.length === 0 ? ((value ?? {}) as Readonly<Record<string, unknown>>) : undefined
    },
  }
}

export function ArgumentsEditor({ editor, field }: { editor: ArgumentsEditorState; field: FormField }) {
  return (
    <div class="form">
      <Segments
        label="Edit arguments as"
        isLabelHidden
        value={editor.isJson ? 'json' : 'form'}
        options={[
          ['form', 'Form'],
          ['json', 'JSON'],
        ]}
        onChange={editor.show}
      />
      {editor.isJson ? (
        <TextField
          label="Arguments (JSON)"
          isMono
          rows={8}
          value={editor.json}
          errors={editor.issues.map(({ message }) => message)}
          onInput={editor.setJson}
        />
      ) : (
        <SchemaForm
          field={field}
          entry={editor.entry}
          path=""
          issues={editor.issues}
          onChange={editor.setEntry}
        />
      )}
    </div>
  )
}

/**
 * Checks texts against patterns of a server. The console's server does it, because a browser's matcher can take forever for a pattern that
 * was made for it. If the check fails, the call itself still checks them.
 */
async function checkPatterns(checks: readonly PatternCheck[]): Promise<readonly FormIssue[]> {
  if (checks.length === 0) return []
  const body = { checks: checks.map(({ pattern, text }) => ({ pattern, text })) }
  try {
    const { matches } = await post<CheckedPatterns>('/api/patterns', body)
    return checks.flatMap(({ path, pattern }, index) =>
      matches[index] === false ? [{ path, message: `Must match ${pattern}` }] : [],
    )
  } catch {
    return []
  }
}
