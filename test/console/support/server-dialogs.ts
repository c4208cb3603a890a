import type { Locator } from 'playwright-core'
import type { ConsolePage } from './browser.ts'

/** Pressing a key does not discard a dialog that is filled in, not even three times. */
export async function keepsTyped({
  page,
  get,
  inDialog,
}: Pick<ConsolePage, 'page' | 'get' | 'inDialog'>): Promise<void> {
  const question = get('dialog', 'Discard what you typed?')
  await page.keyboard.press('Escape')
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await question.waitFor()
  await inDialog('button', 'Cancel').click()
  await question.waitFor({ state: 'detached' })
}

export const card = ({ page }: Pick<ConsolePage, 'page'>, server: string): Locator =>
  page.getByRole('article', { name: server, exact: true })
