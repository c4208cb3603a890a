import { defineServerChange } from './change-servers.ts'

export const command = defineServerChange({
  about: 'Removes stored servers and their secrets.',
  verb: 'remove',
  done: 'Removed',
  field: 'removed',
  change: async (list, { id, name }) => ({ shown: name, ...(await list.removeServer(id)) }),
})
