import type { ComponentProps } from 'preact'
import { toFailure } from '../api/client.ts'
import { announce } from './announce.tsx'

interface BusyButtonProps extends ComponentProps<'button'> {
  isBusy: boolean
}

/** Ignores clicks while busy. It is not disabled, because a disabled button would lose the focus. */
export function BusyButton({ isBusy, type = 'button', onClick, ...rest }: BusyButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}

interface CopyButtonProps {
  label?: string
  /** A function, because the text may be long. Undefined copies nothing. */
  text: () => string | undefined
}

export function CopyButton({ label = 'Copy', text }: CopyButtonProps) {
  const copy = async () => {
    const copied = text()
    if (copied === undefined) return
    try {
      await navigator.clipboard.writeText(copied)
      announce('Copied.')
    } catch {
      announce('Copying was blocked by the browser.')
    }
  }
  return (
    <button type="button" class="button-small" onClick={() => void copy()}>
      {label}
    </button>
  )
}

interface DownloadButtonProps {
  label?: string
  class?: string
  name: string
  type?: string
  content: () => BlobPart | Promise<Blob>
}

export function DownloadButton({
  label = 'Download',
  class: style = 'button-small',
  name,
  type = '',
  content,
}: DownloadButtonProps) {
  const download = async () => {
    const url = URL.createObjectURL(new Blob([await content()], { type }))
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.download = name
    anchor.click()
    setTimeout(() => URL.revokeObjectURL(url))
  }
  return (
    <button
      type="button"
      class={style}
      onClick={() => void download().catch((error: unknown) => announce(toFailure(error).message))}
    >
      {label}
    </button>
  )
}
