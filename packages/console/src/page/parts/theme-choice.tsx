import { useState } from 'preact/hooks'
import { applyTheme, loadTheme, type Theme } from '../theme.ts'
import { Segments } from './segments.tsx'

export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(loadTheme)
  return (
    <Segments
      label="Theme"
      isLabelHidden
      value={theme}
      options={[
        ['system', 'System'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ]}
      onChange={(next) => {
        setTheme(next)
        applyTheme(next)
      }}
    />
  )
}
