import { runNode } from './run.ts'
import { startCeph } from './start-ceph.ts'

/**
 * `npm run proof:s3`: the tests of files in S3 against another S3 server, which must allow new buckets. That is Ceph's gateway, from Debian's
 * packages; or yours, with S3_ENDPOINT, S3_ACCESS_KEY_ID, and S3_SECRET_ACCESS_KEY. It deletes nothing there.
 */
const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env
const ceph = S3_ENDPOINT ? undefined : await startCeph()
if (ceph) console.log(`Against ${ceph.version}`)
const server = ceph
  ? { S3_ENDPOINT: ceph.endpoint, S3_ACCESS_KEY_ID: ceph.accessKeyId, S3_SECRET_ACCESS_KEY: ceph.secretAccessKey }
  : { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
const files = ['s3-store', 'objects', 'client'].map((name) => `server/storage/${name}.test.ts`)
try {
  const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', ...files], {
    env: { S3_PROOF: JSON.stringify(server) },
  })
  process.exitCode = code
} finally {
  await ceph?.stop()
}
