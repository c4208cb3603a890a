// Compares pnpm-lock.yaml with the advisories in advisories.json. Needs no network. Fails if a locked version is vulnerable.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findAdvisories, type AdvisoryList } from './find-advisories.ts'

const listFile = join(import.meta.dirname, 'advisories.json')
const list = existsSync(listFile) ? (JSON.parse(readFileSync(listFile, 'utf8')) as AdvisoryList) : undefined
const lockfile = readFileSync(join(import.meta.dirname, '../../pnpm-lock.yaml'), 'utf8')
const { isVulnerable, lines } = findAdvisories(lockfile, list, new Date())
process.stdout.write(`${lines.join('\n')}\n`)
if (isVulnerable) process.exitCode = 1
