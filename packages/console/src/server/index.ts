export type { Limits } from './http/limits.ts'
export type { HttpServer } from './http/open-http-server.ts'
export { isLoopbackAddress } from './http/own-hosts.ts'
export { openConsole, type ConsoleOptions } from './open-console.ts'
