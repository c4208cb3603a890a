import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Logger } from '../base/logger.ts'
import { childEnvironment } from './child-environment.ts'
import { messageOf } from '../base/errors.ts'

const markName = 'OSTLER_SERVER'
/** Common prefix of the marks of all processes that this one starts. */
const processMark = randomUUID().replaceAll('-', '')
let serverCount = 0

/** Ensures that a process does not outlive this one. Create it before the process is started. */
export function createProcessGuard(logger: Logger) {
  if (watchdog === undefined && process.platform !== 'win32') startWatchdog(logger)
  serverCount++
  return {
    /** Set in the environment of the process, so that processes that leave its group can be found. */
    mark: { name: markName, value: `${processMark}.${serverCount}` },
    /** Guards a process group. Returns a function that ends the guard. */
    watch(group: number): () => void {
      guarded.add(group)
      tell(`+ ${group}\n`)
      return () => {
        if (guarded.delete(group)) tell(`- ${group}\n`)
      }
    },
  }
}

/**
 * Ends the guarded processes if this one is killed, for example by SIGKILL. A shell in its own session reads from a pipe that only this process
 * holds open. When the pipe closes, the shell ends all guarded groups. Where /proc exists, it also finds processes by their mark; zombies
 * have lost theirs. `sleep 0.1` is not POSIX, but widely available. Where it fails, SIGKILL just comes sooner.
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
    child = spawn(
      '/bin/sh',
      ['-c', script.replace('$MARK', `${markName}=${processMark}`), 'ostler-watchdog'],
      {
        cwd: '/',
        env: { PATH },
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    )
  } catch (error) {
    logger.debug('no watchdog for child processes', { error: messageOf(error) })
    return
  }
  watchdog = child
  child.once('error', (error) => {
    logger.debug('no watchdog for child processes', { error: messageOf(error) })
    replace(child, logger)
  })
  child.once('exit', () => replace(child, logger))
  // The exit event follows a broken pipe.
  child.stdin?.on('error', () => {})
  child.unref()
  // Neither the child nor its pipe may keep this process alive.
  ;(child.stdin as Socket | null)?.unref()
  for (const group of guarded) tell(`+ ${group}\n`)
}

/** Starts another watchdog if this one was killed, up to a limit. */
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
