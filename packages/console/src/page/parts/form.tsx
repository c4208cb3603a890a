import type { ComponentProps } from 'preact'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly isBusy?: boolean
  readonly onSubmit: (form: HTMLFormElement) => void
}

/** The page checks the fields itself, because the browser's messages say less. Ctrl+Enter presses its button. Nothing is submitted while busy. */
export function Form({ isBusy = false, onSubmit, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      class="form"
      noValidate
      onKeyDown={({ key, ctrlKey, metaKey, repeat, currentTarget }) => {
        if (key !== 'Enter' || !(ctrlKey || metaKey) || repeat) return
        const isButton = (element: Element) => element instanceof HTMLButtonElement && element.type === 'submit'
        const button = [...currentTarget.elements].find(isButton) as HTMLButtonElement | undefined
        button?.click()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit(event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}
