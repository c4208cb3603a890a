import { ScrollTable } from '../../parts/scroll-table.tsx'
import { join } from '../../schema/entry.ts'
import type { FormField } from '../../schema/field.ts'
import { jsonText } from '../../text/visible.ts'

export function ParameterTable({ field }: { readonly field: FormField }) {
  const rows = rowsOf(field, '')
  if (rows.length === 0) return <p class="muted">This tool takes no arguments.</p>
  return (
    <ScrollTable label="Parameters" class="parameters" head={['Name', 'Type', 'Description']}>
      {rows.map(({ path, field: { isRequired, type, description, rules, default: preset } }) => (
        <tr key={path}>
          <th scope="row">
            <code>{path}</code>
            {isRequired && <span class="required"> required</span>}
          </th>
          <td>
            {type}
            {rules.length > 0 && <div class="muted">{rules.join(', ')}</div>}
          </td>
          <td>
            {description}
            {preset !== undefined && (
              <div class="muted">
                Default: <code>{jsonText(preset)}</code>
              </div>
            )}
          </td>
        </tr>
      ))}
    </ScrollTable>
  )
}

function rowsOf(field: FormField, path: string): { path: string; field: FormField }[] {
  const own = path === '' ? [] : [{ path, field }]
  if (field.kind === 'object') return [...own, ...field.fields.flatMap((part) => rowsOf(part, join(path, part.name)))]
  if (field.kind === 'list' && field.item.kind === 'object')
    return [...own, ...field.item.fields.flatMap((part) => rowsOf(part, join(`${path}[]`, part.name)))]
  return own
}
