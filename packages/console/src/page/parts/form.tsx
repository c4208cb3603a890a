import type { ComponentProps } from 'preact'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly isBusy?: boolean
  readonly onSubmit: (form: HTMLFormElement) => void
}

/** The page checks the fields itself, because the browser's messages say less. Nothing is submitted while busy. */
export function Form({ isBusy = false, onSubmit, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit(event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}
