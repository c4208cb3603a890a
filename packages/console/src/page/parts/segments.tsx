import { useId } from 'preact/hooks'

interface SegmentsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, text: string])[]
  readonly isLabelHidden?: boolean
  readonly onChange: (value: T) => void
}

/** A choice of a few options, all visible. */
export function Segments<T extends string>({ label, value, options, isLabelHidden = false, onChange }: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset class="segments">
      <legend class={isLabelHidden ? 'visually-hidden' : undefined}>{label}</legend>
      <div>
        {options.map(([option, text]) => (
          <label key={option}>
            <input type="radio" name={name} value={option} checked={option === value} onChange={() => onChange(option)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
