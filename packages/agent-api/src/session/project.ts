import type { TextCleaner } from '../base/clean-text.ts'
import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Skill } from '../context/skills.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'

export interface CustomCommand {
  readonly name: string
  readonly description: string
  /** `$ARGUMENTS` stands for the text after the name. */
  readonly prompt: string
  readonly hint?: string
}

export interface ProjectSettings {
  readonly systemPrompt: string | undefined
  readonly commands: readonly CustomCommand[]
  readonly readsInstructions: boolean
  readonly readsSkills: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string | undefined
}

export interface Project extends ProjectSettings {
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
  readonly texts: TextCleaner
  readonly logger: Logger
  /** Empty until they have been read. */
  skills: ProjectSkills
  /** Once. Never rejects. */
  readonly loadSkills: () => Promise<void>
}

export interface ProjectSkills {
  readonly list: readonly Skill[]
  /** Sentences about folders that look like skills but are not. */
  readonly problems: readonly string[]
  /** The tool that reads a skill, if there are any. */
  readonly tools: readonly OfferedTool[]
}

export const noSkills: ProjectSkills = { list: [], problems: [], tools: [] }

export function createProject(options: Omit<Project, 'skills' | 'loadSkills'>): Project {
  let loading: Promise<void> | undefined
  const project: Project = {
    ...options,
    skills: noSkills,
    loadSkills: () => (loading ??= load()),
  }
  return project

  async function load(): Promise<void> {
    try {
      const { loadSkillsOf } = await import('./brief.ts')
      project.skills = await loadSkillsOf(project)
    } catch (error) {
      project.logger.warn('the skills could not be read', { error: messageOf(error) })
    }
  }
}
