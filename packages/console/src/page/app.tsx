import { useEffect, useRef, useState } from 'preact/hooks'
import type { About, QuestionList } from '../api.ts'
import { signedOut } from './api/client.ts'
import { useLive, useLiveState } from './api/live.ts'
import { type Loaded, useLoaded } from './api/use-loaded.ts'
import { Announcements } from './parts/announce.tsx'
import { Empty, Guarded } from './parts/loading.tsx'
import { lazyPage } from './parts/lazy-page.tsx'
import { Link } from './parts/link.tsx'
import { useNewQuestions } from './parts/new-questions.ts'
import { OpenQuestions } from './parts/open-questions.ts'
import { PageFrame } from './parts/page-frame.tsx'
import { Segments } from './parts/form.tsx'
import { listenForShortcuts, ShortcutHelp } from './parts/shortcut-help.tsx'
import { pageNames, type Route, titleOf, useRoute } from './route.ts'
import { applyTheme, loadTheme, type Theme } from './theme.ts'

const pages = {
  agent: lazyPage(async () => (await import('./pages/agent/agent-page.tsx')).AgentPage),
  app: lazyPage(async () => (await import('./pages/app/app-page.tsx')).AppPage),
  calls: lazyPage(async () => (await import('./pages/calls/calls-page.tsx')).CallsPage),
  questions: lazyPage(async () => (await import('./pages/questions/questions-page.tsx')).QuestionsPage),
  server: lazyPage(async () => (await import('./pages/server/server-page.tsx')).ServerPage),
  servers: lazyPage(async () => (await import('./pages/servers/servers-page.tsx')).ServersPage),
  sessionDetail: lazyPage(async () => (await import('./pages/sessions/session-page.tsx')).SessionDetailPage),
  sessions: lazyPage(async () => (await import('./pages/sessions/sessions-page.tsx')).SessionsPage),
  tools: lazyPage(async () => (await import('./pages/tools/tools-page.tsx')).ToolsPage),
}

const none: QuestionList['questions'] = []

export function App() {
  const route = useRoute()
  // The first save creates the agent file.
  const about = useLoaded<About>('/api/about', 'servers')
  const live = useLiveState()
  const isLost = live === 'closed' || live === 'expired'
  const questions = useLoaded<QuestionList>('/api/questions', 'questions')
  // The title shows their number even in the background.
  useLive('hidden', questions.reload)
  useNewQuestions(questions.data)
  const count = questions.data?.questions.length ?? 0
  const [isHelpOpen, setHelpOpen] = useState(false)
  useEffect(() => listenForShortcuts(() => setHelpOpen(true)), [])
  useEffect(fetchPages, [])
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a small screen, the links scroll.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [route.page, count])
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="column side">
        <Link to="/servers" class="bar brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M9 6v10a7 7 0 0 0 14 0V6" />
          </svg>
          Ostler
        </Link>
        <nav ref={nav} aria-label="Pages">
          {pageNames.map((name) => (
            <Link key={name} to={`/${name}`} current={route.page === name}>
              {titleOf(name)}
              {name === 'questions' && count > 0 && <span class="badge badge-count">{count}</span>}
            </Link>
          ))}
        </nav>
        <div class="column side-foot">
          <ThemeChoice />
          <button
            type="button"
            class="button-quiet button-small"
            aria-keyshortcuts="?"
            onClick={() => setHelpOpen(true)}
          >
            Shortcuts <kbd aria-hidden="true">?</kbd>
          </button>
        </div>
      </header>
      <div class={`column content ${isLost ? 'is-lost' : ''}`}>
        {isLost && (
          <p class="live" role="status">
            {live === 'expired'
              ? signedOut
              : 'Connection to the console lost. Reconnecting… This page may be out of date.'}
          </p>
        )}
        <OpenQuestions.Provider value={questions.data?.questions ?? none}>
          <Guarded key={`${route.page}/${route.id}`} what="This page">
            <Page route={route} questions={questions} />
          </Guarded>
        </OpenQuestions.Provider>
        <PageFoot about={about.data} />
      </div>
      {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
      <Announcements />
    </div>
  )
}

interface PageProps {
  route: Route
  questions: Loaded<QuestionList>
}

function Page({ route: { page, id, part, query }, questions }: PageProps) {
  switch (page) {
    case 'questions':
      return <pages.questions.Page questions={questions} />
    case 'servers':
      return id === undefined ? (
        <pages.servers.Page />
      ) : (
        <pages.server.Page key={id} wanted={id} tab={part} query={query} />
      )
    case 'tools':
      return <pages.tools.Page query={query} />
    case 'calls':
      return <pages.calls.Page query={query} />
    case 'agent':
      return <pages.agent.Page query={query} />
    case 'sessions':
      return id === undefined ? <pages.sessions.Page /> : <pages.sessionDetail.Page key={id} id={id} />
    case 'app':
      return <pages.app.Page key={query.toString()} query={query} />
    case undefined:
      return (
        <PageFrame title="Not found">
          <Empty title="Page not found">
            <p>
              <Link to="/servers">Go to Servers</Link>
            </p>
          </Empty>
        </PageFrame>
      )
  }
}

function fetchPages(): void {
  const fetchAll = () => {
    for (const { fetch } of Object.values(pages)) fetch()
  }
  if (typeof requestIdleCallback === 'function') requestIdleCallback(fetchAll)
  else setTimeout(fetchAll, 1_000)
}

function ThemeChoice() {
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

const stores = {
  keyring: 'the system keyring',
  file: 'an encrypted file',
  memory: 'memory only, until this process ends',
} as const

function PageFoot({ about }: { about: About | undefined }) {
  if (about === undefined) return <footer class="foot" />
  const { version, agent, secretStore } = about
  return (
    <footer class="foot">
      <span>Secrets are stored in {stores[secretStore.kind]}</span>
      {secretStore.problem !== undefined && (
        <details>
          <summary>Why not the system keyring?</summary>
          <p>{secretStore.problem}</p>
        </details>
      )}
      <span>
        Agent: {agent.name} {agent.file === null ? '(no agent file)' : <span class="mono">{agent.file}</span>}
      </span>
      <span>Ostler {version}</span>
    </footer>
  )
}
