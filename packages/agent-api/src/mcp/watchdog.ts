import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Logger } from '../logger.ts'
import { childEnvironment } from '../config/child-environment.ts'
import { messageOf } from '../errors.ts'

/** In the environment of every server, so that one that has left its process group can still be found. */
export const serverMarkName = 'OSTLER_SERVER'

/** All servers of this process have marks that start with this. */
const processMark = randomUUID().replaceAll('-', '')
let serverCount = 0

export function createServerMark(): string {
  serverCount++
  return `${processMark}.${serverCount}`
}

/**
 * Ends the servers when we cannot: an editor may kill us, and SIGKILL leaves no time for anything. A shell in a session of
 * its own reads from a pipe that only we hold, so the end of its input is the end of us, however that came.
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
send() {
  for group in $groups; do kill -s "$1" -- "-$group"; done
  if [ -r /proc/self/environ ]; then
    for file in $(grep -ls "$MARK" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      kill -s "$1" "\${pid%/environ}"
    done
  fi
}
living() {
  for group in $groups; do kill -s 0 -- "-$group" && return 0; done
  return 1
}
case $groups in *[0-9]*) ;; *) exit 0 ;; esac
send TERM
for turn in 1 2 3 4 5 6 7 8; do
  living || break
  sleep 0.1
done
send KILL
`

const guarded = new Set<number>()
let watchdog: ChildProcess | undefined

/** From now on the group dies with us. Returns the way to say that it has ended. */
export function guardProcessGroup(group: number, logger: Logger): () => void {
  if (process.platform === 'win32') return () => {}
  guarded.add(group)
  if (watchdog === undefined) startWatchdog(logger)
  else tell(`+ ${group}\n`)
  return () => {
    if (guarded.delete(group)) tell(`- ${group}\n`)
  }
}

function startWatchdog(logger: Logger) {
  const { PATH = '/usr/bin:/bin' } = childEnvironment({})
  let child: ChildProcess
  try {
    child = spawn('/bin/sh', ['-c', script.replace('$MARK', `${serverMarkName}=${processMark}`), 'ostler-watchdog'], {
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
    forget(child)
    logger.debug('no watchdog for MCP servers', { error: messageOf(error) })
  })
  child.once('exit', () => forget(child))
  child.stdin?.on('error', () => forget(child))
  child.unref()
  // Neither its life nor its pipe may keep us from ending.
  ;(child.stdin as Socket | null)?.unref()
  for (const group of guarded) tell(`+ ${group}\n`)
}

/** The next server to start brings a new one, which is then told of all that are guarded. */
function forget(child: ChildProcess) {
  if (watchdog === child) watchdog = undefined
}

function tell(line: string) {
  watchdog?.stdin?.write(line)
}
