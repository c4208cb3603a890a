export { startServer, type Server, type ServerOptions } from './start-server.ts'
