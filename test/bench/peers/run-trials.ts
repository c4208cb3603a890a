import { join } from 'node:path'
import { failures } from '../line-client.ts'
import { openStage, type Limits, type Stage } from './open-stage.ts'
import type { Installed } from './peer.ts'
import type { Trial } from './trials.ts'

/** The measurements of one agent. */
export interface Result {
  /** All values of a row. `Infinity` stands for no answer within the limit. */
  readonly values: Map<string, number[]>
  /** Why rounds have no value for a row, one reason for each of them. */
  readonly reasons: Map<string, string[]>
}

export interface Run {
  readonly trials: readonly Trial[]
  readonly rounds: number
  readonly limits: Limits
  readonly folder: string
  readonly log?: (line: string) => void
}

/**
 * Runs each trial with all agents in turn, round after round, so that a slow moment affects all of them. A trial that showed nothing is not
 * repeated with that agent, and the run goes on.
 */
export async function runTrials(
  installed: readonly Installed[],
  { trials, rounds, limits, folder, log = () => {} }: Run,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>()
  const stages: { name: string; stage: Stage }[] = []
  try {
    for (const each of installed) {
      const { name } = each.peer
      results.set(name, { values: new Map(), reasons: new Map() })
      stages.push({ name, stage: await openStage(each, join(folder, name), limits) })
    }
    for (let round = 0; round <= rounds; round++) {
      for (const [index, trial] of trials.entries()) {
        // The first round warms up: it creates databases, and fills the disk's cache.
        if (round === 0 ? index > 0 : round > trial.rounds) continue
        for (const { name, stage } of stages) {
          const result = results.get(name)
          if (result === undefined || trial.rows.every(({ id }) => result.reasons.has(id))) continue
          log(`round ${round} of ${rounds}: ${trial.rows[0]?.what}: ${name}`)
          await runTrial(trial, stage, result, round > 0)
        }
      }
    }
  } finally {
    for (const { stage } of stages) await stage[Symbol.asyncDispose]()
  }
  return results
}

async function runTrial(trial: Trial, stage: Stage, result: Result, isKept: boolean): Promise<void> {
  const noted = new Set<string>()
  try {
    await trial.run(stage, (id, value) => {
      noted.add(id)
      if (isKept) result.values.set(id, [...(result.values.get(id) ?? []), value])
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // The error output explains an end. Otherwise, its last line can be about anything.
    const reason = message.includes(failures.ended) ? `${message} (${await stage.lastWords()})` : message
    for (const { id } of trial.rows)
      if (!noted.has(id)) result.reasons.set(id, [...(result.reasons.get(id) ?? []), reason])
  }
}
