import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'

export type Email = { to: string; subject: string; text: string; html: string; headers?: Record<string, string> }

/** The latest email to an address, from the outbox (GEN-16). Waits for it, because it is sent after the response. */
export async function latestEmail(address: string, subject: RegExp): Promise<Email> {
  let found: Email | undefined
  await expect
    .poll(() => {
      found = readOutbox().find((email) => email.to === address && subject.test(email.subject))
      return found !== undefined
    })
    .toBe(true)
  return found as Email
}

/** Newest first. */
function readOutbox(): Email[] {
  const folder = join(process.env.E2E_DATA_DIR ?? '', 'outbox')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Email)
}

export const linkIn = ({ text }: Email): string => /https?:\S+/.exec(text)?.[0] ?? ''
export const codeIn = ({ text }: Email): string => /\b\d{6}\b/.exec(text)?.[0] ?? ''
