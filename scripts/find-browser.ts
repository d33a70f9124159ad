import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Chromium for the browser tests: `CHROMIUM_PATH`, one that the machine has, or Debian's package when root may install it.
 * @returns the path of the program.
 * @throws an Error that says what to do.
 */
export async function findBrowser(): Promise<string> {
  const wished = process.env.CHROMIUM_PATH
  if (wished) {
    if (existsSync(wished)) return wished
    throw new Error(`CHROMIUM_PATH names ${wished}, which is not there.`)
  }
  const found = places.find((place) => existsSync(place))
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the browser tests…')
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    spawnSync('apt-get', ['update', '-qq'], options)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options)
    const installed = places.find((place) => existsSync(place))
    if (installed) return installed
  }
  throw new Error('The browser tests need Chromium: install it (Debian: apt install chromium), or set CHROMIUM_PATH.')
}
