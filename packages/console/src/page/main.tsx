import { render } from 'preact'
import { openLive } from './api/live.ts'
import { App } from './app.tsx'
import { showHiddenCharacters } from './text/visible-nodes.ts'
import { applyTheme, loadTheme } from './theme.ts'

showHiddenCharacters()
applyTheme(loadTheme())
openLive()
const root = document.getElementById('page')
if (root !== null) render(<App />, root)
