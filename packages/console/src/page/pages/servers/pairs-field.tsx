import { useId } from 'preact/hooks'
import { keptHint, type Pair } from './draft.ts'
import type { FormPart } from './server-form.tsx'

interface PairsFieldProps {
  readonly label: string
  readonly noun: 'variable' | 'header'
  readonly part: FormPart
  readonly field: 'env' | 'headers'
}

const secretLike = /key|token|secret|passw|auth|credential|cookie|private/i

export function looksSecret(name: string): boolean {
  return secretLike.test(name)
}

/** Names and values. A secret value can be set, but never read. */
export function PairsField({ label, noun, part: { draft, secrets, change, errorsOf, touch }, field }: PairsFieldProps) {
  const id = useId()
  const pairs = draft[field]
  const errors = pairs.length === 0 ? errorsOf(field) : []
  const onChange = (next: readonly Pair[]) => change({ [field]: next })
  const onBlur = () => touch(field)
  const replace = (at: number, update: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...update } : pair)))
  return (
    <fieldset class="column pairs">
      <legend>{label}</legend>
      {pairs.map((pair, index) => {
        const hint = keptHint(pair.kept, secrets)
        const problems = pair.name === '' ? [] : errorsOf(field, pair.name)
        const number = index + 1
        // Preact types each input type separately, so a variable type needs a cast.
        const inputType = (pair.isSecret ? 'password' : 'text') as 'text'
        return (
          <div class="pair" key={index}>
            <input
              class="mono"
              aria-label={`Name of ${noun} ${number}`}
              placeholder="Name"
              value={pair.name}
              spellcheck={false}
              autocomplete="off"
              onBlur={onBlur}
              onInput={(event) => {
                const name = event.currentTarget.value
                replace(index, { name, isSecret: pair.isSecret || looksSecret(name) })
              }}
            />
            <input
              class="mono"
              type={inputType}
              aria-label={`Value of ${noun} ${number}`}
              aria-describedby={hint === undefined ? undefined : `${id}-${index}`}
              aria-invalid={problems.length > 0}
              placeholder={hint === undefined ? 'Value' : 'Kept'}
              value={pair.value}
              spellcheck={false}
              autocomplete={pair.isSecret ? 'new-password' : 'off'}
              onBlur={onBlur}
              onInput={(event) => replace(index, { value: event.currentTarget.value })}
            />
            <label class="bar pair-secret">
              <input
                type="checkbox"
                checked={pair.isSecret}
                disabled={pair.kept !== undefined}
                onChange={(event) => replace(index, { isSecret: event.currentTarget.checked })}
              />
              Secret
            </label>
            <button
              type="button"
              class="button-small"
              aria-label={`Remove ${noun} ${pair.name === '' ? number : pair.name}`}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              Remove
            </button>
            {hint !== undefined && (
              <p class="hint" id={`${id}-${index}`}>
                {hint}
              </p>
            )}
            {problems.length > 0 && <p class="field-error">{problems.join(' ')}</p>}
          </div>
        )
      })}
      {errors.length > 0 && <p class="field-error">{errors.join(' ')}</p>}
      <button type="button" class="button-small" onClick={() => onChange([...pairs, { name: '', value: '', isSecret: false }])}>
        Add {noun}
      </button>
    </fieldset>
  )
}
