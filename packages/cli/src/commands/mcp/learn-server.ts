import { makeDirectory, quoteWord } from '@ostler/agent-api/internal'
import type { ServerService, ServerView } from '@ostler/workbench'
import { confirm, hasPerson } from '../../terminal/ask.ts'
import type { Io } from '../../terminal/io.ts'
import { print, say } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'

/** Shows what a server wanted in its sandbox, and stores it as its setting after a yes. Returns 0 if it needs nothing more. */
export async function learnServer(
  io: Io,
  { json, yes }: { readonly json: boolean; readonly yes: boolean },
  service: ServerService,
  { id, name, origin }: ServerView,
  signal: AbortSignal,
): Promise<number> {
  const { reason, hosts, paths, sandbox } = await service.learnSandbox(id, { signal })
  const wanted = [...hosts, ...paths]
  print(io, { json }, { ok: reason === undefined, name, reason, hosts, paths, sandbox }, () =>
    toShown(
      [
        reason === undefined ? 'It started in a sandbox.' : `It failed in a sandbox: ${reason}`,
        wanted.length === 0 ? 'It was refused nothing that can be offered.' : 'It was refused:',
        ...wanted.map((one) => `  ${one}`),
        ...(wanted.length === 0 ? [] : ['To allow that:', `  "sandbox": ${JSON.stringify(sandbox)}`]),
        'Not seen: failures that it does not report, private hosts, and what only a call needs.',
      ].join('\n'),
    ),
  )
  if (wanted.length === 0) return reason === undefined ? 0 : 1
  if (origin === 'file' || (!yes && (json || !hasPerson(io)))) return 1
  const question = `Allow these hosts and paths for ${name}?`
  if (!yes && !(await confirm(question, 'Nothing was changed.', io))) return 1
  paths.forEach(makeDirectory)
  await service.updateServer(id, { entry: { sandbox } })
  if (!json) say(io, `Stored. To see whether it wants more: ostler mcp test ${quoteWord(name)} --learn`)
  return 0
}
