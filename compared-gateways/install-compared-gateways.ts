import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('.', import.meta.url))
const changedAt = (file: string) => statSync(`${folder}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Installs the other gateways when they are first needed, and after their lock has changed. */
export async function installComparedGateways(): Promise<void> {
  if (changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json')) return
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
}
