import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { lockDataDir } from '../data-lock.ts'
import { loadSecrets } from '../secrets.ts'
import { openDatabaseForCommand } from './database-for-command.ts'

it('tells the operator to try again while the running product has not started its database yet', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-reach-'))
  const config = parseConfig({ NODE_ENV: 'test', DATA_DIR: dataDir })
  mkdirSync(join(dataDir, 'postgres'))
  const product = lockDataDir(dataDir)
  try {
    await expect(openDatabaseForCommand(config, await loadSecrets(config))).rejects.toThrow(
      `The database in DATA_DIR ${dataDir} is starting or stopping: try again.`,
    )
  } finally {
    product.release()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
