export { makePgService } from '@dataplan/pg/adaptors/pg'
export { grafserv } from 'grafserv/node'
export { postgraphile } from 'postgraphile'
export { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
