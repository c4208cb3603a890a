import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { methods, type PromptResponse, type SessionUpdate } from '@agentclientprotocol/sdk'
import { openTempDir } from '../support/temp-dir.ts'
import { openEditor, type Editor } from './editor.ts'
import { startHttpServer } from './http-server.ts'
import { detail, heading, paint, passed, say } from './paint.ts'
import { processesBelow, stillRunning } from './process-tree.ts'

/**
 * Shows Ostler's main job to a person: this program is the editor, the built command is the agent, the MCP servers are npm packages, and
 * the model is the built-in one that needs no key. Checks every step, and exits with code 1 at the first failure.
 */
const command = join(import.meta.dirname, '../../packages/cli/dist/ostler.js')
const { resolve } = createRequire(import.meta.url)
const serverStopMs = 6_000
const tourMs = 60_000

const giveUp = setTimeout(() => {
  say(paint('red', `The tour did not end within ${tourMs / 1000} s.`))
  process.exit(1)
}, tourMs)

try {
  await tour()
} catch (error) {
  say(`  ${paint('red', '✗')} ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  clearTimeout(giveUp)
}

async function tour(): Promise<void> {
  await using folder = await openTempDir('ostler-tour-')
  await writeFile(join(folder.path, 'notes.txt'), 'Feed the grey mare at six.\nThe bay wants new shoes.\n')

  // Its own home directory, so that the person's settings and state are not touched.
  await using home = await openTempDir('ostler-tour-')

  heading('1  An editor starts Ostler')
  const started = performance.now()
  await using editor = openEditor(
    process.execPath,
    [command, 'acp', '--model', 'offline', '--state-dir', join(home.path, 'state')],
    cleanEnvironment(home.path),
  )
  const { context } = editor
  const { agentInfo, protocolVersion } = await context.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientInfo: { name: 'ostler-tour', version: '1' },
    clientCapabilities: { session: { notices: {} } },
  })
  check(protocolVersion === 1 && agentInfo?.name === 'ostler', 'the agent answered initialize')
  passed(
    `${agentInfo?.title ?? agentInfo?.name} ${agentInfo?.version} answered initialize after ${ms(started)}`,
  )

  heading('2  A session with the MCP servers of the editor')
  await using web = await startHttpServer(resolve('@modelcontextprotocol/server-everything/dist/index.js'))
  const report = nextUpdate(editor, (update) => (update.sessionUpdate === 'notice' ? update : undefined))
  const opened = performance.now()
  const { sessionId } = await context.request(methods.agent.session.new, {
    cwd: folder.path,
    mcpServers: [
      {
        name: 'files',
        command: process.execPath,
        args: [resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), folder.path],
        env: [],
      },
      { type: 'http', name: 'everything', url: web.url, headers: [] },
      { name: 'broken', command: 'no-such-program', args: [], env: [] },
    ],
  })
  passed(`session/new was answered after ${ms(opened)}; the servers connect in the background`)
  const notice = await report
  check(notice.description?.includes('broken') === true, 'the server that cannot start is reported')
  passed(`one report shows their state, ${ms(opened)} after the request`)
  detail([notice.title, notice.description].filter(Boolean).join('\n'))

  const tools = await prompt(editor, sessionId, '/tools')
  check(tools.text.includes('read_text_file') && tools.text.includes('echo'), 'tools of both servers arrived')
  passed('the session has these tools')
  detail(countByServer(tools.text))
  const servers = processesBelow(editor.agent.pid ?? 0)
  check(
    servers.some(({ command: line }) => line.includes('server-filesystem')),
    'the file server runs below the agent',
  )

  heading('3  Prompts that use them')
  const read = await prompt(
    editor,
    sessionId,
    `Read the text file "${join(folder.path, 'notes.txt')}"`,
    'allow_once',
  )
  check(read.calls.length === 1 && read.output.includes('grey mare'), 'the file was read')
  const echo = await prompt(
    editor,
    sessionId,
    'Echo the message "Good evening from the stable"',
    'allow_once',
  )
  check(echo.output.includes('Good evening from the stable'), 'the http server answered')

  heading('4  A no is a no')
  const wanted = join(folder.path, 'sold.txt')
  const refused = await prompt(
    editor,
    sessionId,
    `/call write_file ${JSON.stringify({ path: wanted, content: 'the mare' })}`,
    'reject_once',
  )
  check(refused.calls.length === 1 && !existsSync(wanted), 'nothing was written')
  passed('the file was not written')

  heading('5  Cancelled in the middle of a call')
  const slow = await prompt(
    editor,
    sessionId,
    '/call trigger-long-running-operation {"duration": 30, "steps": 60}',
    'allow_once',
    {
      cancelOnProgress: true,
    },
  )
  check(slow.response.stopReason === 'cancelled', 'the turn ended as cancelled')
  passed('30 seconds of work were cancelled and the turn ended at once')

  heading('6  The session is deleted')
  const pids = servers.filter(({ command: line }) => line.includes('server-filesystem')).map(({ pid }) => pid)
  const deleted = performance.now()
  await context.request(methods.agent.session.delete, { sessionId })
  while (stillRunning(pids).length > 0 && performance.now() - deleted < serverStopMs) await delay(20)
  check(stillRunning(pids).length === 0, 'every server process has ended')
  passed(`the file server (process ${pids.join(', ')}) is gone after ${ms(deleted)}`)

  const everything = [editor.agent.pid ?? 0, ...processesBelow(editor.agent.pid ?? 0).map(({ pid }) => pid)]
  await editor[Symbol.asyncDispose]()
  check(editor.agent.exitCode === 0, 'the agent ended with exit code 0')
  while (stillRunning(everything).length > 0 && performance.now() - deleted < serverStopMs) await delay(20)
  check(stillRunning(everything).length === 0, 'nothing is left behind')
  const log = editor.stderr().trimEnd().split('\n')
  check(
    log.length === 1 && log[0]?.includes('broken') === true,
    `the log has one line, on the broken server: ${editor.stderr()}`,
  )
  passed('the editor closed; nothing is left running, and the log has one line, on the broken server')

  heading('Register Ostler in Zed: add this to settings.json (`ostler editor zed` prints it)')
  say()
  say(execFileSync(process.execPath, [command, 'editor', 'zed'], { encoding: 'utf8' }).trimEnd())
}

function cleanEnvironment(configHome: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('OSTLER_'))
  return { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: configHome }
}

interface Answer {
  readonly response: PromptResponse
  readonly text: string
  readonly calls: readonly string[]
  readonly output: string
}

/** Sends one prompt, shows all updates, and answers questions as told. */
async function prompt(
  editor: Editor,
  sessionId: string,
  text: string,
  answer?: 'allow_once' | 'reject_once',
  { cancelOnProgress = false } = {},
): Promise<Answer> {
  const quiet = answer === undefined
  const calls: string[] = []
  const runningSince = new Map<string, number>()
  let said = ''
  let output = ''
  if (!quiet) say(`  ${paint('cyan', '›')} ${paint('bold', text)}`)

  editor.onQuestion = ({ toolCall, options }) => {
    say(`    ${paint('yellow', '?')} ${toolCall.title}`)
    detail(`${JSON.stringify(toolCall.rawInput)}\n${options.map(({ name }) => name).join(' · ')}`)
    say(
      `      ${answer === 'allow_once' ? paint('green', 'the person says yes') : paint('red', 'the person says no')}`,
    )
    return answer ?? 'reject_once'
  }
  editor.onUpdate = (update) => {
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
      said += update.content.text
    if (update.sessionUpdate === 'tool_call') calls.push(update.toolCallId)
    if (update.sessionUpdate !== 'tool_call_update') return
    if (update.status === 'in_progress') runningSince.set(update.toolCallId, performance.now())
    if (update.status === undefined && cancelOnProgress) {
      detail(`${textOf(update)}: the person cancels`)
      void editor.context.notify(methods.agent.session.cancel, { sessionId })
    }
    if (update.status === 'completed' || update.status === 'failed') {
      const mark = update.status === 'completed' ? paint('green', '✓') : paint('red', '✗')
      const result = textOf(update)
      output += result
      const since = runningSince.get(update.toolCallId)
      say(`    ${mark} ${update.status}${since === undefined ? '' : ` after ${ms(since)}`}`)
      detail(shorten(result))
    }
  }
  const response = await editor.context.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text }],
  })
  if (!quiet && said !== '') detail(`“${shorten(said)}”`)
  return { response, text: said, calls, output }
}

function nextUpdate<T>(editor: Editor, pick: (update: SessionUpdate) => T | undefined): Promise<T> {
  return new Promise((found) => {
    editor.onUpdate = (update) => {
      const picked = pick(update)
      if (picked !== undefined) found(picked)
    }
  })
}

function textOf(update: SessionUpdate): string {
  if (update.sessionUpdate !== 'tool_call_update') return ''
  return (update.content ?? [])
    .map((item) => (item.type === 'content' && item.content.type === 'text' ? item.content.text : ''))
    .join('\n')
}

/** `/tools` has a heading with the number of tools for each server. */
function countByServer(list: string): string {
  return [...list.matchAll(/^\*\*(.+)\*\* \((\d+)[;)]/gm)]
    .map(([, server, count]) => `${server}: ${count} tools`)
    .join('\n')
}

function shorten(text: string): string {
  const line = text.trim().replace(/\s*\n\s*/g, ' ⏎ ')
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}

function ms(since: number): string {
  return `${Math.round(performance.now() - since)} ms`
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`This did not happen: ${what}.`)
}
