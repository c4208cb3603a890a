import { readStored, store } from './api/storage.ts'

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export function loadTheme(): Theme {
  const stored = readStored('theme')
  return themes.find((theme) => theme === stored) ?? 'system'
}

/** If storage is disabled, the choice lasts until the page is closed. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  store('theme', theme)
}
