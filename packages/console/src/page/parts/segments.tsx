import { useId } from 'preact/hooks'

interface SegmentsProps<T extends string> {
  label: string
  value: T
  options: readonly (readonly [value: T, text: string])[]
  isLabelHidden?: boolean
  onChange: (value: T) => void
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
