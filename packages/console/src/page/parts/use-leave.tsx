import { useRef, useState } from 'preact/hooks'
import { Confirm } from './dialog.tsx'

/** Asks before a dialog is closed that a person has filled in. */
export function useLeave(isFilled: () => boolean, onClose: () => void) {
  const [isLeaving, setLeaving] = useState(false)
  const question = isLeaving && (
    <Confirm
      title="Discard what you typed?"
      action="Discard"
      isDangerous
      onClose={() => setLeaving(false)}
      onConfirm={onClose}
    >
      <p>Your changes are not saved.</p>
    </Confirm>
  )
  return { leave: () => (isFilled() ? setLeaving(true) : onClose()), question }
}

type Field = HTMLInputElement | HTMLTextAreaElement

/** Remembers the fields that a person types in. They count until they are emptied or removed. */
export function useTyped() {
  const fields = useRef(new Set<Field>())
  return {
    onInput: ({ target }: Event) => {
      if (
        target instanceof HTMLTextAreaElement ||
        (target instanceof HTMLInputElement && target.type !== 'file')
      )
        fields.current.add(target)
    },
    isTyped: () => [...fields.current].some((field) => field.isConnected && field.value.trim() !== ''),
  }
}
