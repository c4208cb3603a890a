import { defineServerChange } from './change-servers.ts'

export const command = defineServerChange({
  about: 'Disables stored servers without removing them. Running agents disconnect them.',
  verb: 'disable',
  done: 'Disabled',
  field: 'servers',
  change: async (list, { id }) => ({ shown: await list.updateServer(id, { enabled: false }) }),
})
