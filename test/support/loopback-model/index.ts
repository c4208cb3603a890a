export { loopbackKey, startLoopbackModel, type LoopbackModel, type LoopbackVendor } from './start-loopback-model.ts'
export { textOf, type ModelMessage, type ModelPart, type ModelRequest, type ModelTool, type Reply, type Script } from './script.ts'
