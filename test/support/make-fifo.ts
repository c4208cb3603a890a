import { execFileSync } from 'node:child_process'

/** Creates a named pipe, which Node itself cannot. */
export function makeFifo(path: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$0"', path])
}
