import { execFileSync } from 'node:child_process'

/** A named pipe, which Node cannot make. */
export function makeFifo(path: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$0"', path])
}
