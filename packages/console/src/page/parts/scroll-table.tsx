import type { ComponentChildren } from 'preact'

interface ScrollTableProps {
  label: string
  class?: string
  head: readonly string[]
  children: ComponentChildren
}

export function ScrollTable({ label, head, children, ...rest }: ScrollTableProps) {
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label={`${label}, scrollable`}>
      <table {...rest}>
        <thead>
          <tr>
            {head.map((name) =>
              name === '' ? <td key={name} /> : <th key={name} scope="col" children={name} />,
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
