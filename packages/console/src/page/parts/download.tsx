/** Downloads a file made from data the page already has. */
export function DownloadButton({ label = 'Download', name, type, content }: DownloadProps) {
  const download = () => {
    const url = URL.createObjectURL(new Blob([content()], { type }))
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.download = name
    anchor.click()
    setTimeout(() => URL.revokeObjectURL(url))
  }
  return (
    <button type="button" class="button-small" onClick={download}>
      {label}
    </button>
  )
}

interface DownloadProps {
  readonly label?: string
  readonly name: string
  readonly type: string
  readonly content: () => BlobPart
}
