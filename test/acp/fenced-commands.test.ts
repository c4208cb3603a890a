import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { probeFence } from '../../packages/agent-api/src/fence/probe-fence.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import { editors, openToolSession } from '../support/tool-session.ts'

const maker = await probeFence()
const agent = { builtinTools: { run_command: { sandbox: 'required' } } } as const

describe.skipIf(maker.by === 'nothing').each(editors)('in an editor with %s', (_, capabilities) => {
  test('a command writes in the session’s directory and nowhere else', async () => {
    await using session = await openToolSession(capabilities, { agent })
    const name = `.ostler-test-${randomUUID()}`
    const result = await session.call('run_command', {
      command: `echo in > made; echo out > ~/${name}; echo temporary > /tmp/${name}; cat /tmp/${name}; grep processes /proc/self/limits; exit 3`,
    })
    expect(result).toMatch(/Permission denied|Read-only file system/)
    expect(result).toContain('temporary')
    expect(result).toMatch(/Max processes +4096/)
    expect(result).toContain(
      '[exit code 3]\n[It ran in a sandbox. It reaches only hosts that the person allows, writes only in the session’s directories, and cannot',
    )
    expect(await session.call('run_command', { command: 'true' })).not.toContain('[It ran')
    expect(readdirSync(session.cwd)).toEqual(['made'])
    expect(existsSync(join(homedir(), name))).toBe(false)
    expect(existsSync(join('/tmp', name))).toBe(false)
  })

  test('Git’s files and what editors run cannot be changed or created, and no placeholder stays', async () => {
    await using session = await openToolSession(capabilities, { agent })
    execFileSync('git', ['init', '-q'], { cwd: session.cwd })
    await mkdir(join(session.cwd, 'inner/.vscode'), { recursive: true })
    await writeFile(join(session.cwd, 'ostler.yaml'), '')
    const result = await session.call('run_command', {
      command: [
        'echo x > .git/hooks/pre-commit',
        'mkdir -p .vscode && echo x > .vscode/tasks.json',
        'echo x > inner/.vscode/tasks.json',
        'echo x > .mcp.json',
        'echo x > ostler.yaml',
        'mv .git other || echo kept',
        'git status --short',
      ].join('; '),
    })
    expect(result.match(/Read-only file system|Permission denied/g)).toHaveLength(5)
    expect(result).toContain('kept')
    expect(readdirSync(session.cwd).toSorted()).toEqual(['.git', 'inner', 'ostler.yaml'])
    expect(existsSync(join(session.cwd, '.git/hooks/pre-commit'))).toBe(false)
  })

  test('a placeholder stays while another command needs it', async () => {
    await using session = await openToolSession(capabilities, { agent })
    const held = join(session.cwd, '.vscode')
    await session.call('run_command', { command: 'sleep 300', background: true })
    await until('the placeholder', async () => existsSync(held))
    await session.call('run_command', { command: 'true' })
    expect(await session.call('run_command', { command: 'mkdir .vscode/x' })).toContain('cannot create')
    expect(existsSync(held)).toBe(true)
    await session.call('stop_command', { id: 'c1' })
    await until('nothing to be left', async () => !existsSync(held))
  })

  test('the question and the card say what holds the command', async () => {
    await using session = await openToolSession(capabilities, { agent })
    await session.call('run_command', { command: 'true' })
    expect(JSON.stringify(session.editor.permissionRequests().at(-1)?.toolCall.content)).toContain(
      'It runs in a sandbox (bubblewrap): it has no network',
    )
  })

  test('a stopped command leaves no processes', async () => {
    await using session = await openToolSession(capabilities, { agent })
    const mark = randomUUID()
    const result = await session.call('run_command', {
      command: `setsid sh -c 'sleep 300; :' ${mark} & sh -c 'sleep 300; :' ${mark}`,
      timeout: 1,
    })
    expect(result).toContain('[timed out')
    await until('its processes to be gone', async () => (await processesWithArgument(mark)).length === 0)
  })
})
