import { defineSwitch } from './switch-servers.ts'

export const command = defineSwitch(
  false,
  'Disables stored servers without removing them. Running agents disconnect them.',
)
