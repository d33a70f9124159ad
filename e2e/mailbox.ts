import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'

export type Mail = { to: string; subject: string; text: string; html: string; headers?: Record<string, string> }

/** The newest mail to an address, from the outbox that a developer reads (GEN-16). It is written after the answer. */
export async function mailTo(address: string, subject: RegExp): Promise<Mail> {
  let found: Mail | undefined
  await expect
    .poll(() => {
      found = mails().find((mail) => mail.to === address && subject.test(mail.subject))
      return found !== undefined
    })
    .toBe(true)
  return found as Mail
}

/** Newest first. */
function mails(): Mail[] {
  const folder = join(process.env.E2E_DATA_DIR ?? '', 'outbox')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Mail)
}

export const linkIn = ({ text }: Mail): string => /https?:\S+/.exec(text)?.[0] ?? ''
export const codeIn = ({ text }: Mail): string => /\b\d{6}\b/.exec(text)?.[0] ?? ''
