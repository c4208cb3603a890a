import { isRecord } from '@ostler/agent-api/internal'

/** The editor's capabilities. Anything not clearly declared counts as missing. */
export interface EditorCapabilities {
  readonly readTextFile: boolean
  readonly writeTextFile: boolean
  readonly terminal: boolean
  readonly notices: boolean
  readonly compaction: boolean
  readonly elicitForm: boolean
  readonly elicitUrl: boolean
}

export type ElicitModes = readonly ('form' | 'url')[]

/** The kinds of questions that the editor can show. */
export function elicitModesOf({ elicitForm, elicitUrl }: EditorCapabilities): ElicitModes {
  return [...(elicitForm ? (['form'] as const) : []), ...(elicitUrl ? (['url'] as const) : [])]
}

/** Reads the raw value, because `initialize` is answered before the SDK and its schemas are loaded. */
export function fromAcpClientCapabilities(raw: unknown): EditorCapabilities {
  const fs = member(raw, 'fs')
  const elicitation = member(raw, 'elicitation')
  return {
    readTextFile: member(fs, 'readTextFile') === true,
    writeTextFile: member(fs, 'writeTextFile') === true,
    terminal: member(raw, 'terminal') === true,
    notices: isRecord(member(member(raw, 'session'), 'notices')),
    compaction: isRecord(member(member(raw, 'session'), 'compaction')),
    elicitForm: isRecord(member(elicitation, 'form')),
    elicitUrl: isRecord(member(elicitation, 'url')),
  }
}

function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
