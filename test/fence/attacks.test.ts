import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { attacks, stay } from '../fixtures/fence/attacks.ts'
import { openAcpProcess, patientWaitMs } from '../support/acp-process.ts'
import { openFenceWorld, type FenceWorld } from '../support/fence-world.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import { isAlive, processesWithArgument, survivorsAfter } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

const attackers = ['command', 'server'] as const
type Attacker = (typeof attackers)[number]

/** A session whose model makes attacks: by a command, or by a tool of a server that the editor has passed. */
interface HostileSession extends AsyncDisposable {
  readonly surroundings: FenceWorld
  /** The attacker's output. Rejects if it did not run. */
  attempt(name: string): Promise<string>
  /** All that the editor and the model were told. */
  reported(): Promise<string>
  /** Ends the session, and with it what it started. */
  close(): Promise<void>
}

async function openHostileSession(
  attacker: Attacker,
  sandbox: 'off' | 'required',
  variables: Readonly<Record<string, string>> = {},
): Promise<HostileSession> {
  await using opened = new AsyncDisposableStack()
  const surroundings = opened.use(await openFenceWorld())
  const { world } = surroundings
  const { program, args } = surroundings.attacker
  let name = ''
  const model = opened.use(
    await startLoopbackModel({
      vendor: 'anthropic',
      script: (request) =>
        request.messages.at(-1)?.parts.at(-1)?.type === 'tool_result'
          ? { text: 'done' }
          : {
              toolCalls: [
                attacker === 'server'
                  ? { name: 'hostile__attempt', args: { name } }
                  : {
                      name: 'run_command',
                      args: { command: [program, ...args, name].map(quoted).join(' ') },
                    },
              ],
            },
    }),
  )
  const config = opened.use(await openTempDir())
  const agentFile = join(config.path, 'agent.json')
  await writeFile(
    agentFile,
    JSON.stringify({
      model: model.modelId,
      connectWait: patientWaitMs,
      approval: { mode: 'auto' },
      ...(sandbox === 'required' && { tools: { run_command: { sandbox } }, sessionServers: { sandbox } }),
    }),
  )
  const editor = opened.use(
    await openAcpProcess({
      args: ['--agent', agentFile, '--state-dir', world.state],
      env: { ...model.env, ...surroundings.env, ...variables },
    }),
  )
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: world.project,
    additionalDirectories: [world.tree, world.bare],
    mcpServers: attacker === 'server' ? [{ name: 'hostile', command: program, args, env: [] }] : [],
  })
  const all = opened.move()
  return {
    surroundings,
    async attempt(attack) {
      name = attack
      await editor.prompt(sessionId, `Keep in mind: ${world.mark}`)
      const results = model.requests.at(-1)?.messages.flatMap(({ parts }) => parts) ?? []
      const text = results.findLast((part) => part.type === 'tool_result')?.text ?? 'no result'
      return text
    },
    async reported() {
      await editor.prompt(sessionId, '/mcp')
      return JSON.stringify([editor.updates(sessionId), model.requests.at(-1)?.messages])
    },
    async close() {
      await editor.request('session/close', { sessionId })
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

const fenceProblem = inject('fenceProblem')

describe.each(attackers)('a hostile %s', (attacker) => {
  /** An attacker without a fence shows that the attack works. Once is enough. */
  const levels = attacker === 'server' ? (['off', 'required'] as const) : (['required'] as const)
  describe.each(levels)('with sandbox: %s', (sandbox) => {
    const isFenced = sandbox === 'required'
    let session: HostileSession
    beforeAll(async () => {
      if (!isFenced || fenceProblem === undefined) session = await openHostileSession(attacker, sandbox)
    })
    afterAll(async () => {
      await session?.[Symbol.asyncDispose]()
    })
    beforeEach(({ skip }) => skip(isFenced && fenceProblem !== undefined, fenceProblem))

    test.each(attacks)(`${isFenced ? 'stopped' : 'not stopped'}: $name`, async (attack) => {
      const { world } = session.surroundings
      if (attack.cannot?.(world) !== undefined) return expect(attack.cannot(world)).not.toBe('')
      const said = await session.attempt(attack.name)
      expect(said).toContain('tried: ')
      const seen = String(await attack.trace?.(world))
      const hasEscaped = said.includes('tried: escaped') || seen.includes(world.mark)
      expect({ hasEscaped, said }).toEqual({ hasEscaped: !isFenced, said })
    })

    test(`${isFenced ? 'ends' : 'does not end'} with its session: ${stay.name}`, async () => {
      const { mark } = session.surroundings.world
      expect(await session.attempt(stay.name)).toContain('tried: ')
      await session.close()
      const left = await processesWithArgument(`${mark}-stays`)
      expect((await survivorsAfter(left, 5_000)).length > 0).toBe(!isFenced)
      for (const pid of left) if (await isAlive(pid)) process.kill(pid, 'SIGKILL')
    })
  })
})

describe.each(attackers)('where no sandbox works, a hostile %s', (attacker) => {
  test('does not start, and the reason is given', async () => {
    await using session = await openHostileSession(attacker, 'required', { PATH: '/nowhere' })
    const [attack] = attacks
    expect(await session.attempt(attack!.name)).not.toContain('tried')
    expect(await session.reported()).toContain('its sandbox is required: bubblewrap is not installed')
  })
})
