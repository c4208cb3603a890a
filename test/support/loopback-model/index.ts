export { loopbackKey, startLoopbackModel, type LoopbackModel } from './start-loopback-model.ts'
export type { ModelRequest, Reply, Script } from './script.ts'
