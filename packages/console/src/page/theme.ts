const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'ostler.theme'

/** If storage is disabled, the choice lasts until the page is closed. */
export function loadTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return themes.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem(key, theme)
  } catch {
    // See above.
  }
}
