import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty } from './loading.tsx'
import { PageFrame } from './page-frame.tsx'

export interface LazyPage<Props> {
  readonly Page: ComponentType<Props>
  readonly fetch: () => void
}

/** A page whose code is fetched when it is first shown, so that the first page does not wait for the others. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const fetch = () =>
    (loading ??= load().then(
      (page) => {
        Loaded = page
      },
      () => {
        loading = undefined
      },
    ))

  function Page(props: Props) {
    const [, setRound] = useState(0)
    const [isFailed, setFailed] = useState(false)
    useEffect(() => {
      if (Loaded !== undefined) return undefined
      let isShown = true
      void fetch().then(() => {
        if (!isShown) return
        setFailed(Loaded === undefined)
        setRound((last) => last + 1)
      })
      return () => {
        isShown = false
      }
    }, [])
    if (Loaded !== undefined) return <Loaded {...props} />
    if (!isFailed) return <main class="column page" id="main" aria-busy="true" />
    return (
      <PageFrame title="Page not loaded">
        <Empty title="This page could not be loaded">
          <p>
            The console may have ended. Start it with “ostler console”, and open the address that it prints.
          </p>
        </Empty>
      </PageFrame>
    )
  }
  return { Page, fetch: () => void fetch() }
}
