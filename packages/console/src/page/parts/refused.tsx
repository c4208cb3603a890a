import { Empty } from './empty.tsx'
import { PageFrame } from './page-frame.tsx'

/** All that a browser without a key sees. */
export function Refused({ text }: { readonly text: string }) {
  return (
    <PageFrame title="Ostler console">
      <Empty title="No access">
        <p>{text}</p>
      </Empty>
    </PageFrame>
  )
}
