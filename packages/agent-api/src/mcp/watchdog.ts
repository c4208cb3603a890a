import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Logger } from '../base/logger.ts'
import { childEnvironment } from './child-environment.ts'
import { messageOf } from '../base/errors.ts'

const markName = 'OSTLER_SERVER'
/** All servers of this process have marks that start with this. */
const processMark = randomUUID().replaceAll('-', '')
let serverCount = 0

/** Sees to it that a server does not outlive us. To be made before the server is started. */
export interface ServerGuard {
  /** To be put in its environment, so that what leaves its process group can still be found. */
  readonly mark: { readonly name: string; readonly value: string }
  /** From now on the group dies with us. Returns the way to say that it has ended. */
  watch(group: number): () => void
}

export function createServerGuard(logger: Logger): ServerGuard {
  if (watchdog === undefined && process.platform !== 'win32') startWatchdog(logger)
  serverCount++
  return {
    mark: { name: markName, value: `${processMark}.${serverCount}` },
    watch(group) {
      guarded.add(group)
      tell(`+ ${group}\n`)
      return () => {
        if (guarded.delete(group)) tell(`- ${group}\n`)
      }
    },
  }
}

/**
 * Ends the servers when we cannot: an editor may kill us, and SIGKILL leaves no time for anything. A shell in a session of
 * its own reads from a pipe that only we hold, so the end of its input is the end of us, however that came. What it was not
 * told of yet, it finds by the mark, where there is a /proc; a zombie has lost its mark and does not keep it waiting.
 *
 * `sleep 0.1` is not POSIX but is everywhere; where it is not, it fails at once and SIGKILL only comes sooner.
 */
const script = `
trap '' HUP INT TERM PIPE
groups=' '
while read -r what group; do
  case $what in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
marked() {
  for file in $(grep -ls "$MARK" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    echo "\${pid%/environ}"
  done
}
send() {
  for group in $groups; do kill -s "$1" -- "-$group"; done
  for pid in $(marked); do kill -s "$1" "$pid"; done
}
living() {
  if [ -r /proc/self/environ ]; then [ -n "$(marked)" ]; return; fi
  for group in $groups; do kill -s 0 -- "-$group" && return 0; done
  return 1
}
send TERM
for turn in 1 2 3 4 5 6; do
  living || break
  sleep 0.1
done
send KILL
`

const replacementsMax = 5
const guarded = new Set<number>()
let watchdog: ChildProcess | undefined
let replacements = 0

function startWatchdog(logger: Logger) {
  const { PATH = '/usr/bin:/bin' } = childEnvironment({})
  let child: ChildProcess
  try {
    child = spawn('/bin/sh', ['-c', script.replace('$MARK', `${markName}=${processMark}`), 'ostler-watchdog'], {
      cwd: '/',
      env: { PATH },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
  } catch (error) {
    logger.debug('no watchdog for MCP servers', { error: messageOf(error) })
    return
  }
  watchdog = child
  child.once('error', (error) => {
    logger.debug('no watchdog for MCP servers', { error: messageOf(error) })
    replace(child, logger)
  })
  child.once('exit', () => replace(child, logger))
  // A pipe that breaks is followed by the exit.
  child.stdin?.on('error', () => {})
  child.unref()
  // Neither its life nor its pipe may keep us from ending.
  ;(child.stdin as Socket | null)?.unref()
  for (const group of guarded) tell(`+ ${group}\n`)
}

/** Somebody has ended it: another takes its place, unless that does not help. */
function replace(child: ChildProcess, logger: Logger) {
  if (watchdog !== child) return
  watchdog = undefined
  if (guarded.size === 0 || replacements === replacementsMax) return
  replacements++
  startWatchdog(logger)
}

function tell(line: string) {
  watchdog?.stdin?.write(line)
}
