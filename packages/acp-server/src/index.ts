export { agentInfo, editorToolNames } from './capabilities.ts'
export { openLog } from './log.ts'
export { openLocalClient, type LocalClient, type LocalClientHandlers } from './open-local-client.ts'
export { startServer, type Server, type ServerOptions } from './start-server.ts'
export { serveStdio } from './stdio.ts'
export type {
  ContentBlock,
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
  McpServer,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionConfigOption,
  SessionUpdate,
  ToolCallContent,
} from '@agentclientprotocol/sdk'
