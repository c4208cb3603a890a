import { toFailure } from '../api/client.ts'
import { announce } from './announce.tsx'

/** Downloads a file made from data of the page, or of the console. */
export function DownloadButton({ label = 'Download', class: style = 'button-small', name, type = '', content }: DownloadProps) {
  const download = async () => {
    const url = URL.createObjectURL(new Blob([await content()], { type }))
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.download = name
    anchor.click()
    setTimeout(() => URL.revokeObjectURL(url))
  }
  return (
    <button type="button" class={style} onClick={() => void download().catch((error: unknown) => announce(toFailure(error).message))}>
      {label}
    </button>
  )
}

interface DownloadProps {
  readonly label?: string
  readonly class?: string
  readonly name: string
  readonly type?: string
  readonly content: () => BlobPart | Promise<Blob>
}
