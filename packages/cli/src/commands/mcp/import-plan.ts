import {
  fillInputs,
  type ImportSource,
  type FoundServer,
  type ServerListInput,
  type ServerView,
  type SkippedServer,
} from '@ostler/workbench'
import type { Environment } from '../../terminal/io.ts'
import { toShown } from '../../terminal/safe-text.ts'

export type ImportPlan = Pick<ImportSource['list'], 'servers' | 'skipped' | 'inputs'>

/** Names are unique: existing servers are kept, and of two new ones the first is used. */
export function toPlan(
  sources: readonly ImportSource[],
  existing: readonly ServerView[],
  only: readonly string[] | undefined,
): ImportPlan {
  const servers = new Map<string, FoundServer>()
  const skipped: SkippedServer[] = []
  for (const { path, list } of sources) {
    skipped.push(...list.skipped)
    for (const server of list.servers) {
      const taken = existing.find(({ name }) => name === server.name)
      if (taken !== undefined) skipped.push({ name: server.name, reason: takenBy(taken) })
      else if (servers.has(server.name))
        skipped.push({ name: server.name, reason: `${path} also has it; the first one is used` })
      else servers.set(server.name, server)
    }
  }
  const isSelected = ({ name }: { readonly name: string }) => only === undefined || only.includes(name)
  const chosen = [...servers.values()].filter(isSelected)
  const wanted = new Set(chosen.flatMap(({ inputs }) => inputs))
  const inputs = new Map(sources.flatMap(({ list }) => list.inputs).map((input) => [input.id, input]))
  return {
    servers: chosen,
    skipped: skipped.filter(isSelected),
    inputs: [...inputs.values()].filter(({ id }) => wanted.has(id)),
  }
}

/** Fills the requested values into the plan. A field or server without its value is left out. */
export function withInputs(
  { servers, skipped }: ImportPlan,
  values: Readonly<Record<string, string>>,
): ImportPlan {
  const filled = servers.map((server) => fillInputs(server, values))
  return {
    servers: filled.filter((server): server is FoundServer => 'entry' in server),
    skipped: [...skipped, ...filled.filter((server): server is SkippedServer => 'reason' in server)],
    inputs: [],
  }
}

function takenBy({ origin }: ServerView): string {
  return origin === 'file'
    ? 'the agent file has a server of this name'
    : 'there is a stored server of this name'
}

/** Names of variables and headers, because their values may be secret. */
export function namesOf({ entry }: FoundServer): string[] {
  return [entry['env'], entry['headers']].flatMap((field) => Object.keys(field ?? {}))
}

export function notesOf(server: FoundServer, inputs: readonly ServerListInput[], env: Environment): string[] {
  const asked = server.inputs.map((id) => inputs.find((input) => input.id === id)?.description ?? id)
  const unset = server.variables.filter((name) => env[name] === undefined)
  return [
    ...server.notes,
    ...(asked.length === 0 ? [] : [`you will be prompted for: ${asked.join(', ')}`]),
    ...unset.map((name) => `the variable ${name} is not set here; the server needs it`),
  ].map((note) => toShown(note))
}
