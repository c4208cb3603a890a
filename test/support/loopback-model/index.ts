export {
  loopbackKey,
  startLoopbackModel,
  type LoopbackModel,
  type LoopbackOptions,
  type LoopbackVendor,
  type SideReply,
  type SideRequest,
} from './start-loopback-model.ts'
export type { ModelPart, ModelRequest, Reply, Script, ScriptedToolCall } from './script.ts'
