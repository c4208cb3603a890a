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
