import { defineSwitch } from './switch-servers.ts'

export const command = defineSwitch(true, 'Enables stored servers. Running agents connect them.')
