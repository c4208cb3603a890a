import { defineServerChange } from './change-servers.ts'

export const command = defineServerChange({
  about: 'Enables stored servers. Running agents connect them.',
  verb: 'enable',
  done: 'Enabled',
  field: 'servers',
  change: async (list, { id }) => ({ shown: await list.updateServer(id, { enabled: true }) }),
})
