import type { ComponentChildren } from 'preact'

interface ScrollTableProps {
  readonly label: string
  readonly class?: string
  /** The names of the columns. */
  readonly head: readonly string[]
  /** The rows. */
  readonly children: ComponentChildren
}

/** A table that scrolls if the page is too narrow for it. */
export function ScrollTable({ label, head, children, ...rest }: ScrollTableProps) {
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label={`${label}, scrollable`}>
      <table {...rest}>
        <thead>
          <tr>{head.map((name) => (name === '' ? <td key={name} /> : <th key={name} scope="col" children={name} />))}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
