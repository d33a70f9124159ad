import { runNode } from './run.ts'

/** `npm run proof:pooling [-- FILES]`: the tests of the APIs and of payments, with each gateway behind PgBouncer in transaction mode. Some minutes. */
const chosen = process.argv.slice(2)
const files =
  chosen.length > 0 ? chosen : ['rest', 'auth', 'storage', 'functions', 'payments'].map((api) => `server/${api}/`)
const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', ...files], {
  env: { POOLING_PROOF: '1' },
})
process.exitCode = code
