import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openConsolePage, type ConsolePage } from './browser.ts'
import type { ConsoleLab } from './console-lab.ts'
import { openFurnishedLab } from './furnish.ts'
import { problemsInViews } from './look-at-page.ts'
import type { Reach } from './page-states.ts'

/** Looks at each state of a furnished console. All share one page, because a new one takes longer than most of them. */
export function lookAtStates(states: Readonly<Record<string, Reach>>): { readonly lab: () => ConsoleLab } {
  let lab: ConsoleLab
  let open: ConsolePage
  const opened = new AsyncDisposableStack()
  beforeAll(async () => {
    if (inject('chromium') === undefined) return
    lab = opened.use(await openFurnishedLab({ pastDays: 8 }))
    open = opened.use(await openConsolePage(lab.console))
  })
  afterAll(() => opened.disposeAsync())

  test.each(Object.entries(states))('%s: for everyone, in each view', async (_, reach) => {
    await using _state = (await reach(open, lab)) ?? undefined
    expect(await problemsInViews(open.page)).toEqual([])
    expect(open.problems).toEqual([])
  })
  return { lab: () => lab }
}
