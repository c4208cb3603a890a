import { measureChunks } from './chunk-rows.ts'
import { measureMemory } from './memory-rows.ts'
import { measurePrompts } from './prompt-rows.ts'
import { toMarkdown } from './row.ts'
import { measureServers } from './server-rows.ts'
import { measureStarts } from './start-rows.ts'

/** Prints what the built command costs beside the floor agent, as Markdown. Milliseconds depend on the machine. */
export async function runQuick(): Promise<void> {
  const rows = []
  for (const measure of [measureStarts, measureServers, measurePrompts, measureChunks, measureMemory])
    rows.push(...(await measure()))
  console.log(
    `Node ${process.version}, ${process.platform} ${process.arch}. Medians of repetitions in turns.\n`,
  )
  console.log(toMarkdown(rows))
}
