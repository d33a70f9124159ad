import { readFileSync } from 'node:fs'

/** The product's version from package.json. */
export const { version: productVersion } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string }
