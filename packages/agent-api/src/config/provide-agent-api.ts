import { registerHooks } from 'node:module'
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
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context)
      } catch (error) {
        if (specifier !== key) throw error
        return { url, format: 'module', shortCircuit: true }
      }
    },
  })
}
