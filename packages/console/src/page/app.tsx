import { useEffect, useState } from 'preact/hooks'
import type { About, QuestionList, StoredQuestion } from '../api.ts'
import { useLiveReload, useLiveState } from './api/live.ts'
import { useLoaded } from './api/use-loaded.ts'
import { AgentPage } from './pages/agent/agent-page.tsx'
import { AppPage } from './pages/app/app-page.tsx'
import { CallsPage } from './pages/calls/calls-page.tsx'
import { QuestionsPage } from './pages/questions/questions-page.tsx'
import { ServersPage } from './pages/servers/servers-page.tsx'
import { SessionDetailPage } from './pages/sessions/session-page.tsx'
import { SessionsPage } from './pages/sessions/sessions-page.tsx'
import { ToolsPage } from './pages/tools/tools-page.tsx'
import { Announcements } from './parts/announce.tsx'
import { Empty } from './parts/empty.tsx'
import { Link } from './parts/link.tsx'
import { PageFrame, QuestionCount } from './parts/page-frame.tsx'
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

export function App() {
  const route = useRoute()
  const about = useLoaded<About>('/api/about')
  const live = useLiveState()
  const questions = useLoaded<QuestionList>('/api/questions')
  useLiveReload('questions', questions.reload)
  const count = questions.data?.questions.length ?? 0
  const [isHelpOpen, setHelpOpen] = useState(false)
  useEffect(() => listenForShortcuts(() => setHelpOpen(true)), [])
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="side">
        <Link to="/servers" class="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M9 6v10a7 7 0 0 0 14 0V6" />
          </svg>
          Ostler
        </Link>
        <nav aria-label="Pages">
          {pageNames.map((name) => (
            <Link key={name} to={`/${name}`} current={route.page === name}>
              {titles[name]}
              {name === 'questions' && count > 0 && <span class="badge badge-count">{count}</span>}
            </Link>
          ))}
        </nav>
        <div class="side-foot">
          {live === 'closed' && (
            <p class="live" role="status">
              Connection lost. Retrying… Data may be out of date.
            </p>
          )}
          <ThemeChoice />
          <button type="button" class="button-quiet button-small" aria-keyshortcuts="?" onClick={() => setHelpOpen(true)}>
            Shortcuts <kbd aria-hidden="true">?</kbd>
          </button>
        </div>
      </header>
      <div class="content">
        <QuestionCount.Provider value={count}>
          <Page route={route} questions={questions.data?.questions} />
        </QuestionCount.Provider>
        <PageFoot about={about.data} />
      </div>
      {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
      <Announcements />
    </div>
  )
}

interface PageProps {
  readonly route: Route
  readonly questions: readonly StoredQuestion[] | undefined
}

function Page({ route: { page, id, query }, questions }: PageProps) {
  switch (page) {
    case 'questions':
      return <QuestionsPage questions={questions} />
    case 'servers':
      return <ServersPage />
    case 'tools':
      return <ToolsPage query={query} />
    case 'calls':
      return <CallsPage query={query} />
    case 'agent':
      return <AgentPage />
    case 'sessions':
      return id === undefined ? <SessionsPage /> : <SessionDetailPage key={id} id={id} />
    case 'app':
      return <AppPage key={query.toString()} query={query} />
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
