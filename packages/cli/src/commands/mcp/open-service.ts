// Its own module, so that it becomes its own chunk: most commands connect to nothing.
export { openServerService } from '@ostler/workbench'
