import { createRequire, Module, registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OstlerError } from '../base/errors.ts'
import { errorResult, textResult } from '../messages/tool.ts'
import { defineTool } from '../tools/define-tool.ts'

const provided = { OstlerError, defineTool, errorResult, textResult }
const key = '@ostler/agent-api'

let isRegistered = false

/** Lets modules of local tools import `@ostler/agent-api` where it is not installed. They get what a tool needs, from this process. */
export function provideAgentApi(): void {
  if (isRegistered) return
  isRegistered = true
  Object.defineProperty(globalThis, Symbol.for(key), { value: provided })
  const source = `export const { ${Object.keys(provided).join(', ')} } = globalThis[Symbol.for('${key}')]`
  const url = `data:text/javascript,${encodeURIComponent(source)}`
  const required = provideToRequire()
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context)
      } catch (error) {
        if (specifier !== key) throw error
        // Node 22.16 passes a set.
        return [...context.conditions].includes('require')
          ? { url: required, format: 'commonjs', shortCircuit: true }
          : { url, format: 'module', shortCircuit: true }
      }
    },
  })
}

/** `require` cannot read data: URLs. It gets a module that is loaded already, whose file need not exist. Returns its URL. */
function provideToRequire(): string {
  const file = resolve('ostler-agent-api.cjs')
  const module = new Module(file)
  module.exports = provided
  module.loaded = true
  createRequire(file).cache[file] = module
  return pathToFileURL(file).href
}
