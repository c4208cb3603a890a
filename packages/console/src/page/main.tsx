import { render } from 'preact'
import type { Entered } from '../api.ts'
import { post, signedOut, toFailure } from './api/client.ts'
import { loadKey, storeKey } from './api/storage.ts'
import { openLive } from './api/live.ts'
import { App } from './app.tsx'
import { showHiddenCharacters } from './text/visible-nodes.ts'
import { applyTheme, loadTheme } from './theme.ts'
import { Empty } from './parts/loading.tsx'
import { PageFrame } from './parts/page-frame.tsx'

showHiddenCharacters()
applyTheme(loadTheme())
const root = document.getElementById('page')
const refusal = await enter()
if (refusal === undefined) openLive()
if (root !== null) render(refusal === undefined ? <App /> : <Refused text={refusal} />, root)

/** Exchanges the token of the printed address for a key. Says why there is no access. */
async function enter(): Promise<string | undefined> {
  if (location.pathname !== '/enter') return loadKey() === undefined ? signedOut : undefined
  try {
    storeKey(
      await post<Entered>('/api/enter', { token: new URLSearchParams(location.search).get('token') ?? '' }),
    )
  } catch (error) {
    // A browser that already has the key may open the address again.
    if (loadKey() === undefined) return toFailure(error).message
  }
  history.replaceState(null, '', '/')
  return undefined
}

/** All that a browser without a key sees. */
function Refused({ text }: { text: string }) {
  return (
    <PageFrame title="Ostler console">
      <Empty title="No access">
        <p>{text}</p>
      </Empty>
    </PageFrame>
  )
}
