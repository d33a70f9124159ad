import { runNode } from './run.ts'

/** `npm run proof:storage`: the crash tests at full size, 40 kills and a resumed gigabyte. Some minutes. */
const { code } = await runNode(
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', 'server/storage/crash.test.ts'],
  {
    env: { STORAGE_PROOF: '1' },
  },
)
process.exitCode = code
