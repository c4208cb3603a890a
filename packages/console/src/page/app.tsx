import { useEffect, useRef, useState } from 'preact/hooks'
import type { About, QuestionList } from '../api.ts'
import { signedOut } from './api/client.ts'
import { useHidden, useLiveState } from './api/live.ts'
import { type Loaded, useLoaded } from './api/use-loaded.ts'
import { Announcements } from './parts/announce.tsx'
import { Empty } from './parts/empty.tsx'
import { Guarded } from './parts/guarded.tsx'
import { lazyPage } from './parts/lazy-page.tsx'
import { Link } from './parts/link.tsx'
import { useNewQuestions } from './parts/new-questions.ts'
import { OpenQuestions } from './parts/open-questions.ts'
import { PageFrame } from './parts/page-frame.tsx'
import { PageFoot } from './parts/page-foot.tsx'
import { ShortcutHelp } from './parts/shortcut-help.tsx'
import { ThemeChoice } from './parts/theme-choice.tsx'
import { type PageName, pageNames, type Route, useRoute } from './route.ts'
import { listenForShortcuts } from './shortcuts.ts'

const titles: Readonly<Record<PageName, string>> = {
  questions: 'Questions',
  servers: 'Servers',
  tools: 'Tools',
  calls: 'Calls',
  agent: 'Agent',
  sessions: 'Sessions',
}

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
  const about = useLoaded<About>('/api/about', 'servers')
  // The first save creates the agent file.
  const live = useLiveState()
  const isLost = live === 'closed' || live === 'expired'
  const questions = useLoaded<QuestionList>('/api/questions', 'questions')
  // The title shows their number even in the background.
  useHidden(questions.reload)
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
              {titles[name]}
              {name === 'questions' && count > 0 && <span class="badge badge-count">{count}</span>}
            </Link>
          ))}
        </nav>
        <div class="column side-foot">
          <ThemeChoice />
          <button type="button" class="button-quiet button-small" aria-keyshortcuts="?" onClick={() => setHelpOpen(true)}>
            Shortcuts <kbd aria-hidden="true">?</kbd>
          </button>
        </div>
      </header>
      <div class={`column content ${isLost ? 'is-lost' : ''}`}>
        {isLost && (
          <p class="live" role="status">
            {live === 'expired' ? signedOut : 'Connection to the console lost. Reconnecting… This page may be out of date.'}
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
  readonly route: Route
  readonly questions: Loaded<QuestionList>
}

function Page({ route: { page, id, part, query }, questions }: PageProps) {
  switch (page) {
    case 'questions':
      return <pages.questions.Page questions={questions} />
    case 'servers':
      return id === undefined ? <pages.servers.Page /> : <pages.server.Page key={id} wanted={id} tab={part} query={query} />
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

/** Fetches the other pages when the browser is idle. */
function fetchPages(): void {
  const fetchAll = () => {
    for (const { fetch } of Object.values(pages)) fetch()
  }
  if (typeof requestIdleCallback === 'function') requestIdleCallback(fetchAll)
  else setTimeout(fetchAll, 1_000)
}
