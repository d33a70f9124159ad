import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mail } from './mail.ts'

/** A message as stored in `DATA_DIR/outbox/<id>.json`. */
export type OutboxMail = Mail & { readonly id: string; readonly sentAt: string }

const folder = (dataDir: string) => join(dataDir, 'outbox')
const fileName = /^(\d{8}T\d{9}Z-[0-9a-f]{8})\.json$/

/** Renames a finished file into place, so that readers never see half a message. Only the owner can read it: it may hold a sign-in link. */
export async function writeToOutbox(dataDir: string, { to, subject, text, html, headers }: Mail): Promise<void> {
  const sentAt = new Date().toISOString()
  const id = `${sentAt.replaceAll(/[-:.]/g, '')}-${randomUUID().slice(0, 8)}`
  const mail: OutboxMail = { id, sentAt, to, subject, text, html, ...(headers && { headers }) }
  const file = join(folder(dataDir), `${id}.json`)
  await mkdir(folder(dataDir), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, `${JSON.stringify(mail, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Lists the messages, newest first. */
export async function listOutbox(dataDir: string, limit = 100): Promise<OutboxMail[]> {
  const ids = (await fileNames(dataDir)).flatMap((name) => fileName.exec(name)?.[1] ?? []).sort()
  const mails = await Promise.all(
    ids
      .reverse()
      .slice(0, limit)
      .map((id) => readFromOutbox(dataDir, id)),
  )
  return mails.filter((mail) => mail !== undefined)
}

/** Undefined if there is no such message. */
export async function readFromOutbox(dataDir: string, id: string): Promise<OutboxMail | undefined> {
  const name = `${id}.json`
  if (!fileName.test(name)) return undefined // a name in another form could point outside the folder
  return (
    JSON.parse((await readFile(join(folder(dataDir), name), 'utf8').catch(undefinedWhenMissing)) ?? 'null') ?? undefined
  )
}

async function fileNames(dataDir: string): Promise<string[]> {
  return (await readdir(folder(dataDir)).catch(undefinedWhenMissing)) ?? []
}

function undefinedWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
