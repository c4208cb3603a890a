import type { CleanText } from '../base/clean-text.ts'
import { didYouMean } from '../base/did-you-mean.ts'
import { errorResult, objectSchema, textResult, type Tool } from '../messages/tool.ts'
import { readSkill, type Skill } from './skills.ts'

/** Lets the model read skills and the files in their folders, wherever those are. It reads nothing else, so it needs no approval. */
export function createSkillTool(skills: readonly Skill[], clean: CleanText): Tool {
  return {
    ref: { server: null, tool: 'read_skill' },
    title: 'Read skill',
    description: 'Reads the instructions of a skill, or another file in its folder.',
    kind: 'read',
    isInternal: true,
    inputSchema: objectSchema(['name'], {
      name: { type: 'string', description: 'The name of the skill' },
      file: {
        type: 'string',
        description: 'A path relative to the folder of the skill. Default: its instructions',
      },
    }),
    annotations: { readOnlyHint: true },
    plan: ({ name, file }) =>
      Promise.resolve({
        title: `Read skill ${String(name)}${file === undefined ? '' : ` (${String(file)})`}`,
        effect: 'none',
      }),
    async execute({ name, file }) {
      const skill = skills.find((each) => each.name === name)
      if (skill === undefined) {
        const near = didYouMean(
          String(name),
          skills.map((each) => each.name),
        )
        return errorResult(
          `There is no skill '${String(name)}'.${near === undefined ? '' : ` Did you mean '${near}'?`}`,
        )
      }
      const text = await readSkill(skill, clean, typeof file === 'string' ? file : undefined)
      if (text === undefined)
        return errorResult(
          `The skill '${skill.name}' has no readable text file '${String(file ?? 'SKILL.md')}'. Links out of its folder are not followed.`,
        )
      return textResult(file === undefined ? `The folder of this skill is ${skill.folder}.\n\n${text}` : text)
    },
  }
}
