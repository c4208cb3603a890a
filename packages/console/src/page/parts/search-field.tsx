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
