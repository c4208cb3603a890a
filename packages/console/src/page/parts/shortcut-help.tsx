import { pageKeys } from '../shortcuts.ts'
import { Dialog } from './dialog.tsx'

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'Search'],
  ...Object.entries(pageKeys).map(([key, page]) => [['g', key], `Go to ${page}`] as const),
  [['a'], 'Allow the focused question once'],
  [['s'], 'Allow it for the session'],
  [['r'], 'Reject or decline it'],
  [['↑', '↓'], 'Move through a list'],
  [['Enter'], 'Open the selected item'],
  [['Ctrl', 'Enter'], 'Send a form, or run a tool'],
  [['Escape'], 'Close dialog or clear search'],
  [['?'], 'Show this help'],
]

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {keys.map(([all, what]) => (
          <div key={what}>
            <dt>
              {all.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
