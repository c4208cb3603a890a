export { loopbackKey, startLoopbackModel, type LoopbackModel, type LoopbackVendor } from './start-loopback-model.ts'
export type { ModelPart, ModelRequest, Reply, Script } from './script.ts'
