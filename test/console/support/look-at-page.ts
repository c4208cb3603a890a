import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface View {
  readonly width: 390 | 900 | 1280
  readonly colorScheme: 'light' | 'dark'
  readonly rules: object
}

const contrast = 'color-contrast'
const everything = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
}

const ofLayout = ['target-size', 'scrollable-region-focusable', 'button-name', 'link-name']

/** Everything once. The other views check the rules whose outcome depends on the width, and the colors of the other scheme. */
const differentViews: readonly View[] = [
  { width: 1280, colorScheme: 'light', rules: everything },
  { width: 900, colorScheme: 'dark', rules: { runOnly: { type: 'rule', values: [contrast, ...ofLayout] } } },
  { width: 390, colorScheme: 'light', rules: { runOnly: { type: 'rule', values: ofLayout } } },
]

const allViews = ([390, 900, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme): View => ({ width, colorScheme, rules: everything })),
)

/** With `OSTLER_TEST_VIEWS=all`, everything in each view. */
export const views = process.env['OSTLER_TEST_VIEWS'] === 'all' ? allViews : differentViews

/**
 * Looks at the page as it is in each view. Returns the violations of WCAG 2 levels A and AA, as far as a program can find them, and
 * elements that are wider than the window: wide content must scroll in its own container.
 */
export async function problemsInViews(page: Page): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { width, colorScheme, rules } of views) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    const found = [...(await violations(page, rules)), ...(await page.evaluate<string[]>(overflow))]
    problems.push(...found.map((problem) => `${width} ${colorScheme}: ${problem}`))
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  return problems
}

/** A page behind a dialog was looked at when it was open, so only the dialog is. */
async function violations(page: Page, rules: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source)
  const options = JSON.stringify({
    ...rules,
    iframes: false,
    preload: { assets: ['media'] },
    resultTypes: ['violations'],
  })
  return page.evaluate<string[]>(
    `axe.run({ include: [...document.querySelectorAll('dialog[open]')].at(-1) ?? document, exclude: (${sameRows})() }, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`,
  )
}

/** Runs in the browser. Rows of a list or a table that differ from an earlier one in nothing but their texts. */
const sameRows = `() => {
  const seen = new Set()
  const kind = (element) => [element, ...element.querySelectorAll('*')].map(({ localName, attributes }) =>
    localName + [...attributes].map(({ name, value }) => /^(class|role|type|tabindex|disabled|inert|hidden)$|^aria-(?!label|desc|controls)/.test(name) ? name + value : name)).join()
  return [...document.querySelectorAll('tr, li')].filter((row) => {
    const of = kind(row)
    return seen.has(of) || !seen.add(of)
  })
}`

const overflow = `[document.documentElement, ...document.querySelectorAll('dialog, .dialog-body, .side nav')]
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => element.localName + '.' + element.className + ': ' + element.scrollWidth + ' in ' + element.clientWidth)`
