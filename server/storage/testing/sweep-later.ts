import { join } from 'node:path'
import { Database } from '../../postgres/database.ts'
import { buildDiskStore } from '../disk-store.ts'
import { sweepStorage } from '../sweep.ts'

type Place = { readonly requestUrl: string; readonly ownerUrl: string; readonly dataDir: string }

/** Sweeps the files of a stopped server as if a day had passed, which removes all orphans. */
export async function sweepADayLater({ requestUrl, ownerUrl, dataDir }: Place): Promise<void> {
  const database = new Database({
    requestUrl,
    ownerUrl,
    connections: 2,
    maxWaiting: 10,
    searchPath: 'public',
    statementTimeoutMs: 8_000,
  })
  try {
    const root = join(dataDir, 'storage')
    const parts = { service: database.service, store: buildDiskStore(root), scratch: join(root, 'scratch') }
    await sweepStorage(parts, new Date(Date.now() + 25 * 3_600_000))
  } finally {
    await database.close()
  }
}
