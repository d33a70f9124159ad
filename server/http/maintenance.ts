import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How long a read of the file is cached. */
const lookEveryMs = 500

const fileOf = (dataDir: string) => join(dataDir, 'maintenance')

/** @returns the sentence that visitors read; undefined while the site is open. */
export function readMaintenance(dataDir: string): string | undefined {
  try {
    return readFileSync(fileOf(dataDir), 'utf8').trim()
  } catch {
    return undefined
  }
}

/** @param message undefined reopens the site. */
export function writeMaintenance(dataDir: string, message: string | undefined) {
  if (message === undefined) rmSync(fileOf(dataDir), { force: true })
  else writeFileSync(fileOf(dataDir), `${message}\n`, { mode: 0o600 })
}

/**
 * Whether the operator has closed the site for a while (`npm run maintenance`). The state is a file in `DATA_DIR`: it works while the
 * database is down, reaches every process of the node, and outlives a restart.
 */
export class Maintenance {
  readonly #dataDir: string
  #message: string | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** The sentence that visitors read; undefined while the site is open. */
  get message(): string | undefined {
    const now = performance.now()
    if (now - this.#lookedAt >= lookEveryMs) {
      this.#message = readMaintenance(this.#dataDir)
      this.#lookedAt = now
    }
    return this.#message
  }
}

/** Requests that pass anyway: probes, metrics, and the payment provider, whose events would be late otherwise. */
export const isOpenInMaintenance = (url = '/'): boolean =>
  /^\/(health\/(live|ready)|metrics|functions\/v1\/stripe-webhook)([/?]|$)/.test(url)

/** The page that a browser shows. It needs no other file, and reloads itself. */
export function maintenancePage(productName: string, message: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="60"><meta name="robots" content="noindex"><title>${escapeHtml(productName)}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem}</style></head>
<body><h1>We'll be right back</h1><p>${escapeHtml(message)}</p></body></html>`
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
