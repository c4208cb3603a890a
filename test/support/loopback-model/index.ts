export { loopbackKey, startLoopbackModel, type LoopbackModel } from './start-loopback-model.ts'
export type { ModelPart, ModelRequest, Reply, Script } from './script.ts'
