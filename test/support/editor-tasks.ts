/** A step of a task: what a person would call it, the tool that does it, and the arguments it needs. */
interface TaskStep {
  /** Words that somebody who does not know the tool would search for. */
  readonly need: string
  readonly server: string
  readonly tool: string
  /** `$1.id` and `$1.number` are what the first step has created. */
  readonly args: Readonly<Record<string, unknown>>
}

export interface EditorTask {
  readonly prompt: string
  readonly steps: readonly TaskStep[]
}

const repository = { owner: 'octo-org', repo: 'shop' }
const site = { cloudId: 'https://example.atlassian.net' }
const organization = { organizationSlug: 'octo' }

function step(name: string, need: string, args: TaskStep['args'] = {}): TaskStep {
  const [server = '', tool = ''] = name.split(':')
  return { need, server, tool, args }
}

/** Tasks over the servers of `test/fixtures/editor-servers`. Each needs one to three tools. */
export const editorTasks: readonly EditorTask[] = [
  {
    prompt: 'Who am I on the code host?',
    steps: [step('github:get_me', 'profile of the logged in account')],
  },
  {
    prompt: 'Open an issue about the broken checkout and say in a comment that it blocks the release.',
    steps: [
      step('github:create_issue', 'open an issue in a repository', {
        ...repository,
        title: 'The checkout shows an empty page',
        labels: ['bug'],
      }),
      step('github:add_issue_comment', 'comment on an issue', {
        ...repository,
        issue_number: '$1.number',
        body: 'This blocks the release.',
      }),
    ],
  },
  {
    prompt: 'Put the fix on a branch and open a pull request for it.',
    steps: [
      step('github:create_branch', 'create a branch', { ...repository, branch: 'fix-checkout' }),
      step('github:push_files', 'write several files in one commit', {
        ...repository,
        branch: 'fix-checkout',
        files: [{ path: 'src/checkout.ts', content: 'export const isFixed = true\n' }],
        message: 'fix: show the checkout',
      }),
      step('github:create_pull_request', 'open a pull request', {
        ...repository,
        title: 'Show the checkout',
        head: 'fix-checkout',
        base: 'main',
        draft: true,
      }),
    ],
  },
  {
    prompt: 'Why did the last check of run 71 fail?',
    steps: [
      step('github:get_job_logs', 'log of a failed job', {
        ...repository,
        run_id: 71,
        failed_only: true,
        tail_lines: 100,
      }),
    ],
  },
  {
    prompt: 'Squash and merge pull request 12, then tell the release channel.',
    steps: [
      step('github:merge_pull_request', 'merge a pull request', {
        ...repository,
        pullNumber: 12,
        merge_method: 'squash',
      }),
      step('slack:slack_send_message', 'send a message to a channel', {
        channel_id: 'C0123456789',
        message: 'Pull request 12 is merged.',
      }),
    ],
  },
  {
    prompt: 'File a bug in project SHOP and log half an hour of work on it.',
    steps: [
      step('jira:createIssue', 'create an issue in a project of the tracker', {
        ...site,
        projectKey: 'SHOP',
        issueTypeName: 'Bug',
        summary: 'The checkout shows an empty page',
        priority: 'High',
      }),
      step('jira:addWorklog', 'add time spent to the work log', {
        ...site,
        issueIdOrKey: '$1.id',
        timeSpent: '30m',
      }),
    ],
  },
  {
    prompt: 'Which issues of SHOP are still open?',
    steps: [
      step('jira:searchIssuesUsingJql', 'search issues with a JQL query', {
        ...site,
        jql: 'project = SHOP AND status != Done',
        maxResults: 20,
      }),
    ],
  },
  {
    prompt: 'Move SHOP-7 on to its next state.',
    steps: [
      step('jira:getTransitions', 'possible transitions of an issue', { ...site, issueIdOrKey: 'SHOP-7' }),
      step('jira:transitionIssue', 'move an issue to another state', {
        ...site,
        issueIdOrKey: 'SHOP-7',
        transitionId: '$1.id',
      }),
    ],
  },
  {
    prompt: 'Plan the next sprint on board 3 with SHOP-7 and SHOP-8.',
    steps: [
      step('jira:createSprint', 'create a sprint on a board', { ...site, boardId: 3, name: 'Sprint 9' }),
      step('jira:moveIssuesToSprint', 'move issues into a sprint', {
        ...site,
        sprintId: '$1.number',
        issues: ['SHOP-7', 'SHOP-8'],
      }),
    ],
  },
  {
    prompt: 'Write the minutes into the wiki, and comment that they need a review.',
    steps: [
      step('confluence:createPage', 'create a page in the wiki', {
        ...site,
        spaceId: '98304',
        title: 'Minutes',
        body: '# Minutes\n\nWe ship on Friday.',
      }),
      step('confluence:createFooterComment', 'comment at the foot of a page', {
        ...site,
        pageId: '$1.id',
        body: 'Please review.',
      }),
    ],
  },
  {
    prompt: 'Find what the wiki says about deployments.',
    steps: [
      step('confluence:searchWiki', 'search pages of the wiki', {
        ...site,
        cql: 'text ~ "deploy"',
        limit: 5,
      }),
    ],
  },
  {
    prompt: 'Log in on the local page as admin and take a picture.',
    steps: [
      step('playwright:browser_navigate', 'open an address in the browser', { url: 'http://localhost:3000' }),
      step('playwright:browser_fill_form', 'fill in several fields of a form', {
        fields: [{ name: 'Account', type: 'textbox', ref: 'e4', value: 'admin' }],
      }),
      step('playwright:browser_take_screenshot', 'take a picture of the page', {
        filename: 'login.png',
        fullPage: true,
      }),
    ],
  },
  {
    prompt: 'Does the page write errors to its console?',
    steps: [
      step('playwright:browser_console_messages', 'messages in the console of the page', { level: 'error' }),
    ],
  },
  {
    prompt: 'Plan the new search as a project of team ENG with a first issue.',
    steps: [
      step('linear:create_project', 'create a project for a team', {
        name: 'New search',
        team: 'ENG',
        targetDate: '2026-12-31',
      }),
      step('linear:create_issue', 'create an issue in the planning tool', {
        title: 'Choose an index',
        team: 'ENG',
        project: '$1.id',
        priority: 2,
      }),
    ],
  },
  {
    prompt:
      'What breaks in production, and where does it come from? Mark it as resolved in the next release.',
    steps: [
      step('sentry:search_issues', 'find groups of the same error', {
        ...organization,
        naturalLanguageQuery: 'unhandled errors of the last day',
      }),
      step('sentry:get_issue_tag_values', 'values of a tag of an issue', {
        ...organization,
        issueId: '$1.id',
        tagKey: 'release',
      }),
      step('sentry:update_issue', 'resolve an error', {
        ...organization,
        issueId: '$1.id',
        status: 'resolvedInNextRelease',
      }),
    ],
  },
  {
    prompt: 'Tell the design channel that the draft is ready, tomorrow at nine.',
    steps: [
      step('slack:slack_search_channels', 'find a channel by name', { query: 'design', limit: 1 }),
      step('slack:slack_schedule_message', 'send a message at a later time', {
        channel_id: '$1.id',
        message: 'The draft is ready.',
        post_at: 1_800_000_000,
      }),
    ],
  },
  {
    prompt: 'Add a column for the currency to the orders of the shop, and look for weaknesses afterwards.',
    steps: [
      step('supabase:list_tables', 'list the tables of a database', {
        project_id: 'abcdefghijklmnopqrst',
        schemas: ['public'],
      }),
      step('supabase:apply_migration', 'run a migration', {
        project_id: 'abcdefghijklmnopqrst',
        name: 'add_currency',
        query: 'alter table orders add column currency text',
      }),
      step('supabase:get_advisors', 'hints about weaknesses', {
        project_id: 'abcdefghijklmnopqrst',
        type: 'security',
      }),
    ],
  },
  {
    prompt: 'Stage everything and commit it.',
    steps: [
      step('git:git_add', 'stage files', { repo_path: '/srv/shop', files: ['.'] }),
      step('git:git_commit', 'record staged changes as a commit', {
        repo_path: '/srv/shop',
        message: 'feat: currencies',
      }),
    ],
  },
  {
    prompt: 'Remember that Ada works on the shop.',
    steps: [
      step('memory:create_entities', 'create entities in the knowledge graph', {
        entities: [{ name: 'Ada', entityType: 'person', observations: ['speaks English'] }],
      }),
      step('memory:create_relations', 'create relations between entities', {
        relations: [{ from: 'Ada', to: 'shop', relationType: 'works_on' }],
      }),
    ],
  },
  {
    prompt: 'How does routing work in Next.js? Send the answer to the channel as well.',
    steps: [
      step('context7:resolve-library-id', 'identifier of a library', {
        libraryName: 'Next.js',
        query: 'How does routing work?',
      }),
      step('context7:query-docs', 'documentation of a library', {
        libraryId: '/vercel/next.js',
        query: 'How does routing work?',
        topic: 'routing',
      }),
      step('slack:slack_send_message', 'send a message to a channel', {
        channel_id: 'C0123456789',
        message: 'Routing follows the folders.',
      }),
    ],
  },
]
